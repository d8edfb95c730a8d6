package org.cuarray.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "4, 4 B",
    "1023, 1023 B",
    "1024, 1 KiB",
    "1536, 1.5 KiB",
    "1048576, 1 MiB",
    "4294967296, 4 GiB",
    "149250113536, 139 GiB"
  })
  void bytesAreInTheLargestUnitThatFits(long bytes, String text) {
    assertThat(ByteText.of(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0.0314, 0.031",
    "1.4, 1.40",
    "53.44, 53.4",
    "396.6, 397",
    "2118, 2118",
    "1e-9, 0.000"
  })
  void valuesHaveAboutThreeDigits(double value, String text) {
    assertThat(ValueText.of(value)).isEqualTo(text);
  }
}
