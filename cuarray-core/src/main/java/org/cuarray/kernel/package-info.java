/** Modules, kernels and their launches. */
@NullMarked
package org.cuarray.kernel;

import org.jspecify.annotations.NullMarked;
