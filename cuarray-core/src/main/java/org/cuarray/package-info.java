/** Typed arrays that live on CUDA devices, with the copies, kernels and streams for them. */
@NullMarked
package org.cuarray;

import org.jspecify.annotations.NullMarked;
