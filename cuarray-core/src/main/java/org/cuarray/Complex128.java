package org.cuarray;

/**
 * A complex number of two doubles, the element of {@link DType#COMPLEX128}. Arrays carry it as
 * {@code double[]} with real and imaginary parts in turn, which is the layout of {@code
 * cuDoubleComplex}.
 *
 * <p>Immutable, so thread-safe.
 *
 * @param re the real part
 * @param im the imaginary part
 */
public record Complex128(double re, double im) {}
