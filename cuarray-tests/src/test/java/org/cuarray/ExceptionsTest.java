package org.cuarray;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.cuarray.driver.CudaError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExceptionsTest {
  private static final String FOUND_NOT_CAUSED =
      "This call found the error; it need not have caused it.";

  static Stream<Integer> codes() {
    return Arrays.stream(CudaError.class.getFields())
        .filter(field -> Modifier.isStatic(field.getModifiers()))
        .map(ExceptionsTest::code)
        .filter(code -> code != CudaError.SUCCESS);
  }

  private static int code(Field field) {
    try {
      return field.getInt(null);
    } catch (IllegalAccessException notPublic) {
      throw new LinkageError(field.getName(), notPublic);
    }
  }

  @Test
  void aDriverFailureNamesCallDeviceBytesCodeMeaningAndRemedy() {
    CuDriverException failure =
        new CuDriverException(
            "cuMemcpyPeerAsync", CudaError.INVALID_VALUE, 1, 4096, "float32 [1024] to cuda:0");

    assertThat(failure)
        .hasMessageStartingWith(
            "cuMemcpyPeerAsync failed on cuda:1 (4096 bytes): CUDA_ERROR_INVALID_VALUE (1)."
                + " float32 [1024] to cuda:0. A pointer is unknown to the driver")
        .hasMessageContaining(" Try: ");
    assertThat(failure.call()).isEqualTo("cuMemcpyPeerAsync");
    assertThat(failure.code()).isEqualTo(1);
    assertThat(failure.codeName()).isEqualTo("CUDA_ERROR_INVALID_VALUE");
    assertThat(failure.device()).hasValue(1);
  }

  @Test
  void aDriverFailureLeavesOutWhatIsNotKnown() {
    CuDriverException failure = new CuDriverException("cuCtxGetCurrent", CudaError.UNKNOWN);

    assertThat(failure)
        .hasMessageStartingWith("cuCtxGetCurrent failed: CUDA_ERROR_UNKNOWN (999). ");
    assertThat(failure.device()).isEmpty();
  }

  @Test
  void deviceZeroAndZeroBytesAreKnown() {
    assertThat(new CuDriverException("cuMemAlloc", CudaError.INVALID_VALUE, 0, 0, ""))
        .hasMessageStartingWith("cuMemAlloc failed on cuda:0 (0 bytes): ");
    assertThat(new CuDriverException("cuMemAlloc", CudaError.INVALID_VALUE, 0, 1, ""))
        .hasMessageContaining("(1 byte)");
  }

  @ParameterizedTest
  @MethodSource("codes")
  void everyCodeIsNamedWithAdviceAndStickyOnesSayWhoMayHaveCausedThem(int code) {
    CuDriverException failure = new CuDriverException("cuStreamSynchronize", code);

    assertThat(failure)
        .hasMessageContaining(CudaError.name(code) + " (" + code + ")")
        .hasMessageMatching("(?s).*\\. Try: \\S.*[^.]\\.");
    assertThat(failure.getMessage().contains(FOUND_NOT_CAUSED)).isEqualTo(CudaError.isSticky(code));
  }

  @Test
  void aCodeThatNoTableKnowsIsReportedAllTheSame() {
    assertThat(new CuDriverException("cuInit", 12345))
        .hasMessageContaining("12345")
        .hasMessageContaining("Try: look the code up");
  }

  @Test
  void outOfMemoryShowsEveryAmountExactlyAndReadably() {
    CuOutOfMemoryException failure =
        new CuOutOfMemoryException(1, 1L << 30, 1536, 1000, (1L << 20) + (1L << 19));

    assertThat(failure)
        .hasMessageStartingWith(
            "cuda:1 is out of memory: 1073741824 bytes (1.00 GiB) requested,"
                + " 1536 bytes (1.50 KiB) used by arrays of this runtime,"
                + " 1000 bytes reserved by it,"
                + " 1572864 bytes (1.50 MiB) free on the device. Try: close arrays");
    assertThat(failure.device()).isEqualTo(1);
    assertThat(failure.requested()).isEqualTo(1L << 30);
    assertThat(failure.used()).isEqualTo(1536);
    assertThat(failure.reserved()).isEqualTo(1000);
    assertThat(failure.free()).isEqualTo(1572864);
  }

  @Test
  void outOfMemoryBesideEnoughFreeMemorySpeaksOfPieces() {
    assertThat(new CuOutOfMemoryException(0, 100, 0, 0, 200)).hasMessageContaining("in pieces");
    assertThat(new CuOutOfMemoryException(0, 100, 0, 0, 99)).message().doesNotContain("in pieces");
  }

  @Test
  void outOfMemoryLeavesOutUnknownAmounts() {
    assertThat(new CuOutOfMemoryException(0, Long.MAX_VALUE, -1, -1, -1))
        .hasMessageStartingWith(
            "cuda:0 is out of memory: 9223372036854775807 bytes (8.00 EiB) requested. Try: ");
  }

  @Test
  void pinnedMemoryThatRanOutIsTheHosts() {
    CuOutOfMemoryException failure = CuOutOfMemoryException.pinnedHost(2048, 1, 4096);

    assertThat(failure)
        .hasMessageStartingWith(
            "the host has no pinned memory left: 2048 bytes (2.00 KiB) requested, 1 byte used by"
                + " arrays of this runtime, 4096 bytes (4.00 KiB) pinned by it. Try:")
        .hasMessageContaining("ulimit -l");
    assertThat(failure.device()).isEqualTo(-1);
    assertThat(failure.free()).isEqualTo(-1);
  }

  @Test
  void theOthersKeepWhatTheyWereToldAndTheirCause() {
    Throwable cause = new UnsatisfiedLinkError("libcuda.so.1");
    CuUnavailableException unavailable = new CuUnavailableException("no driver", cause);
    CuDeviceLostException lost = new CuDeviceLostException(3, cause);

    assertThat(unavailable).hasMessage("CUDA is unavailable: no driver").hasCause(cause);
    assertThat(unavailable.reason()).isEqualTo("no driver");
    assertThat(new CuUnavailableException("no device").reason()).isEqualTo("no device");
    assertThat(lost).hasMessageStartingWith("cuda:3 is lost").hasCause(cause);
    assertThat(lost.device()).isEqualTo(3);
    assertThat(new CuDeviceLostException(2).device()).isEqualTo(2);
    assertThat(new CuClosedException("array was closed")).hasMessage("array was closed");
    assertThat(new CuException("failed", cause)).hasMessage("failed").hasCause(cause);
  }

  @Test
  void allAreUncheckedAndOfOneFamily() {
    assertThat(CuException.class).isAssignableTo(RuntimeException.class);
    assertThat(
            List.of(
                CuDriverException.class,
                CuOutOfMemoryException.class,
                CuUnavailableException.class,
                CuDeviceLostException.class,
                CuClosedException.class))
        .allSatisfy(type -> assertThat(type).hasSuperclass(CuException.class));
  }
}
