package org.cuarray.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cuarray.DType.COMPLEX64;
import static org.cuarray.DType.FLOAT16;
import static org.cuarray.DType.FLOAT32;
import static org.cuarray.DType.FLOAT64;
import static org.cuarray.DType.INT32;
import static org.cuarray.DType.INT8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cuarray.Access;
import org.cuarray.AllocatorKind;
import org.cuarray.Complex64;
import org.cuarray.CopyPlan;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuClosedException;
import org.cuarray.CuDevice;
import org.cuarray.CuLease;
import org.cuarray.CuOutOfMemoryException;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.cuarray.CuStream;
import org.cuarray.DType;
import org.cuarray.DeviceMemory;
import org.cuarray.Float16;
import org.cuarray.HostArray;
import org.cuarray.LeakReports;
import org.cuarray.LinkState;
import org.cuarray.MemoryKind;
import org.cuarray.PeerLink;
import org.cuarray.PeerPolicy;
import org.cuarray.PointerInfo;
import org.cuarray.VerifyMode;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of the guide and the README, in their order; {@link DocumentsTest} compares. */
class GuideExamplesTest {
  private static final String PROPERTY = "cuarray.driver";
  private static final CudaDriver DRIVER = SimulatedDriver.of(Preset.NVLINK, 2);
  private static String before;

  private final PrintStream console = System.out;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private CuRuntime cuda;
  private CuDevice gpu0;
  private CuDevice gpu1;
  private CuArray<Float> a;
  private CuArray<Float> b;

  @BeforeAll
  static void nameADriver() {
    before = System.getProperty(PROPERTY);
    System.setProperty(PROPERTY, "simulated:nvlink");
  }

  @AfterAll
  static void restore() {
    if (before == null) {
      System.clearProperty(PROPERTY);
    } else {
      System.setProperty(PROPERTY, before);
    }
  }

  @BeforeEach
  void open() {
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    // The examples leave closing to the runtime, which would otherwise report each array.
    cuda = CuRuntime.builder().driver(DRIVER).leakReports(LeakReports.OFF).open();
    gpu0 = cuda.device(0);
    gpu1 = cuda.device(1);
    float[] some = new float[1024];
    some[0] = 1;
    a = gpu0.array(FLOAT32, some);
    b = gpu1.zeros(FLOAT32, 1024);
  }

  @AfterEach
  void close() {
    System.setOut(console);
    cuda.close();
  }

  @Test
  void devices() {
    try (CuRuntime cuda = CuRuntime.open()) {
      for (CuDevice device : cuda.devices()) {
        System.out.println(device + ": " + device.name() + ", " + device.uuid());
      }
    }

    assertThat(output().lines()).hasSize(4).allMatch(line -> line.contains("GPU-"));
  }

  @Test
  void unavailable() {
    Optional<String> reason = CuRuntime.unavailableReason();
    if (reason.isPresent()) {
      System.err.println("going on without a GPU: " + reason.get());
    }

    assertThat(reason).isEmpty();
  }

  @Test
  void options() {
    CuRuntime cuda =
        CuRuntime.builder()
            .defaultAllocator(AllocatorKind.CLASSIC) // else stream-ordered if there are pools
            .poolLimit(8L << 30) // bytes of live arrays per device
            .peerPolicy(PeerPolicy.AUTO)
            .verify(VerifyMode.OFF)
            .staging(8 << 20, 4) // pinned chunks for copies through the host: bytes, how many
            .leakReports(LeakReports.EVERY_ALLOCATION)
            .open();

    try (cuda;
        CuArray<Byte> array = cuda.device(0).zeros(INT8, 4)) {
      assertThat(array.allocator()).isEqualTo(AllocatorKind.CLASSIC);
      assertThatThrownBy(() -> cuda.device(0).empty(INT8, (8L << 30) + 1))
          .isInstanceOf(CuOutOfMemoryException.class);
    }
  }

  @Test
  void elementTypes() {
    CuArray<Integer> whole = gpu0.array(INT32, new int[] {1, 2, 3});
    CuArray<Float16> halves = gpu0.array(FLOAT16, Float16.pack(0.5f, 1.5f));
    CuArray<Complex64> complex = gpu0.full(COMPLEX64, new Complex64(1, -1), 8);

    int[] numbers = whole.toArray(INT32);
    float[] widened = Float16.unpack(halves.toArray(FLOAT16));
    float[] parts = complex.toArray(COMPLEX64); // 16 floats: 1, -1, 1, -1, …

    assertThat(numbers).containsExactly(1, 2, 3);
    assertThat(widened).containsExactly(0.5f, 1.5f);
    assertThat(parts).hasSize(16).startsWith(1, -1, 1);

    CuArray<?> unknown = whole;
    if (unknown.dtype().kind() == DType.Kind.INT32) {
      CuArray<Integer> known = unknown.typed(INT32);
      known.fill(7);
    }

    assertThat(whole.toArray(INT32)).containsExactly(7, 7, 7);
    assertThatThrownBy(() -> unknown.typed(FLOAT32)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shapes() {
    CuArray<Double> matrix = gpu0.zeros(FLOAT64, 3, 4);
    long[] shape = matrix.shape(); // 3, 4
    long[] strides = matrix.strides(); // 4, 1: in elements, not bytes
    CuArray<Double> other = matrix.reshape(2, -1); // the same elements as 2 × 6: a view
    CuArray<Double> scalar = gpu0.full(FLOAT64, 2.5);

    assertThat(shape).containsExactly(3, 4);
    assertThat(strides).containsExactly(4, 1);
    assertThat(other.shape()).containsExactly(2, 6);
    assertThat(scalar.size()).isEqualTo(1);
  }

  @Test
  void making() {
    CuArray<Float> undefined = gpu0.empty(FLOAT32, 1024); // whatever the memory holds
    CuArray<Float> zeros = gpu0.zeros(FLOAT32, 32, 32);
    CuArray<Float> ones = gpu0.full(FLOAT32, 1f, 32, 32);
    CuArray<Float> given = gpu0.array(FLOAT32, new float[] {1, 2, 3, 4}, 2, 2);

    ByteBuffer bytes = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
    CuArray<Integer> fromBuffer = gpu0.array(INT32, bytes);

    assertThat(undefined.size()).isEqualTo(zeros.size()).isEqualTo(ones.size());
    assertThat(given.get(1, 0)).isEqualTo(3f);
    assertThat(fromBuffer.size()).isEqualTo(4);
    assertThat(bytes.position()).isZero();
  }

  @Test
  void copying() {
    a.copyTo(b); // to an array on the same or another device, of the same dtype and shape
    CuArray<Float> copy = a.to(gpu1); // a new array there

    float[] host = b.toArray(FLOAT32); // a new Java array
    b.copyTo(FLOAT32, host); // into one that exists
    b.copyFrom(FLOAT32, host); // and back

    assertThat(copy.toArray(FLOAT32)).startsWith(1, 0).isEqualTo(host);
  }

  @Test
  void halo() {
    long rows = 4;
    long columns = 16;
    // Each device has its rows and one row of its neighbour's on either side.
    CuArray<Float> upper = gpu0.zeros(FLOAT32, rows + 2, columns);
    CuArray<Float> lower = gpu1.zeros(FLOAT32, rows + 2, columns);

    upper.slice(rows, rows + 1).copyTo(lower.slice(0, 1));
    lower.slice(1, 2).copyTo(upper.slice(rows + 1, rows + 2));

    upper.slice(rows, rows + 1).fill(4f);
    upper.slice(rows, rows + 1).copyTo(lower.slice(0, 1));
    assertThat(lower.get(0, 3)).isEqualTo(4f);
    assertThat(lower.get(1, 3)).isZero();
  }

  @Test
  void elements() {
    CuArray<Double> matrix = gpu0.zeros(FLOAT64, 3, 4);

    matrix.set(2.5, 0, 1); // asynchronous, like a copy
    double value = matrix.get(0, 1); // waits for it
    matrix.fill(0.0); // all elements, on the device
    matrix.fill(3); // any number that the dtype can hold; others are refused

    assertThat(value).isEqualTo(2.5);
    assertThat(matrix.getLong(2, 3)).isEqualTo(3);
  }

  @Test
  void owners() {
    CuArray<Float> owner = gpu0.zeros(FLOAT32, 8);
    CuArray<Float> half = owner.slice(0, 4); // a view
    CuArray<Float> second = owner.retain(); // another owner of the same bytes

    owner.close(); // ends owner and half; the memory stays while second is open
    second.fill(1f);
    second.close();

    assertThatThrownBy(() -> half.get(0)).isInstanceOf(CuClosedException.class);
  }

  @Test
  void scopes() {
    try (CuScope scope = cuda.scope()) {
      List<CuArray<Float>> parts = new ArrayList<>();
      for (CuDevice device : cuda.devices()) {
        parts.add(scope.keep(device.full(FLOAT32, 1f, 1024)));
      }
      parts.get(0).copyTo(parts.get(1));
    }

    assertThat(gpu1.memoryUsage().used()).isEqualTo(b.byteSize());
  }

  @Test
  void hostArrays() {
    float[] data = new float[1024];
    data[1023] = 5;

    try (HostArray<Float> pinned = gpu0.hostArray(FLOAT32, 1024)) {
      pinned.copyFrom(FLOAT32, data);
      a.copyFrom(pinned); // asynchronous
      a.copyTo(b);
      b.copyTo(pinned); // asynchronous; comes after the read above
      float[] result = pinned.toArray(FLOAT32); // waits for the copy
      System.out.println(result.length);
    }

    assertThat(b.toArray(FLOAT32)).isEqualTo(data);
  }

  @Test
  void allocators() {
    CuDevice classic = gpu0.using(AllocatorKind.CLASSIC); // equal to gpu0
    CuArray<Float> array = classic.zeros(FLOAT32, 1024);
    DeviceMemory usage = gpu0.memoryUsage(); // used, reserved, free and total bytes

    assertThat(classic).isEqualTo(gpu0);
    assertThat(array.allocator()).isEqualTo(AllocatorKind.CLASSIC);
    assertThat(usage.used()).isEqualTo(2 * 4096);
  }

  @Test
  void plans() {
    CopyPlan plan = a.planCopyTo(b);
    CopyStrategy strategy = plan.strategy();
    System.out.println(plan); // …, PEER: peer link cuda:0 → cuda:1, proved (pool → pool) …

    assertThat(strategy).isEqualTo(CopyStrategy.PEER);
    assertThat(plan.toString()).contains("PEER: peer link cuda:0 → cuda:1, proved (pool → pool)");
  }

  @Test
  void links() {
    a.copyTo(b);

    PeerLink link = cuda.topology().link(gpu0, gpu1);
    LinkState state = link.state();
    String why = link.reason();
    Map<String, LinkState> byMemory = cuda.topology().linkByMemory(gpu0, gpu1); // "pool → pool", …

    assertThat(state).isIn(LinkState.PROVED, LinkState.SLOW);
    assertThat(why).startsWith("proved (pool → pool)");
    assertThat(byMemory).containsOnlyKeys("pool → pool");
  }

  @Test
  void verifying() {
    CuRuntime careful = CuRuntime.builder().verify(VerifyMode.EVERY_COPY).open();

    careful.close();
  }

  @Test
  void pointers() throws InterruptedException {
    long[] allocated = new long[1];
    assertThat(gpu0.<Integer>callInContext(() -> DRIVER.memAlloc(allocated, 1024))).isZero();
    long pointer = allocated[0];
    returned = new CountDownLatch(1);

    PointerInfo info = cuda.registry().resolve(pointer);
    CuDevice where = info.device();
    long context = info.context(); // never 0, also for pool memory
    MemoryKind kind = info.memoryKind();

    assertThat(where).isEqualTo(gpu0);
    assertThat(context).isNotZero();
    assertThat(kind).isEqualTo(MemoryKind.CLASSIC);
    assertThat(cuda.registry().resolve(a.pointer()).context()).isNotZero();

    CuArray<Float> theirs = gpu0.wrap(FLOAT32, pointer, 256); // never freed by closing it
    CuArray<Float> lent = gpu0.wrap(FLOAT32, pointer, () -> giveBack(pointer), 256);

    theirs.fill(2f);
    assertThat(lent.get(255)).isEqualTo(2f);
    theirs.close();
    assertThat(returned.getCount()).isEqualTo(1);
    lent.close();
    assertThat(returned.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(DRIVER.memFree(pointer)).isZero();
  }

  private CountDownLatch returned;

  private void giveBack(long pointer) {
    assertThat(pointer).isNotZero();
    returned.countDown();
  }

  /** A library that computes on streams. */
  private interface Theirs {
    void scale(long from, long to, long stream);
  }

  @Test
  void leases() {
    CuArray<Float> c = gpu0.zeros(FLOAT32, 1024);
    Theirs theirs =
        (from, to, stream) -> assertThat(DRIVER.memcpyDtoDAsync(to, from, 4096, stream)).isZero();

    try (CuStream stream = gpu0.stream();
        CuLease lease = stream.lease(Access.read(a), Access.write(c))) {
      theirs.scale(lease.pointer(a), lease.pointer(c), lease.stream());
    }
    c.copyTo(b); // comes after the scaling

    assertThat(b.get(0)).isEqualTo(1f);
  }

  @Test
  void simulatedMachine() {
    SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK, 2);
    try (CuRuntime cuda = CuRuntime.open(machine)) {
      CuDevice first = cuda.device(0), last = cuda.device(1);
      try (CuArray<Integer> a = first.array(INT32, new int[] {1, 2, 3});
          CuArray<Integer> b = a.to(last)) {
        assertThat(b.toArray(INT32)).containsExactly(1, 2, 3);
      }
    }
    assertThat(machine.findings()).isEmpty(); // no use after free, no leak
  }

  @Test
  void faults() {
    SimulatedDriver machine =
        SimulatedDriver.builder()
            .preset(Preset.PCIE)
            .memoryPerDevice(1L << 30)
            .fail("cuMemAlloc", 3, CudaError.OUT_OF_MEMORY) // the third call of that name
            .denyPinned()
            .build();
    machine.loseDevice(1);

    try (CuRuntime cuda = CuRuntime.open(machine)) {
      assertThatThrownBy(() -> cuda.device(1).zeros(INT8, 1)).isInstanceOf(RuntimeException.class);
    }
  }

  @Test
  void recordings() {
    RecordingDriver recording = new RecordingDriver(SimulatedDriver.of(Preset.PCIE, 2));
    try (CuRuntime cuda = CuRuntime.open(recording.driver())) {
      CuArray<Byte> a = cuda.device(0).zeros(INT8, 100);
      a.to(cuda.device(1)).close();
      a.close();
    }
    assertThat(recording.calls("cuMemcpyPeerAsync")).isEmpty();
    assertThat(recording.calls("cuMemcpyDtoHAsync")).hasSize(1);
  }

  @Test
  void theFirstExample() {
    Main.main(new String[0]);

    assertThat(output())
        .startsWith("[1.0, 2.0, 3.0, 4.0]\n")
        .contains("cuda:0 → cuda:1, 16 bytes, PEER: peer link cuda:0 → cuda:1, proved");
  }

  private String output() {
    return printed.toString(StandardCharsets.UTF_8).replace("\r", "");
  }
}
