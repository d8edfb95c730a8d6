package org.cuarray.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.COMPLEX128;
import static org.cuarray.DType.INT32;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.cuarray.Access;
import org.cuarray.AllocatorKind;
import org.cuarray.Complex128;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuLease;
import org.cuarray.CuStream;
import org.cuarray.HostArray;

/** The operations of the library, each with what it needs and what it leaves. */
final class Operations {
  /** Of more elements than two staging slots take. */
  private static final int LARGE = 5000;

  private static final int SMALL = 500;

  /** An operation and its name. */
  record Named(String name, Consumer<FaultCase> preparation) {
    @Override
    public String toString() {
      return name;
    }
  }

  private final AllocatorKind kind;
  private final List<Named> all = new ArrayList<>();

  private Operations(AllocatorKind kind) {
    this.kind = kind;
  }

  /** All that concern one device and the host. */
  static List<Named> onOneDevice(AllocatorKind kind) {
    Operations operations = new Operations(kind);
    operations.allocations();
    operations.values(SMALL);
    operations.values(LARGE);
    operations.withinADevice();
    operations.hostArrays();
    operations.orders();
    OtherOperations.addTo(operations);
    return operations.all;
  }

  /** Copies from one device to another. */
  static List<Named> betweenDevices(AllocatorKind source, AllocatorKind destination) {
    Operations operations = new Operations(source);
    operations.between(SMALL, destination);
    operations.between(LARGE, destination);
    return operations.all;
  }

  void add(String name, Consumer<FaultCase> preparation) {
    all.add(new Named("%s, %s memory".formatted(name, kind), preparation));
  }

  static int[] numbers(int length, int seed) {
    int[] numbers = new int[length];
    Arrays.setAll(numbers, i -> seed * 1_000_003 + i);
    return numbers;
  }

  CuDevice device(FaultCase test, int ordinal) {
    return test.cuda.device(ordinal).using(kind);
  }

  CuArray<Integer> source(FaultCase test, int length) {
    int[] numbers = numbers(length, 1);
    return test.source(device(test, 0).array(INT32, numbers), numbers);
  }

  CuArray<Integer> destination(FaultCase test, int length) {
    return test.keep(device(test, 0).zeros(INT32, length));
  }

  static void holds(CuArray<Integer> array, int... numbers) {
    assertThat(array.toArray(INT32)).isEqualTo(numbers);
  }

  private void makes(String name, int[] numbers, Function<CuDevice, CuArray<Integer>> factory) {
    add(
        name,
        test -> {
          CuDevice device = device(test, 0);
          List<CuArray<Integer>> made = new ArrayList<>();
          test.operation = () -> made.add(test.keep(factory.apply(device)));
          test.result = () -> holds(made.get(made.size() - 1), numbers);
        });
  }

  private void allocations() {
    add(
        "empty",
        test -> {
          CuDevice device = device(test, 0);
          test.operation = () -> device.empty(INT32, LARGE).close();
        });
    makes("zeros", new int[SMALL], device -> device.zeros(INT32, SMALL));
    makes(
        "full of complex numbers",
        new int[] {0, 0x3FF00000, 0, 0x40000000, 0, 0x3FF00000, 0, 0x40000000},
        device -> {
          try (CuArray<Complex128> full = device.full(COMPLEX128, new Complex128(1, 2), 2)) {
            return full.view(INT32).retain();
          }
        });
    makes("array, small", numbers(SMALL, 2), device -> device.array(INT32, numbers(SMALL, 2)));
    makes("array, large", numbers(LARGE, 2), device -> device.array(INT32, numbers(LARGE, 2)));
    add(
        "close after uses",
        test -> {
          CuArray<Integer> source = source(test, SMALL);
          test.operation =
              () -> {
                try (CuArray<Integer> used = device(test, 0).zeros(INT32, SMALL)) {
                  source.copyTo(used);
                }
              };
        });
  }

  private void values(int length) {
    add(
        "copyFrom of " + length + " elements",
        test -> {
          CuArray<Integer> array = destination(test, length);
          test.operation = () -> array.copyFrom(INT32, numbers(length, 3));
          test.result = () -> holds(array, numbers(length, 3));
        });
    add(
        "toArray of " + length + " elements",
        test -> {
          CuArray<Integer> array = source(test, length);
          test.operation = () -> holds(array, numbers(length, 1));
        });
    add(
        "fill of " + length + " elements",
        test -> {
          CuArray<Integer> array = destination(test, length);
          test.operation = () -> array.fill(7);
          test.result = () -> assertThat(array.toArray(INT32)).containsOnly(7);
        });
    add(
        "set and get in " + length + " elements",
        test -> {
          CuArray<Integer> array = destination(test, length);
          test.operation =
              () -> {
                array.set(9, length - 1);
                assertThat(array.get(length - 1)).isEqualTo(9);
              };
        });
  }

  private void withinADevice() {
    add(
        "copyTo on the device",
        test -> {
          CuArray<Integer> from = source(test, LARGE);
          CuArray<Integer> to = destination(test, LARGE);
          test.operation = () -> from.copyTo(to);
          test.result = () -> holds(to, numbers(LARGE, 1));
        });
    add(
        "copyTo of overlapping slices",
        test -> {
          CuArray<Integer> array = destination(test, LARGE);
          test.operation =
              () -> {
                array.copyFrom(INT32, numbers(LARGE, 4));
                array.slice(0, LARGE - 1).copyTo(array.slice(1, LARGE));
              };
          test.result =
              () -> {
                int[] shifted = numbers(LARGE, 4);
                System.arraycopy(shifted, 0, shifted, 1, LARGE - 1);
                holds(array, shifted);
              };
        });
  }

  private void hostArrays() {
    add(
        "hostArray",
        test -> test.operation = () -> device(test, 0).hostArray(INT32, SMALL).close());
    add(
        "copyTo a host array",
        test -> {
          CuArray<Integer> from = source(test, LARGE);
          HostArray<Integer> to = test.keep(device(test, 0).hostArray(INT32, LARGE));
          test.operation = () -> from.copyTo(to);
          test.result = () -> assertThat(to.toArray(INT32)).isEqualTo(numbers(LARGE, 1));
        });
    add(
        "copyFrom a host array",
        test -> {
          HostArray<Integer> from = device(test, 0).hostArray(INT32, LARGE);
          from.copyFrom(INT32, numbers(LARGE, 5));
          test.source(from, numbers(LARGE, 5));
          CuArray<Integer> to = destination(test, LARGE);
          test.operation = () -> to.copyFrom(from);
          test.result = () -> holds(to, numbers(LARGE, 5));
        });
    add(
        "the host's access to a host array in use",
        test -> {
          CuArray<Integer> from = source(test, LARGE);
          HostArray<Integer> to = test.keep(device(test, 0).hostArray(INT32, LARGE));
          test.operation =
              () -> {
                from.copyTo(to);
                assertThat(to.get(1)).isEqualTo(numbers(LARGE, 1)[1]);
                to.set(6, 0);
                assertThat(to.toArray(INT32)).startsWith(6);
              };
        });
    add(
        "close of a host array in use",
        test -> {
          CuArray<Integer> from = source(test, LARGE);
          test.operation =
              () -> {
                try (HostArray<Integer> to = device(test, 0).hostArray(INT32, LARGE)) {
                  from.copyTo(to);
                }
              };
        });
  }

  private void orders() {
    add(
        "synchronize",
        test -> {
          CuArray<Integer> from = source(test, LARGE);
          CuArray<Integer> to = destination(test, LARGE);
          test.operation =
              () -> {
                from.copyTo(to);
                to.synchronize();
                test.cuda.synchronize();
              };
          test.result = () -> holds(to, numbers(LARGE, 1));
        });
    add(
        "lease",
        test -> {
          CuArray<Integer> from = source(test, SMALL);
          CuArray<Integer> to = destination(test, SMALL);
          test.operation =
              () -> {
                to.fill(1);
                try (CuStream stream = device(test, 0).stream();
                    CuLease lease = stream.lease(Access.read(from), Access.write(to))) {
                  assertThat(lease.pointer(to)).isNotZero();
                }
                from.copyTo(to);
              };
          test.result = () -> holds(to, numbers(SMALL, 1));
        });
  }

  private void between(int length, AllocatorKind destination) {
    add(
        "copyTo of %d elements into %s memory".formatted(length, destination),
        test -> {
          CuArray<Integer> from = source(test, length);
          CuArray<Integer> to =
              test.keep(test.cuda.device(1).using(destination).zeros(INT32, length));
          test.operation = () -> from.copyTo(to);
          test.result = () -> holds(to, numbers(length, 1));
        });
    add(
        "to(device) of %d elements into %s memory".formatted(length, destination),
        test -> {
          CuArray<Integer> from = source(test, length);
          CuDevice device = test.cuda.device(1).using(destination);
          List<CuArray<Integer>> made = new ArrayList<>();
          test.operation = () -> made.add(test.keep(from.to(device)));
          test.result = () -> holds(made.get(made.size() - 1), numbers(length, 1));
        });
  }
}
