package org.cuarray.driver.javacpp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.cuarray.CuCompilationException;
import org.junit.jupiter.api.Test;

class NvrtcTargetTest {
  /** Those of NVRTC 13.0. */
  private static final int[] SUPPORTED = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

  private static NvrtcTarget target(int device, String... options) {
    return NvrtcTarget.of(List.of(options), device, SUPPORTED, "13.0");
  }

  @Test
  void aDeviceThatTheCompilerKnowsGetsMachineCode() {
    NvrtcTarget target = target(90, "--use_fast_math");
    assertThat(target.architecture()).isEqualTo("sm_90");
    assertThat(target.isVirtual()).isFalse();
    assertThat(target.options()).containsExactly("--use_fast_math", "--gpu-architecture=sm_90");
  }

  @Test
  void aNewerDeviceGetsTheNewestPtx() {
    assertThat(target(130).architecture()).isEqualTo("compute_121");
    assertThat(target(101).architecture()).isEqualTo("compute_100");
    assertThat(target(101).isVirtual()).isTrue();
  }

  @Test
  void anOlderDeviceIsRefused() {
    assertThatExceptionOfType(CuCompilationException.class)
        .isThrownBy(() -> target(70))
        .withMessageContaining("NVRTC 13.0")
        .withMessageContaining("[75, 80,")
        .withMessageContaining("sm_70");
  }

  @Test
  void anOptionThatNamesAnArchitectureCounts() {
    for (String[] options :
        List.of(
            new String[] {"--gpu-architecture=compute_80"},
            new String[] {"-arch=compute_80"},
            new String[] {"-G", "--gpu-architecture", "compute_80"},
            new String[] {"-arch", "compute_80"})) {
      NvrtcTarget target = target(90, options);
      assertThat(target.architecture()).isEqualTo("compute_80");
      assertThat(target.isVirtual()).isTrue();
      assertThat(target.options()).containsExactly(options);
    }
    assertThat(target(90, "-arch=sm_90a").isVirtual()).isFalse();
  }
}
