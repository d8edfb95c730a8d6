package org.cuarray.tests.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.cuarray.Access;
import org.cuarray.CuKernel;
import org.cuarray.CuLease;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.KernelArg;
import org.cuarray.Launch;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.simulated.SimulatedDriver;

/**
 * What others than the library do to arrays, in the order that the library keeps: kernels, and
 * driver calls under leases.
 */
final class ForeignWork implements AutoCloseable {
  private static final String ADD = "add";

  private final CudaDriver driver;
  private final CuModule module;
  private final CuKernel add;

  private ForeignWork(CudaDriver driver, CuModule module) {
    this.driver = driver;
    this.module = module;
    this.add = module.kernel(ADD);
  }

  /** Gives a machine the kernel that programs launch. */
  static SimulatedDriver.Builder withKernel(SimulatedDriver.Builder machine) {
    return machine.kernel(
        ADD,
        List.of(Long.BYTES, Long.BYTES, Integer.BYTES),
        run -> {
          long to = run.nextLong();
          long from = run.nextLong();
          int count = run.nextInt();
          for (long i = 0; i < Math.min(count, run.threads()); i++) {
            long offset = Integer.BYTES * i;
            run.putInt(to + offset, run.getInt(to + offset) + run.getInt(from + offset));
          }
        });
  }

  static ForeignWork on(CudaDriver driver, CuRuntime cuda) {
    byte[] image = ".version 9.0\n.target sm_90\n".getBytes(StandardCharsets.US_ASCII);
    return new ForeignWork(driver, cuda.load(image));
  }

  /** Adds one array to another of the same device and length, neither of them empty. */
  void add(ModelArray to, ModelArray from) {
    add.launch(
        Launch.over(to.length()),
        Access.readWrite(to.array()),
        Access.read(from.array()),
        KernelArg.int32(to.length()));
    for (int i = 0; i < to.length(); i++) {
      to.set(i, to.get(i) + from.get(i));
    }
  }

  /**
   * Copies a part of an array to another array of its device, then fills that part.
   *
   * @param between what is done to the stream in the middle
   */
  void copyThenFill(
      ModelArray to,
      ModelArray from,
      int length,
      int value,
      CuStream stream,
      Consumer<CuStream> between) {
    try (CuLease lease = stream.lease(Access.write(to.array()), Access.readWrite(from.array()))) {
      long source = lease.pointer(from.array());
      long bytes = (long) length * Integer.BYTES;
      ok(driver.memcpyDtoDAsync(lease.pointer(to.array()), source, bytes, lease.stream()));
      between.accept(stream);
      ok(driver.memsetD32Async(source, value, length, lease.stream()));
    }
    for (int i = 0; i < length; i++) {
      to.set(i, from.get(i));
      from.set(i, value);
    }
  }

  private static void ok(int status) {
    assertThat(CudaError.name(status)).isEqualTo("CUDA_SUCCESS");
  }

  @Override
  public void close() {
    module.close();
  }
}
