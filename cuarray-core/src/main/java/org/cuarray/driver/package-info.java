/** The CUDA driver calls that the library uses, as one interface of longs and ints. */
@NullMarked
package org.cuarray.driver;

import org.jspecify.annotations.NullMarked;
