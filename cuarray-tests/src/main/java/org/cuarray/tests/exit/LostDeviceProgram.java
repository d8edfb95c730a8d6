package org.cuarray.tests.exit;

import static org.cuarray.Access.readWrite;
import static org.cuarray.DType.INT32;
import static org.cuarray.KernelArg.int64;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.HostArray;
import org.cuarray.Launch;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.javacpp.JavaCppDriver;
import org.cuarray.driver.simulated.SimulatedDriver;

/**
 * A program that loses device 0 to a kernel that writes where there is no memory, and prints, a
 * line each, what still works: {@code LostDeviceProgram MACHINE}. It ends by returning.
 */
final class LostDeviceProgram {
  static final String OK = "ok";

  private static final int SIZE = 1 << 20;

  private static final String SOURCE =
      """
      extern "C" __global__ void poke(int *x, long long offset) {
        *(int *) ((char *) x + offset) = 1;
      }
      """;

  /** Past everything that is mapped. */
  private static final long FAR_AWAY = 1L << 44;

  private final CudaDriver driver;
  private final CuRuntime cuda;
  private final CuKernel poke;

  private LostDeviceProgram(CudaDriver driver, CuRuntime cuda, CuKernel poke) {
    this.driver = driver;
    this.cuda = cuda;
    this.poke = poke;
  }

  /**
   * Runs it.
   *
   * @param arguments {@code cuda} or {@code simulated}
   */
  public static void main(String... arguments) {
    if (arguments[0].equals("cuda")) {
      run(JavaCppDriver.instance(), ordinal -> {});
    } else {
      SimulatedDriver machine = simulated();
      run(machine, machine::loseDevice);
    }
  }

  private static SimulatedDriver simulated() {
    return SimulatedDriver.builder()
        .devices(2)
        .kernel(
            "poke",
            run -> {
              long x = run.nextLong();
              long offset = run.nextLong();
              if (offset < FAR_AWAY) {
                run.putInt(x + offset, 1);
              }
            })
        .build();
  }

  private static void run(CudaDriver driver, IntConsumer helpToLose) {
    CuRuntime cuda = CuRuntime.open(driver);
    CuModule module = cuda.compile(SOURCE);
    new LostDeviceProgram(driver, cuda, module.kernel("poke")).loseAndLook(module, helpToLose);
  }

  private void loseAndLook(CuModule module, IntConsumer helpToLose) {
    CuDevice lost = cuda.device(0);
    CuArray<Integer> pooled = lost.zeros(INT32, SIZE);
    CuArray<Integer> classic = lost.using(AllocatorKind.CLASSIC).zeros(INT32, SIZE);
    HostArray<Integer> pinned = lost.hostArray(INT32, SIZE);
    CuStream stream = lost.stream();
    poke.launch(Launch.of(1, 1), readWrite(pooled), int64(0));
    pooled.copyTo(pinned);
    expect(1, pinned.get(0));
    Others others = cuda.devices().size() > 1 ? new Others() : null;
    if (others != null) {
      others.copyFrom(pooled);
      others.copyTo(classic);
    }
    cuda.synchronize();

    helpToLose.accept(0);
    print("launch", () -> poke.launch(Launch.of(1, 1), readWrite(pooled), int64(FAR_AWAY)));
    print("error", pooled::synchronize);
    print("again", pooled::synchronize);
    print("download", () -> pooled.toArray(INT32));
    print("upload", () -> classic.copyFrom(INT32, new int[SIZE]));
    print("allocate", () -> lost.zeros(INT32, SIZE));
    print("its pinned memory", () -> expect(1, pinned.get(0)));
    if (others != null) {
      others.look(pooled);
    }
    long start = System.nanoTime();
    print("close pool memory", pooled::close);
    print("close classic memory", classic::close);
    print("close pinned memory", pinned::close);
    print("close a stream", stream::close);
    print("close a module", module::close);
    print("close the runtime", cuda::close);
    System.out.println("seconds to close: " + (System.nanoTime() - start) / 1e9);
    System.out.println(ChildJvm.READY);
  }

  private static void expect(int value, int found) {
    if (value != found) {
      throw new IllegalStateException("WRONG VALUE " + found + " for " + value);
    }
  }

  private static void print(String name, Runnable call) {
    try {
      call.run();
      System.out.println(name + ": " + OK);
    } catch (RuntimeException e) {
      String cause = e.getCause() == null ? "" : " <- " + e.getCause();
      System.out.println(name + ": " + e + cause);
    }
  }

  /** What lives on the last device, before and after the loss of the first. */
  private final class Others {
    private final CuDevice device = cuda.device(cuda.devices().size() - 1);
    private final CuArray<Integer> pooled = device.full(INT32, (Integer) 7, SIZE);
    private final CuArray<Integer> classic =
        device.using(AllocatorKind.CLASSIC).full(INT32, (Integer) 8, SIZE);
    private final CuArray<Integer> received = device.zeros(INT32, SIZE);
    private final HostArray<Integer> pinned = device.hostArray(INT32, SIZE);

    Others() {
      poke.launch(Launch.of(1, 1), readWrite(classic), int64(0));
    }

    void copyFrom(CuArray<Integer> array) {
      array.copyTo(received);
    }

    void copyTo(CuArray<Integer> array) {
      pooled.copyTo(array);
    }

    void look(CuArray<Integer> ofLost) {
      print("other device: download", () -> expect(7, pooled.toArray(INT32)[SIZE - 1]));
      print("other device: download classic", () -> expect(8, classic.toArray(INT32)[SIZE - 1]));
      print("other device: received before", () -> expect(1, received.get(0)));
      print("other device: fill", () -> pooled.fill((Integer) 9));
      print("other device: copy within", () -> pooled.copyTo(classic));
      print("other device: the copy's bytes", () -> expect(9, classic.get(5)));
      print("other device: upload", () -> pooled.copyFrom(INT32, filled(10)));
      print("other device: to pinned", () -> pooled.copyTo(pinned));
      print("other device: pinned bytes", () -> expect(10, pinned.get(SIZE - 1)));
      print("other device: allocate", () -> allocate(AllocatorKind.STREAM_ORDERED, device));
      print("other device: allocate classic", () -> allocate(AllocatorKind.CLASSIC, device));
      print("other device: pin", () -> device.hostArray(INT32, SIZE).close());
      print(
          "other device: launch",
          () -> {
            poke.launch(Launch.of(1, 1), readWrite(pooled), int64(4));
            expect(1, pooled.get(1));
          });
      print("other device: a new runtime", this::openAnother);
      print("copy to the lost device", () -> pooled.copyTo(ofLost));
      print("copy from the lost device", () -> ofLost.copyTo(received));
      print("synchronize everything", cuda::synchronize);
      print("other device: afterwards", () -> expect(10, pooled.get(SIZE - 1)));
      print("other device: close", this::close);
    }

    private void openAnother() {
      try (CuRuntime another = CuRuntime.open(driver)) {
        allocate(AllocatorKind.STREAM_ORDERED, another.device(device.ordinal()));
      }
    }

    private void allocate(AllocatorKind kind, CuDevice where) {
      try (CuArray<Integer> array = where.using(kind).full(INT32, (Integer) 11, SIZE)) {
        expect(11, array.get(SIZE - 1));
      }
    }

    private static int[] filled(int value) {
      int[] values = new int[SIZE];
      Arrays.fill(values, value);
      return values;
    }

    private void close() {
      pooled.close();
      classic.close();
      received.close();
      pinned.close();
    }
  }
}
