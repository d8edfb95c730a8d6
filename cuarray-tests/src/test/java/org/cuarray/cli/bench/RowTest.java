package org.cuarray.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RowTest {
  @ParameterizedTest
  @EnumSource
  void everyRowIsFoundByItsName(Row row) {
    assertThat(Row.named(row.rowName())).isEqualTo(row);
  }

  @Test
  void anotherNameGetsTheListOfAll() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Row.named("sumbit"))
        .withMessageContaining("sumbit")
        .withMessageContaining("submit, latency, pingpong");
  }
}
