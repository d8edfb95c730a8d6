/** Runs test suites on a machine that has no Maven. */
package org.cuarray.tests.suite;
