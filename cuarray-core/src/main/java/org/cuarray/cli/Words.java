package org.cuarray.cli;

import java.util.Arrays;
import java.util.Locale;

/** Constants as people write them. */
final class Words {
  private Words() {}

  /** Such as {@code "host staged"}. */
  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  static String[] ofAll(Enum<?>... constants) {
    return Arrays.stream(constants).map(Words::of).toArray(String[]::new);
  }
}
