/**
 * What the library itself costs, driver calls apart, in nanoseconds. Runs on any machine, GPU or
 * not; see {@code docs/performance.md} for the command.
 */
package org.cuarray.tests.jmh;
