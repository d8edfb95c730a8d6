package org.cuarray.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.Pointer;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.javacpp.JavaCppDriver;
import org.junit.jupiter.api.Tag;

/**
 * The suite on this machine's GPUs. Memory of the runtime is that of {@code cudaMalloc}, called
 * through the JavaCPP presets.
 */
@Tag("gpu")
public final class CudaForeignMemorySuite extends ForeignMemorySuite {

  /** For JUnit. */
  public CudaForeignMemorySuite() {}

  @Override
  protected CudaDriver openDriver() {
    JavaCppDriver.unavailableReason().ifPresent(reason -> assumeTrue(false, reason));
    return JavaCppDriver.instance();
  }

  @Override
  protected long mallocOfRuntime(int device, long bytes) {
    Pointer pointer = new Pointer();
    onDevice(device, () -> assertThat(cudart.cudaMalloc(pointer, bytes)).isZero());
    return pointer.address();
  }

  @Override
  protected void freeOfRuntime(int device, long pointer) {
    onDevice(device, () -> assertThat(cudart.cudaFree(new At(pointer))).isZero());
  }

  /** The runtime's current device is a context of the thread; none was current before. */
  private static void onDevice(int device, Runnable call) {
    assertThat(cudart.cudaSetDevice(device)).isZero();
    try {
      call.run();
    } finally {
      ok(JavaCppDriver.instance().ctxSetCurrent(0));
    }
  }

  /** A pointer to a known address. */
  private static final class At extends Pointer {
    At(long address) {
      this.address = address;
    }
  }
}
