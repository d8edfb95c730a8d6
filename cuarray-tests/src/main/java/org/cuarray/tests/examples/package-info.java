/** Programs that a user could have written, to be read, run and measured. */
package org.cuarray.tests.examples;
