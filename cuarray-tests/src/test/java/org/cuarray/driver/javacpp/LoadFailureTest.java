package org.cuarray.driver.javacpp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The texts that stand in for the loader's are real ones, of glibc 2.36 and JavaCPP 1.5.14. */
class LoadFailureTest {
  private static final String UNPACKED =
      "/home/u/.javacpp/cache/cuda.jar/org/bytedeco/cuda/linux-x86_64/libjnicudart.so: ";

  @Test
  void namesTheDriverWhereItsLibraryIsMissing() {
    String reason = ofLoader(UNPACKED + "libcuda.so.1: cannot open shared object file");

    assertThat(reason)
        .startsWith("there is no NVIDIA driver")
        .contains("libcuda.so.1", "Install the NVIDIA driver", "--gpus all");
  }

  @Test
  void namesTheRuntimeLibraryAndTwoWaysToGetIt() {
    String reason = ofLoader(UNPACKED + "libcudart.so.13: cannot open shared object file");

    assertThat(reason)
        .startsWith("the CUDA runtime library libcudart.so.13 is missing")
        .contains("CUDA toolkit 13", "org.bytedeco:cuda-redist with classifier linux-x86_64")
        .doesNotContain("Install the NVIDIA driver");
  }

  @Test
  void understandsTheLoaderInAnotherLanguage() {
    String reason =
        ofLoader(UNPACKED + "libcuda.so.1: Kann die Shared-Object-Datei nicht öffnen: fehlt");

    assertThat(reason).startsWith("there is no NVIDIA driver");
  }

  @Test
  void namesAnySystemLibraryThatIsMissing() {
    assertThat(ofLoader(UNPACKED + "libstdc++.so.6: cannot open shared object file"))
        .startsWith("the system library libstdc++.so.6");
  }

  @Test
  void namesTheClassifierWhereTheNativeJarIsMissing() {
    String reason = ofLoader("Could not find jnicudart in class, module, and library paths.");

    assertThat(reason)
        .startsWith("the native half of the bindings for this platform, linux-x86_64, is not on")
        .contains("classifier linux-x86_64");
  }

  @Test
  void namesTheClassifierWhereTheNativeJarIsForAnotherProcessor() {
    String reason =
        ofLoader(
            UNPACKED
                + "cannot open shared object file: No such file or directory"
                + " (Possible cause: can't load AARCH64 .so on a AMD 64 platform)");

    assertThat(reason)
        .startsWith("a native library on the loader's path is for another platform")
        .contains("classifier linux-x86_64");
  }

  @Test
  void namesThePlatformsThatHaveCuda() {
    Throwable failure =
        new UnsatisfiedLinkError(
            "Platform \"macosx-arm64\" not supported by class org.bytedeco.cuda.global.cudart");

    assertThat(LoadFailure.classify(failure, "macosx-arm64"))
        .startsWith("there is no CUDA for the platform macosx-arm64")
        .contains("linux-x86_64", "linux-arm64", "windows-x86_64");
  }

  @Test
  void namesTheJarsWhereTheJavaHalfIsMissing() {
    Throwable failure =
        new NoClassDefFoundError("org/bytedeco/cuda/global/cudart")
            .initCause(new ClassNotFoundException("org.bytedeco.cuda.global.cudart"));

    assertThat(LoadFailure.classify(failure, "linux-x86_64"))
        .startsWith("the Java half of the bindings is not on the class path")
        .contains("org.bytedeco:cuda", "org.bytedeco:javacpp");
  }

  @Test
  void admitsThatTheReasonIsLostWhereOtherCodeTriedFirst() {
    Throwable failure =
        new NoClassDefFoundError("Could not initialize class org.bytedeco.cuda.global.cudart")
            .initCause(
                new ExceptionInInitializerError(
                    "Exception java.lang.UnsatisfiedLinkError: no jnicudart in java.library.path"));

    assertThat(LoadFailure.classify(failure, "linux-x86_64"))
        .startsWith("other code of this process used the bindings before cuarray did");
  }

  @Test
  void blamesTheDriverOrTheEagerLoaderForAFunctionThatIsMissing() {
    assertThat(ofLoader(UNPACKED + UNPACKED + "undefined symbol: cuMulticastBindAddr_v2"))
        .contains("version 570", "LD_BIND_NOW", "cuMulticastBindAddr_v2");
  }

  @Test
  void blamesAnOldSystemForASymbolVersionThatIsMissing() {
    String reason =
        ofLoader(
            "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by "
                + UNPACKED.strip()
                + ")");

    assertThat(reason).contains("too old for the bindings, which need GLIBC_2.34");
  }

  @Test
  void offersAnotherFolderWhereTheUnpackedLibraryMayNotRun() {
    assertThat(ofLoader(UNPACKED + "failed to map segment from shared object"))
        .contains("noexec", "-Dorg.bytedeco.javacpp.cachedir=");
  }

  @Test
  void namesBothLibrariesOnWindowsWhichTellsThemNotApart() {
    Throwable failure =
        new UnsatisfiedLinkError("C:\\cache\\jnicudart.dll: Can't find dependent libraries");

    assertThat(LoadFailure.classify(failure, "windows-x86_64"))
        .contains("nvcuda.dll", "cudart64_13.dll", "classifier windows-x86_64", "on PATH");
  }

  @Test
  void quotesWhatItDoesNotUnderstand() {
    assertThat(LoadFailure.classify(new IllegalStateException("xyzzy"), "linux-x86_64"))
        .endsWith("The loader said: xyzzy");
    assertThat(LoadFailure.classify(new IllegalStateException(), "linux-x86_64"))
        .endsWith("The loader said: java.lang.IllegalStateException");
  }

  @Test
  void isOneParagraphEvenWhereCausesLoop() {
    Throwable failure = new IllegalStateException("first\nline");
    Throwable cause = new IllegalStateException("second\nline");
    failure.initCause(cause);
    cause.initCause(failure);

    assertThat(LoadFailure.classify(failure, "linux-x86_64")).doesNotContain("\n");
  }

  /** As JavaCPP wraps it: what the loader said stands in the cause alone. */
  private static String ofLoader(String message) {
    Throwable failure =
        new UnsatisfiedLinkError("no jnicudart in java.library.path: /usr/lib:/lib")
            .initCause(new UnsatisfiedLinkError(message));
    String reason = LoadFailure.classify(failure, "linux-x86_64");
    assertThat(reason).contains("The loader said: " + message);
    return reason;
  }
}
