/** The real CUDA driver, called through the JavaCPP presets for CUDA. */
@NullMarked
package org.cuarray.driver.javacpp;

import org.jspecify.annotations.NullMarked;
