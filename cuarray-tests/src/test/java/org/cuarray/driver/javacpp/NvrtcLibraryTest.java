package org.cuarray.driver.javacpp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NvrtcLibraryTest {
  @Test
  void aMissingLibraryIsNamedWithWhereToGetIt() {
    UnsatisfiedLinkError outer =
        new UnsatisfiedLinkError("no jninvrtc in java.library.path: /usr/lib");
    outer.initCause(
        new UnsatisfiedLinkError(
            "/root/.javacpp/cache/libjninvrtc.so: libnvrtc.so.13: cannot open shared object file:"
                + " No such file or directory"));
    assertThat(NvrtcLibrary.explain(outer, "linux-x86_64"))
        .contains(
            "libnvrtc.so.13",
            "cuda-nvrtc-13-0",
            "LD_LIBRARY_PATH",
            "org.bytedeco:cuda-redist",
            "classifier linux-x86_64",
            "CuRuntime.load");
    assertThat(NvrtcLibrary.explain(outer, "windows-x86_64"))
        .contains("nvrtc64_130_0.dll", " PATH", "classifier windows-x86_64");
  }

  @Test
  void aMissingDriverIsStillAMissingDriver() {
    UnsatisfiedLinkError outer = new UnsatisfiedLinkError("no jnicudart in java.library.path");
    outer.initCause(
        new UnsatisfiedLinkError(
            "/cache/libjnicudart.so: libcuda.so.1: cannot open shared object file: No such file"));
    assertThat(NvrtcLibrary.explain(outer, "linux-x86_64")).contains("there is no NVIDIA driver");
  }
}
