package org.cuarray;

/**
 * A complex number of two floats, the element of {@link DType#COMPLEX64}. Arrays carry it as {@code
 * float[]} with real and imaginary parts in turn, which is the layout of {@code cuComplex}.
 *
 * <p>Immutable, so thread-safe.
 *
 * @param re the real part
 * @param im the imaginary part
 */
public record Complex64(float re, float im) {}
