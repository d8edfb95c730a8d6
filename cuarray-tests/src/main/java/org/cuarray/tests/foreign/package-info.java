/** Memory that others allocated, in use while its owner goes on working on it. */
package org.cuarray.tests.foreign;
