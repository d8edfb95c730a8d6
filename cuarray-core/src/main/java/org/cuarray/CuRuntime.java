package org.cuarray;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.Uninterruptibles;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.cuarray.copy.CopyPlanner;
import org.cuarray.copy.DeviceCopies;
import org.cuarray.copy.HostArrayCopies;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DriverStatus;
import org.cuarray.kernel.Launcher;
import org.cuarray.memory.Fills;
import org.cuarray.memory.HostTransfers;
import org.cuarray.memory.LeakWatch;
import org.cuarray.memory.RuntimeMemory;
import org.cuarray.memory.StagingBounds;
import org.cuarray.registry.DeviceContexts;
import org.cuarray.stream.Releasable;
import org.cuarray.stream.StreamPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The devices of this process, and everything that is made on them. Open one, use it from any
 * thread, close it at the end.
 *
 * <pre>{@code
 * try (CuRuntime cuda = CuRuntime.open()) {
 *   CuDevice gpu0 = cuda.device(0), gpu1 = cuda.device(1);
 *   try (CuArray<Float> a = gpu0.array(FLOAT32, new float[] {1, 2, 3, 4});
 *       CuArray<Float> b = gpu1.zeros(FLOAT32, 4)) {
 *     a.copyTo(b);
 *     float[] back = b.toArray(FLOAT32);
 *   }
 * }
 * }</pre>
 *
 * <p>Opening creates no context; a device gets one when it is first used. Several runtimes may be
 * open at once: their memory is their own, while peer links belong to the process. Thread-safe.
 */
public final class CuRuntime implements AutoCloseable {
  private static final Duration CLOSING = Duration.ofSeconds(30);
  private static final System.Logger LOG = System.getLogger("org.cuarray");

  private final CudaDriver driver;
  private final ImmutableList<CuDevice> devices;
  private final @Nullable AllocatorKind preferred;
  private final StreamPolicy streams;
  private final RuntimeMemory memory;
  private final LeakWatch leaks;
  private final CopyPlanner planner;
  private final DeviceCopies deviceCopies;
  private final HostArrayCopies hostArrayCopies;
  private final HostTransfers hostTransfers;
  private final Fills fills;
  private final Launcher launcher;
  private final DeviceRegistry registry;
  private final CuTopology topology;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch givenBack = new CountDownLatch(1);
  private volatile @Nullable Thread closing;

  private CuRuntime(Builder options, CudaDriver driver) {
    this.driver = driver;
    int count = DeviceContexts.of(driver).count();
    if (count == 0) {
      throw new CuUnavailableException("the driver reports no CUDA device");
    }
    this.preferred = options.allocator;
    this.streams = new StreamPolicy(driver);
    this.memory = new RuntimeMemory(driver, streams, options.staging, options.poolLimit);
    this.leaks = new LeakWatch(options.leakReports);
    this.planner = new CopyPlanner(driver, options.peerPolicy);
    this.deviceCopies = new DeviceCopies(driver, planner, streams, memory, options.verification);
    this.hostArrayCopies = new HostArrayCopies(driver, streams);
    this.hostTransfers = new HostTransfers(driver, streams, memory.staging());
    this.fills = new Fills(driver, streams);
    this.launcher = new Launcher(driver, streams);
    this.devices =
        IntStream.range(0, count)
            .mapToObj(ordinal -> new CuDevice(this, ordinal, null))
            .collect(ImmutableList.toImmutableList());
    this.registry = new DeviceRegistry(this, driver);
    this.topology = new CuTopology(this, planner.links(), options.peerPolicy, devices);
  }

  /**
   * Opens a runtime on the driver that the property {@code cuarray.driver} or the variable {@code
   * CUARRAY_DRIVER} names: {@code cuda}, the default, or {@code simulated:PRESET}.
   *
   * @return a runtime to be closed
   * @throws CuUnavailableException where there is no usable driver or device, with the reason
   */
  public static CuRuntime open() {
    return builder().open();
  }

  /**
   * Opens a runtime on a given driver, such as a simulated machine.
   *
   * @param driver the driver
   * @return a runtime to be closed
   */
  public static CuRuntime open(CudaDriver driver) {
    return builder().driver(driver).open();
  }

  /**
   * A runtime with options.
   *
   * @return a builder with the defaults
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Why {@link #open()} would fail.
   *
   * @return a sentence that says what is missing and how to get it; empty where nothing is
   */
  public static Optional<String> unavailableReason() {
    return DriverChoice.unavailableReason();
  }

  /**
   * All devices.
   *
   * @return by ordinal
   */
  public List<CuDevice> devices() {
    return devices;
  }

  /**
   * One device.
   *
   * @param ordinal the driver's number, from 0
   * @return the device
   * @throws IndexOutOfBoundsException where there is no such device
   */
  public CuDevice device(int ordinal) {
    if (ordinal < 0 || ordinal >= devices.size()) {
      throw new IndexOutOfBoundsException(
          "there is no device %d; there are %d, from 0 on".formatted(ordinal, devices.size()));
    }
    return devices.get(ordinal);
  }

  /**
   * Pointer → device → context.
   *
   * @return the registry
   */
  public DeviceRegistry registry() {
    return registry;
  }

  /**
   * The peer links between the devices.
   *
   * @return what is known of them, always up to date
   */
  public CuTopology topology() {
    return topology;
  }

  /**
   * A scope that closes many things at once.
   *
   * @return a new, empty one
   */
  public CuScope scope() {
    return new CuScope();
  }

  /**
   * A module of compiled code. It is loaded onto a device when a kernel of it is first launched
   * there.
   *
   * @param ptxCubinOrFatbin as {@code nvcc -ptx}, {@code -cubin} or {@code -fatbin} writes it
   * @return to be closed; its kernels run on every device that the code is for
   * @throws IllegalArgumentException where it is empty
   */
  public CuModule load(byte[] ptxCubinOrFatbin) {
    requireOpen();
    return CuModule.load(this, ptxCubinOrFatbin);
  }

  /**
   * A module of CUDA C++, compiled now for the first device, and for one of another architecture
   * when a kernel of it is first launched there. Declare kernels {@code extern "C"}, so that they
   * keep their names.
   *
   * @param source CUDA C++
   * @param options for NVRTC, one each, such as {@code --use_fast_math}
   * @return to be closed
   * @throws CuCompilationException where the compiler refuses the source, with what it said
   * @throws CuUnavailableException where the machine has no NVRTC, with how to get it
   */
  public CuModule compile(String source, String... options) {
    requireOpen();
    return CuModule.compile(this, source, options);
  }

  /**
   * Waits until everything submitted so far on the runtime's own streams has completed: all but
   * launches on a {@link CuStream} and work under a lease, which {@link CuStream#synchronize} waits
   * for.
   */
  public void synchronize() {
    requireOpen();
    streams.synchronize();
  }

  /**
   * Closes what is still open (and reports it), waits for the work in flight and gives all memory
   * back. Idempotent: every call returns when that is done, but for one in a release action, or in
   * a log handler that hears of what was open, which returns at once. Bounded: after 30 s what has
   * not come to an end is left to the process's exit, with a warning. Device contexts stay, as
   * other libraries of the process may use them.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      Thread thread = new Thread(this::giveBack, "cuarray-closing");
      thread.setDaemon(true);
      closing = thread;
      thread.start();
    }
    if (isWaitedForByClosing()) {
      return;
    }
    if (!Uninterruptibles.awaitUninterruptibly(givenBack, CLOSING)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "work was still in flight {0} after the runtime was closed; its memory is left to the"
              + " process''s exit",
          CLOSING);
    }
  }

  /** A release action, or a log handler that hears of what was still open, may close as well. */
  private boolean isWaitedForByClosing() {
    return memory.isFreeing() || Thread.currentThread() == closing;
  }

  private void giveBack() {
    try {
      leaks.closeAll();
      awaitWork();
      long out = memory.close(CLOSING);
      if (out > 0) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0} allocations were still in use {1} after the runtime was closed; their memory is"
                + " left to the process''s exit",
            out,
            CLOSING);
      }
      streams.close();
    } finally {
      givenBack.countDown();
    }
  }

  private void awaitWork() {
    try {
      streams.synchronize();
    } catch (CuException e) {
      if (!DriverStatus.isShutdown(e)) {
        LOG.log(System.Logger.Level.WARNING, "a device had failed when the runtime was closed", e);
      }
    }
  }

  /**
   * Whether {@link #close} was called.
   *
   * @return true from then on
   */
  public boolean isClosed() {
    return closed.get();
  }

  // ---- for the rest of the face ----------------------------------------------------------------

  void requireOpen() {
    if (closed.get()) {
      throw new CuClosedException("the runtime was closed");
    }
  }

  CuDevice requireOwn(CuDevice device) {
    checkNotNull(device, "device");
    if (device.runtime() != this) {
      throw new IllegalArgumentException(
          "%s belongs to another runtime; use device(%d) of this one"
              .formatted(device, device.ordinal()));
    }
    return device;
  }

  AllocatorKind defaultAllocator(int ordinal) {
    if (preferred != null) {
      return preferred;
    }
    return memory.hasPools(ordinal) ? AllocatorKind.STREAM_ORDERED : AllocatorKind.CLASSIC;
  }

  Cleaner.Cleanable watch(Object holder, Releasable held, Object subject) {
    return leaks.watch(holder, held, subject);
  }

  CudaDriver driver() {
    return driver;
  }

  RuntimeMemory memory() {
    return memory;
  }

  CopyPlanner planner() {
    return planner;
  }

  DeviceCopies deviceCopies() {
    return deviceCopies;
  }

  HostArrayCopies hostArrayCopies() {
    return hostArrayCopies;
  }

  HostTransfers hostTransfers() {
    return hostTransfers;
  }

  Fills fills() {
    return fills;
  }

  Launcher launcher() {
    return launcher;
  }

  @Override
  public String toString() {
    return "%s with %d devices".formatted(driver.description(), devices.size());
  }

  /** The options of a runtime. Not thread-safe. */
  public static final class Builder {
    private @Nullable CudaDriver driver;
    private @Nullable AllocatorKind allocator;
    private OptionalLong poolLimit = OptionalLong.empty();
    private PeerPolicy peerPolicy = PeerPolicy.AUTO;
    private VerifyMode verification = VerifyMode.OFF;
    private StagingBounds staging = StagingBounds.DEFAULT;
    private LeakReports leakReports = LeakReports.SAMPLED;

    private Builder() {}

    /**
     * Uses a given driver instead of the one that property or variable name.
     *
     * @param chosen the driver
     * @return this
     */
    public Builder driver(CudaDriver chosen) {
      driver = checkNotNull(chosen, "driver");
      return this;
    }

    /**
     * How arrays are allocated unless a device was told otherwise by {@link CuDevice#using}.
     *
     * @param chosen the allocator; by default the stream-ordered one where a device has it
     * @return this
     */
    public Builder defaultAllocator(AllocatorKind chosen) {
      allocator = checkNotNull(chosen, "allocator");
      return this;
    }

    /**
     * Bounds the memory of live arrays on each device.
     *
     * @param bytes per device; by default the device is the bound
     * @return this
     * @throws IllegalArgumentException where it is negative
     */
    public Builder poolLimit(long bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException("a pool limit of " + bytes + " bytes is negative");
      }
      poolLimit = OptionalLong.of(bytes);
      return this;
    }

    /**
     * When peer links are used.
     *
     * @param chosen the policy
     * @return this
     */
    public Builder peerPolicy(PeerPolicy chosen) {
      peerPolicy = checkNotNull(chosen, "peer policy");
      return this;
    }

    /**
     * Whether peer copies are checked each time.
     *
     * @param chosen the mode
     * @return this
     */
    public Builder verify(VerifyMode chosen) {
      verification = checkNotNull(chosen, "verify mode");
      return this;
    }

    /**
     * How much pinned memory copies through the host may take: per device, and for each of copies
     * to other devices, uploads and downloads, this many chunks, made when first needed. Uploads
     * and downloads divide theirs into half the size, and take twice as much in all.
     *
     * @param chunkBytes bytes of a chunk, 4 KiB to 1 GiB; 8 MiB by default
     * @param chunks 2 to 64; 4 by default
     * @return this
     * @throws IllegalArgumentException where either is out of bounds
     */
    public Builder staging(long chunkBytes, int chunks) {
      staging = new StagingBounds(chunkBytes, chunks);
      return this;
    }

    /**
     * How arrays that were never closed are reported.
     *
     * @param chosen the mode
     * @return this
     */
    public Builder leakReports(LeakReports chosen) {
      leakReports = checkNotNull(chosen, "leak reports");
      return this;
    }

    /**
     * Opens the runtime.
     *
     * @return a runtime to be closed
     * @throws CuUnavailableException where there is no usable driver or device, with the reason
     */
    public CuRuntime open() {
      return new CuRuntime(this, driver != null ? driver : DriverChoice.driver());
    }
  }
}
