package org.cuarray.driver.javacpp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InitFailureTest {
  @ParameterizedTest
  @CsvSource({
    "34, stub",
    "100, no GPU",
    "304, /dev/nvidia",
    "802, nvidia-fabricmanager",
    "803, different versions",
    "804, compatibility package",
    "805, nvidia-cuda-mps-control",
    "46, nvidia-smi",
    "12345, nvidia-smi",
  })
  void saysWhatToDoAndWhichCallSaidSo(int status, String remedy) {
    assertThat(InitFailure.explain("cuInit", status, null))
        .contains(remedy, "cuInit returned " + status)
        .doesNotContain("\n");
  }

  @Test
  void showsTheVariableThatHidesDevices() {
    assertThat(InitFailure.explain("cuInit", 100, "7,9"))
        .contains("CUDA_VISIBLE_DEVICES is \"7,9\"");
    assertThat(InitFailure.explain("cuInit", 100, null)).doesNotContain("CUDA_VISIBLE_DEVICES");
  }

  @Test
  void takesDriversFromCuda12Point8On() {
    assertThat(DriverVersion.isTooOld(12070)).isTrue();
    assertThat(DriverVersion.isTooOld(12080)).isFalse();
    assertThat(DriverVersion.isTooOld(13000)).isFalse();
    assertThat(DriverVersion.tooOld(12020)).contains("offers CUDA 12.2", "version 570");
  }
}
