package org.cuarray.tests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.javacpp.JavaCppDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A runtime on the real driver for each test, and what it opened. Skipped without a GPU. */
abstract class CudaKernels {
  CudaDriver driver;
  CuRuntime cuda;
  private long contextBefore;
  private final List<AutoCloseable> opened = new ArrayList<>();

  @BeforeEach
  final void open() {
    JavaCppDriver.unavailableReason().ifPresent(reason -> assumeTrue(false, reason));
    driver = JavaCppDriver.instance();
    contextBefore = currentContext();
    cuda = CuRuntime.open(driver);
  }

  private long currentContext() {
    long[] context = new long[1];
    assertThat(driver.ctxGetCurrent(context)).isEqualTo(CudaError.SUCCESS);
    return context[0];
  }

  @AfterEach
  final void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
    if (cuda != null) {
      cuda.close();
      assertThat(currentContext()).isEqualTo(contextBefore);
    }
  }

  /** Closes something after the test. */
  final <C extends AutoCloseable> C keep(C closeable) {
    opened.add(closeable);
    return closeable;
  }

  final CuModule module(String source, String... options) {
    return keep(cuda.compile(source, options));
  }
}
