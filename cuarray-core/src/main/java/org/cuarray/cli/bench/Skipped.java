package org.cuarray.cli.bench;

/**
 * What was not measured.
 *
 * @param row the {@link Row#rowName name} of its row
 * @param what in words
 * @param why in a sentence
 */
public record Skipped(String row, String what, String why) {}
