package org.cuarray.tests.kernel;

import static org.cuarray.DType.FLOAT32;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.simulated.KernelBody;
import org.cuarray.driver.simulated.SimulatedDriver;

/** A simulated machine that knows a few kernels, a runtime on it, and what the driver was asked. */
final class KernelMachine implements AutoCloseable {
  /** y += a * x. */
  static final KernelBody SAXPY =
      run -> {
        float a = run.nextFloat();
        long x = run.nextLong();
        long y = run.nextLong();
        long n = run.nextLong();
        for (long i = 0; i < Math.min(n, run.threads()); i++) {
          run.putFloat(
              y + Float.BYTES * i,
              a * run.getFloat(x + Float.BYTES * i) + run.getFloat(y + Float.BYTES * i));
        }
      };

  static final List<Integer> SAXPY_PARAMETERS = List.of(4, 8, 8, 8);

  /** Adds one to each element. */
  static final KernelBody INCREMENT =
      run -> {
        long x = run.nextLong();
        for (long i = 0; i < run.threads(); i++) {
          run.putFloat(x + Float.BYTES * i, run.getFloat(x + Float.BYTES * i) + 1);
        }
      };

  static final byte[] PTX = ".version 9.0\n.target sm_90\n".getBytes(StandardCharsets.US_ASCII);

  final SimulatedDriver simulated;
  final RecordingDriver recording;
  final CuRuntime cuda;
  private final List<CuModule> modules = new ArrayList<>();

  KernelMachine() {
    this(
        SimulatedDriver.builder()
            .devices(2)
            .kernel("saxpy", SAXPY_PARAMETERS, SAXPY)
            .kernel("increment", List.of(8), INCREMENT)
            .kernel("undeclared", INCREMENT)
            .build());
  }

  KernelMachine(SimulatedDriver machine) {
    simulated = machine;
    recording = new RecordingDriver(machine);
    cuda = CuRuntime.open(recording.driver());
  }

  CuDevice gpu(int ordinal) {
    return cuda.device(ordinal);
  }

  CuArray<Float> array(int ordinal, float... elements) {
    return gpu(ordinal).array(FLOAT32, elements);
  }

  /** A kernel of a module of its own, which is closed with the machine. */
  CuKernel kernel(String name) {
    CuModule module = cuda.load(PTX);
    modules.add(module);
    return module.kernel(name);
  }

  /** The names of the calls that were made since the last clear, of these kinds, in order. */
  List<String> calls(String... names) {
    return recording.calls(names).stream().map(RecordingDriver.Call::name).toList();
  }

  @Override
  public void close() {
    modules.forEach(CuModule::close);
    cuda.close();
  }
}
