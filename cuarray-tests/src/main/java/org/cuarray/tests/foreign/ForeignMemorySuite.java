package org.cuarray.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cuarray.CopyPlan;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.DType;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.PoolAccess;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Memory of others on the first two devices, or the only one, wrapped while its producer still
 * writes it: copies in both directions are right and go the way that is known beforehand, and what
 * is theirs stays as it is.
 *
 * <p>A subclass says which machine.
 */
@TestInstance(Lifecycle.PER_CLASS) // Links are proved once.
public abstract class ForeignMemorySuite {
  private static final int SIZE = 1 << 18;
  private static final long BYTES = (long) SIZE * Integer.BYTES;
  private static final int THEIRS = 7;
  private static final int OURS = 11;

  /** What would free or change something; its first argument is what. */
  private static final ImmutableSet<String> HANDS_OFF =
      ImmutableSet.of(
          "cuMemFree",
          "cuMemFreeAsync",
          "cuMemPoolSetAccess",
          "cuMemPoolSetAttribute",
          "cuMemPoolTrimTo",
          "cuMemPoolDestroy",
          "cuStreamDestroy",
          "cuCtxDestroy");

  /** Where the memory comes from. */
  enum Source {
    /** {@code cudaMalloc}: in the primary context. */
    RUNTIME,
    /** {@code cuMemAlloc} in a context that the application made. */
    OWN_CONTEXT,
    /** A pool that lets no other device in. */
    POOL,
    /** A pool that the application opened to both devices. */
    OPEN_POOL
  }

  private CudaDriver driver;
  private DriverRig rig;
  private RecordingDriver recording;
  private CuRuntime cuda;
  private final List<Application> applications = new ArrayList<>();
  private Application application;

  /** Pointers, pools, contexts and streams of the application. */
  private final Set<Long> theirs = new HashSet<>();

  private final List<CuStream> producers = new ArrayList<>();

  /** For subclasses. */
  protected ForeignMemorySuite() {}

  /**
   * The machine under test, of any number of devices. Asked for once.
   *
   * @return its driver, which knows the kernel of the application
   */
  protected abstract CudaDriver openDriver();

  /**
   * Memory as {@code cudaMalloc} gives it.
   *
   * @param device its ordinal
   * @param bytes how much
   * @return its address; to be freed by {@link #freeOfRuntime}
   */
  protected abstract long mallocOfRuntime(int device, long bytes);

  /**
   * Frees as {@code cudaFree} does.
   *
   * @param device its ordinal
   * @param pointer from {@link #mallocOfRuntime}
   */
  protected abstract void freeOfRuntime(int device, long pointer);

  /** Called before each test; does nothing unless overridden. */
  protected void prepareMachine() {}

  /** Called after each test; checks nothing unless overridden. */
  protected void checkMachine() {}

  @BeforeEach
  final void open() {
    if (recording == null) {
      driver = openDriver();
      recording = new RecordingDriver(driver);
    }
    prepareMachine();
    recording.clear();
    rig = new DriverRig(driver);
    cuda = CuRuntime.open(recording.driver());
  }

  @AfterEach
  final void close() {
    if (cuda != null) {
      producers.forEach(CuStream::close);
      producers.clear();
      cuda.close();
      assertThat(recording.calls())
          .filteredOn(call -> HANDS_OFF.contains(call.name()))
          .noneMatch(call -> theirs.contains(call.argument(0)));
      applications.forEach(Application::close);
      applications.clear();
      rig.close();
      theirs.clear();
      checkMachine();
    }
  }

  /** Starts the application on a device; gives its memory. */
  private long allocate(Source source, int device) {
    rig.assumeDevice(device);
    long context = source == Source.OWN_CONTEXT ? createContext(device) : rig.context(device);
    application = new Application(driver, context);
    applications.add(application);
    theirs.add(context);
    theirs.add(application.stream());
    long pointer =
        switch (source) {
          case RUNTIME -> mallocOfRuntime(device, BYTES);
          case OWN_CONTEXT -> application.classic(BYTES);
          case POOL -> application.pooled(pool(device), BYTES);
          case OPEN_POOL -> application.pooled(openPool(device), BYTES);
        };
    theirs.add(pointer);
    return pointer;
  }

  private long createContext(int device) {
    long context = rig.createContext(device);
    rig.useNone();
    return context;
  }

  private long pool(int device) {
    long pool = rig.pool(device);
    theirs.add(pool);
    return pool;
  }

  private long openPool(int device) {
    rig.assumeDevice(1);
    assumeTrue(
        cuda.device(1 - device).canAccessPeer(cuda.device(device)),
        "a pool opens to devices that reach its own");
    long pool = pool(device);
    ok(driver.memPoolSetAccess(pool, 1 - device, PoolAccess.READ_WRITE));
    return pool;
  }

  /** How a program gets hold of the memory. */
  @FunctionalInterface
  private interface Wrap {
    CuArray<Integer> wrap(CuDevice device, long pointer);
  }

  private CuArray<Integer> whenItsContextIsDone(CuDevice device, long pointer) {
    return device.wrap(DType.INT32, pointer, (long) SIZE);
  }

  private CuArray<Integer> afterItsStream(CuDevice device, long pointer) {
    CuStream producer = device.wrapStream(application.stream());
    producers.add(producer); // closed later, as that waits for the stream
    return device.wrap(DType.INT32, pointer, producer, (long) SIZE);
  }

  static Stream<Arguments> memory() {
    return Stream.of(Source.values())
        .flatMap(source -> IntStream.range(0, 2).mapToObj(device -> arguments(source, device)));
  }

  @ParameterizedTest(name = "{0} of cuda:{1}")
  @MethodSource("memory")
  void whatIsStillBeingWrittenIsCopiedRightWhenTheContextWasWaitedFor(Source source, int device) {
    copyToOurs(source, device, this::whenItsContextIsDone);
  }

  @ParameterizedTest(name = "{0} of cuda:{1}")
  @MethodSource("memory")
  void whatIsStillBeingWrittenIsCopiedRightAfterItsStream(Source source, int device) {
    copyToOurs(source, device, this::afterItsStream);
  }

  private void copyToOurs(Source source, int device, Wrap how) {
    long pointer = allocate(source, device);
    proveLinks();
    application.produce(pointer, SIZE, THEIRS);
    try (CuArray<Integer> wrapped = how.wrap(cuda.device(device), pointer);
        CuArray<Integer> near = cuda.device(device).zeros(DType.INT32, SIZE);
        CuArray<Integer> far = other(device).zeros(DType.INT32, SIZE)) {
      wrapped.copyTo(near);
      wrapped.copyTo(far);
      assertThat(near.toArray(DType.INT32)).containsOnly(THEIRS);
      assertThat(far.toArray(DType.INT32)).containsOnly(THEIRS);
    }
    assertThat(application.read(pointer, SIZE)).containsOnly(THEIRS);
    freeIfOfRuntime(source, device, pointer);
  }

  @ParameterizedTest(name = "{0} of cuda:{1}")
  @MethodSource("memory")
  void whatWeWriteIsNotOverwrittenWhenTheContextWasWaitedFor(Source source, int device) {
    copyToTheirs(source, device, this::whenItsContextIsDone);
  }

  @ParameterizedTest(name = "{0} of cuda:{1}")
  @MethodSource("memory")
  void whatWeWriteIsNotOverwrittenAfterItsStream(Source source, int device) {
    copyToTheirs(source, device, this::afterItsStream);
  }

  private void copyToTheirs(Source source, int device, Wrap how) {
    long pointer = allocate(source, device);
    proveLinks();
    for (int from = 0; from < devices(); from++) {
      application.produce(pointer, SIZE, THEIRS);
      try (CuArray<Integer> wrapped = how.wrap(cuda.device(device), pointer);
          CuArray<Integer> ours = cuda.device(from).full(DType.INT32, OURS + from, SIZE)) {
        ours.copyTo(wrapped);
        wrapped.synchronize();
      }
      assertThat(application.read(pointer, SIZE)).as("from %d", from).containsOnly(OURS + from);
    }
    freeIfOfRuntime(source, device, pointer);
  }

  @ParameterizedTest(name = "{0} of cuda:{1}")
  @MethodSource("memory")
  void givenTheStreamTheHostDoesNotWait(Source source, int device) {
    long pointer = allocate(source, device);
    proveLinks();
    CuDevice here = cuda.device(device);
    try (CuArray<Integer> near = here.zeros(DType.INT32, SIZE)) {
      near.synchronize();
      recording.clear();
      application.produce(pointer, SIZE, THEIRS);
      try (CuArray<Integer> wrapped = afterItsStream(here, pointer)) {
        wrapped.copyTo(near);
        assertStillWorking();
        assertThat(near.toArray(DType.INT32)).containsOnly(THEIRS);
      }
    }
    freeIfOfRuntime(source, device, pointer);
  }

  private void assertStillWorking() {
    assertThat(recording.calls())
        .extracting(Call::name)
        .doesNotContain("cuCtxSynchronize", "cuStreamSynchronize", "cuEventSynchronize");
    if (driver.keepsTime()) { // else it may have run at any moment
      assertThat(application.isWorking()).as("the producer is still running").isTrue();
    }
  }

  @ParameterizedTest(name = "{0} of cuda:{1}")
  @MethodSource("memory")
  void theStrategyAndItsReasonAreThoseOfTheKindOfMemory(Source source, int device) {
    long pointer = allocate(source, device);
    CuDevice here = cuda.device(device);
    CuDevice there = other(device);
    try (CuArray<Integer> wrapped = whenItsContextIsDone(here, pointer);
        CuArray<Integer> near = here.zeros(DType.INT32, SIZE);
        CuArray<Integer> far = there.zeros(DType.INT32, SIZE)) {
      assertThat(wrapped.planCopyTo(near).strategy()).isEqualTo(CopyStrategy.SAME_DEVICE);
      assertThat(near.planCopyTo(wrapped).strategy()).isEqualTo(CopyStrategy.SAME_DEVICE);
      assertOverTheLinkOrNot(source, here, there, wrapped.planCopyTo(far));
      assertOverTheLinkOrNot(source, there, here, far.planCopyTo(wrapped));
    }
    freeIfOfRuntime(source, device, pointer);
  }

  private static void assertOverTheLinkOrNot(
      Source source, CuDevice from, CuDevice to, CopyPlan plan) {
    if (from.equals(to)) {
      assertThat(plan.strategy()).as(plan.toString()).isEqualTo(CopyStrategy.SAME_DEVICE);
    } else if (!from.canAccessPeer(to) || !to.canAccessPeer(from)) {
      assertThat(plan.strategy()).as(plan.toString()).isEqualTo(CopyStrategy.HOST_STAGED);
    } else if (source == Source.POOL) {
      assertThat(plan.strategy()).as(plan.toString()).isEqualTo(CopyStrategy.HOST_STAGED);
      assertThat(plan.reason())
          .contains("does not let cuda:", "a pool that is not ours is never reconfigured");
    } else {
      assertThat(plan.strategy()).as(plan.toString()).isEqualTo(CopyStrategy.PEER);
      assertThat(plan.reason()).contains("peer link %s → %s".formatted(from, to), "proved");
    }
  }

  private int devices() {
    return Math.min(2, cuda.devices().size());
  }

  /** The other one of the two; the same where there is one. */
  private CuDevice other(int device) {
    return cuda.device(devices() - 1 - device);
  }

  /** A proof waits for the device, and would end the producer's work before it is looked at. */
  private void proveLinks() {
    for (int from = 0; from < devices(); from++) {
      try (CuArray<Integer> a = cuda.device(from).zeros(DType.INT32, 4);
          CuArray<Integer> b = other(from).zeros(DType.INT32, 4)) {
        a.copyTo(b);
      }
    }
    cuda.synchronize();
  }

  private void freeIfOfRuntime(Source source, int device, long pointer) {
    if (source == Source.RUNTIME) {
      freeOfRuntime(device, pointer);
    }
  }
}
