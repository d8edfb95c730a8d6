/**
 * How a process ends, and how it goes on without a device that it lost: programs, each run in a JVM
 * of its own.
 */
package org.cuarray.tests.exit;
