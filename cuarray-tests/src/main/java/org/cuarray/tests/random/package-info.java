/** Random programs on arrays, compared with a model on plain Java arrays. */
package org.cuarray.tests.random;
