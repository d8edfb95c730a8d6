package org.cuarray.tests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.Access.readWrite;
import static org.cuarray.DType.FLOAT32;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cuarray.CuArray;
import org.cuarray.CuClosedException;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.Launch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who closes what another thread is launching with ends the launches, and breaks none. */
class CloseDuringLaunchTest {
  private static final int ROUNDS = 300;
  private static final Launch THREE = Launch.of(1, 3);

  private final KernelMachine machine = new KernelMachine();
  private final ExecutorService other = Executors.newSingleThreadExecutor();

  @AfterEach
  void close() {
    other.shutdownNow();
    machine.close();
    assertThat(machine.simulated.findings()).isEmpty();
  }

  /** Launches on another thread until something was closed; fails where anything else happens. */
  private void closeMeanwhile(CuKernel kernel, CuArray<Float> array, AutoCloseable closed)
      throws Exception {
    CountDownLatch launching = new CountDownLatch(1);
    Future<?> launches =
        other.submit(
            () -> {
              try {
                while (true) {
                  kernel.launch(THREE, readWrite(array));
                  launching.countDown();
                }
              } catch (CuClosedException e) {
                return;
              }
            });
    launching.await();
    closed.close();
    launches.get();
  }

  @Test
  void anArray() throws Exception {
    CuKernel increment = machine.kernel("increment");
    for (int round = 0; round < ROUNDS; round++) {
      CuArray<Float> array = machine.array(0, 1, 2, 3);
      closeMeanwhile(increment, array, array);
    }
  }

  @Test
  void aModule() throws Exception {
    try (CuArray<Float> array = machine.gpu(0).zeros(FLOAT32, 3)) {
      for (int round = 0; round < ROUNDS; round++) {
        CuModule module = machine.cuda.load(KernelMachine.PTX);
        closeMeanwhile(module.kernel("increment"), array, module);
      }
    }
  }
}
