package org.cuarray.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.FLOAT32;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.cuarray.HostArray;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of the pages on order and lifetime, where streams work as late as they may. */
class OrderAndLifetimeExamplesTest {
  private final SimulatedDriver machine =
      SimulatedDriver.builder().devices(2).seed(Long.getLong("cuarray.seed", 1)).build();
  private final PrintStream console = System.out;
  private CuRuntime cuda;
  private CuDevice gpu0;
  private CuDevice gpu1;
  private CuArray<Float> a;
  private CuArray<Float> b;
  private CuArray<Float> c;

  @BeforeEach
  void open() {
    cuda = CuRuntime.open(machine);
    gpu0 = cuda.device(0);
    gpu1 = cuda.device(1);
    a = gpu0.zeros(FLOAT32, 1024);
    b = gpu1.zeros(FLOAT32, 1024);
    c = gpu0.zeros(FLOAT32, 1024);
  }

  @AfterEach
  void close() {
    System.setOut(console);
    a.close();
    b.close();
    c.close();
    cuda.close();
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void order() {
    a.fill(1f); // on device 0
    a.copyTo(b); // sees the fill; b is on device 1
    a.fill(2f); // comes after the copy has read a
    b.copyTo(c); // sees the first copy; c is on device 0 again
    float[] ones = c.toArray(FLOAT32);

    assertThat(ones).containsOnly(1f);
  }

  @Test
  void slices() {
    CuArray<Float> left = a.slice(0, 512);
    CuArray<Float> right = a.slice(512, 1024);
    left.copyTo(b.slice(0, 512));
    right.fill(3f); // waits for nothing: the copy has other bytes
    a.copyTo(c); // waits for both

    assertThat(c.get(511)).isZero();
    assertThat(c.get(512)).isEqualTo(3f);
  }

  @Test
  void threads() throws InterruptedException {
    a.fill(4f);
    Thread thread = new Thread(() -> a.copyTo(b)); // sees the fill: it was made before
    thread.start();
    thread.join();
    float[] fours = b.toArray(FLOAT32);

    assertThat(fours).containsOnly(4f);
  }

  @Test
  void aroundTheOrder() {
    a.fill(5f);

    HostArray<Float> pinned = gpu0.hostArray(FLOAT32, 1024);
    a.copyTo(pinned); // asynchronous
    pinned.synchronize(); // asByteBuffer reads memory as it is at this moment
    float first = pinned.asByteBuffer(0, 1024).getFloat(0);

    assertThat(first).isEqualTo(5f);
    pinned.close();
  }

  @Test
  void scopes() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));

    try (CuArray<Float> sum = gpu0.zeros(FLOAT32, 1024);
        CuScope scope = cuda.scope()) { // closes what it keeps, the last first
      CuArray<Float> part = scope.keep(gpu1.full(FLOAT32, 1f, 1024));
      part.copyTo(sum);
      part.close(); // the copy is still under way, and gets the right bytes
      System.out.println(sum.get(1023)); // 1.0
    }

    assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualToIgnoringNewLines("1.0");
  }
}
