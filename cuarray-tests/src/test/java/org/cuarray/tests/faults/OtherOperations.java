package org.cuarray.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.INT32;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.cuarray.Access;
import org.cuarray.CuArray;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuStream;
import org.cuarray.KernelArg;
import org.cuarray.Launch;
import org.cuarray.driver.simulated.SimulatedDriver;

/** Operations on memory of others, owners, streams and modules, and questions to the machine. */
final class OtherOperations {
  private static final int LENGTH = 500;
  private static final String KERNEL = "put";
  private static final byte[] IMAGE =
      ".version 9.0\n.target sm_90\n".getBytes(StandardCharsets.US_ASCII);

  private final Operations operations;

  private OtherOperations(Operations operations) {
    this.operations = operations;
  }

  /** Gives a machine the kernel that is launched. */
  static SimulatedDriver.Builder withKernel(SimulatedDriver.Builder machine) {
    return machine.kernel(KERNEL, List.of(8, 4), run -> run.putInt(run.nextLong(), run.nextInt()));
  }

  static void addTo(Operations operations) {
    OtherOperations others = new OtherOperations(operations);
    others.foreignMemory();
    others.owners();
    others.streams();
    others.kernels();
    others.questions();
  }

  private void foreignMemory() {
    operations.add(
        "wrap with a release",
        test -> {
          long pointer = test.foreign(operations.device(test, 0), 4L * LENGTH);
          AtomicInteger made = new AtomicInteger();
          AtomicInteger released = new AtomicInteger();
          test.operation =
              () -> {
                try (CuArray<Integer> wrapped =
                    operations
                        .device(test, 0)
                        .wrap(INT32, pointer, released::incrementAndGet, LENGTH)) {
                  made.incrementAndGet();
                  wrapped.fill(8);
                  assertThat(wrapped.toArray(INT32)).containsOnly(8);
                }
              };
          test.end = () -> assertThat(released).as("releases").hasValue(made.get());
        });
    operations.add(
        "resolve memory of others",
        test -> {
          long pointer = test.foreign(operations.device(test, 0), 4L * LENGTH);
          test.operation =
              () ->
                  assertThat(test.cuda.registry().resolve(pointer + 4).device())
                      .isEqualTo(test.cuda.device(0));
        });
  }

  private void owners() {
    operations.add(
        "retain, and close of the first owner",
        test ->
            test.operation =
                () -> {
                  CuArray<Integer> first =
                      operations.device(test, 0).array(INT32, Operations.numbers(LENGTH, 1));
                  try (CuArray<Integer> second = retained(first)) {
                    Operations.holds(second, Operations.numbers(LENGTH, 1));
                  }
                });
  }

  private static CuArray<Integer> retained(CuArray<Integer> first) {
    try (first) {
      return first.retain();
    }
  }

  private void streams() {
    operations.add(
        "a stream made, synchronised and closed",
        test ->
            test.operation =
                () -> {
                  try (CuStream stream = operations.device(test, 0).stream("urgent", -1)) {
                    stream.synchronize();
                  }
                });
    operations.add(
        "callInContext",
        test -> {
          long[] context = new long[1];
          test.operation =
              () -> {
                int status =
                    operations
                        .device(test, 0)
                        .callInContext(() -> test.machine.ctxGetCurrent(context));
                assertThat(status).isZero();
                assertThat(context[0])
                    .isEqualTo(test.cuda.registry().contextOf(test.cuda.device(0)));
              };
        });
  }

  private void kernels() {
    operations.add(
        "a module loaded, launched from and closed",
        test -> {
          CuArray<Integer> array = operations.destination(test, LENGTH);
          test.operation =
              () -> {
                try (CuModule module = test.cuda.load(IMAGE)) {
                  put(module.kernel(KERNEL), array);
                }
              };
          test.result = () -> assertThat(array.get(0)).isEqualTo(6);
        });
    operations.add(
        "a launch on a stream after a copy",
        test -> {
          CuArray<Integer> source = operations.source(test, LENGTH);
          CuArray<Integer> array = operations.destination(test, LENGTH);
          CuKernel kernel = test.keep(test.cuda.load(IMAGE)).kernel(KERNEL);
          CuStream stream = test.keep(operations.device(test, 0).stream());
          test.operation =
              () -> {
                source.copyTo(array);
                kernel.launch(stream, Launch.over(1), Access.readWrite(array), KernelArg.int32(6));
              };
          int[] expected = Operations.numbers(LENGTH, 1);
          expected[0] = 6;
          test.result = () -> Operations.holds(array, expected);
        });
  }

  private static void put(CuKernel kernel, CuArray<Integer> array) {
    kernel.launch(Launch.over(1), Access.write(array), KernelArg.int32(6));
  }

  private void questions() {
    operations.add(
        "memoryUsage",
        test -> {
          CuArray<Integer> array = operations.source(test, LENGTH);
          test.operation =
              () ->
                  assertThat(operations.device(test, 0).memoryUsage().used())
                      .isEqualTo(array.byteSize());
        });
  }
}
