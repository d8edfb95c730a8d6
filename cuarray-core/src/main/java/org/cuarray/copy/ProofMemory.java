package org.cuarray.copy;

/**
 * A test buffer of a proof.
 *
 * @param address its first byte
 * @param bytes its size
 */
record ProofMemory(long address, long bytes) {}
