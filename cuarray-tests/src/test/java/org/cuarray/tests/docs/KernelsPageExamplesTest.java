package org.cuarray.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.FLOAT32;
import static org.cuarray.KernelArg.float32;
import static org.cuarray.KernelArg.int64;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cuarray.Access;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.KernelArg;
import org.cuarray.Launch;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the page on kernels, in their order; {@link DocumentsTest} compares. */
class KernelsPageExamplesTest {
  private static final int N = 1000;

  private final long n = N;
  private CuRuntime cuda;
  private CuDevice gpu0;
  private CuModule module;
  private CuKernel saxpy;
  private CuArray<Float> x;
  private CuArray<Float> y;

  @BeforeEach
  void open() {
    cuda = CuRuntime.open(machine());
    gpu0 = cuda.device(0);
    module = cuda.compile("");
    saxpy = module.kernel("saxpy");
    x = gpu0.full(FLOAT32, 3f, N);
    y = gpu0.full(FLOAT32, 1f, N);
  }

  @AfterEach
  void close() {
    x.close();
    y.close();
    module.close();
    cuda.close();
  }

  private static SimulatedDriver machine() {
    SimulatedDriver machine =
        SimulatedDriver.builder()
            .kernel(
                "saxpy",
                run -> {
                  float a = run.nextFloat();
                  long x = run.nextLong();
                  long y = run.nextLong();
                  long n = run.nextLong();
                  for (long at = 0; at < 4 * n; at += 4) {
                    run.putFloat(y + at, a * run.getFloat(x + at) + run.getFloat(y + at));
                  }
                })
            .build();

    return machine;
  }

  @Test
  void code(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("kernels.ptx");
    Files.writeString(file, ".version 9.0\n", StandardCharsets.US_ASCII);
    String source = "extern \"C\" __global__ void saxpy() {}";

    CuModule compiled = cuda.compile(source, "--use_fast_math", "-DTILE=16");
    CuModule loaded = cuda.load(Files.readAllBytes(file)); // PTX, a cubin or a fatbin

    for (CuModule each : new CuModule[] {compiled, loaded}) {
      each.kernel("saxpy")
          .launch(Launch.over(n), float32(1), Access.read(x), Access.readWrite(y), int64(n));
      each.close();
    }
    assertThat(y.get(N - 1)).isEqualTo(7f);
  }

  @Test
  void arguments() {
    int steps = 3;

    Launch launch = Launch.over(n);
    KernelArg[] arguments = {float32(2), Access.read(x), Access.readWrite(y), int64(n)};
    for (int step = 0; step < steps; step++) {
      saxpy.launch(launch, arguments);
    }

    assertThat(y.toArray(FLOAT32)).containsOnly(19);
  }

  @Test
  void sizes() {
    Launch line = Launch.over(n); // at least n threads, in blocks of 256; of nothing where n is 0
    Launch wide = Launch.over(n, 512); // the same in blocks of 512
    Launch image = Launch.of(1, 1).grid(64, 64, 1).block(16, 16, 1).shared(16 * 16 * Float.BYTES);

    assertThat(line.grid()).containsExactly(4, 1, 1);
    assertThat(wide.grid()).containsExactly(2, 1, 1);
    assertThat(image.sharedBytes()).isEqualTo(1024);
  }

  @Test
  void onAStream() {
    try (CuStream urgent = gpu0.stream("urgent", -1)) {
      saxpy.launch(
          urgent, Launch.over(n), float32(2), Access.read(x), Access.readWrite(y), int64(n));
    }

    assertThat(y.toArray(FLOAT32)).containsOnly(7);
  }
}
