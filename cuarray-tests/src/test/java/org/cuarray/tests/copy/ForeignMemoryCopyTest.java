package org.cuarray.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.cuarray.tests.conformance.DriverRig.ok;
import static org.cuarray.tests.copy.LinkRig.classic;

import org.cuarray.CopyPlan;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.PoolAccess;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies to and from memory that somebody else allocated, and contexts that they made. */
class ForeignMemoryCopyTest {
  private static final long SIZE = 1000;
  private static final long BYTES = SIZE * Integer.BYTES;

  private final LinkRig rig = new LinkRig(SimulatedDriver.of(Preset.NVLINK, 2));
  private final CudaDriver driver = rig.driver();

  /** What the application does by itself. */
  private DriverRig application;

  private CuRuntime cuda;

  @BeforeEach
  void open() {
    application = new DriverRig(driver);
    cuda = rig.open();
  }

  @AfterEach
  void close() {
    rig.close();
    application.close();
  }

  /** Copies from device 0 to wrapped memory of device 1 and back. */
  private CopyPlan copyThereAndBack(long pointer) {
    try (CuArray<Integer> own = cuda.device(0).full(DType.INT32, 7, SIZE);
        CuArray<Integer> foreign = cuda.device(1).wrap(DType.INT32, pointer, SIZE);
        CuArray<Integer> back = cuda.device(0).zeros(DType.INT32, SIZE)) {
      CopyPlan plan = own.planCopyTo(foreign);
      own.copyTo(foreign);
      foreign.copyTo(back);
      assertThat(back.toArray(DType.INT32)).containsOnly(7);
      return plan;
    }
  }

  @Test
  void classicMemoryOfOthersIsCarriedByTheLink() {
    CopyPlan plan = copyThereAndBack(application.classic(1, BYTES));
    assertThat(plan.strategy()).isEqualTo(CopyStrategy.PEER);
  }

  @Test
  void aPoolOfOthersThatLetsNobodyInIsStagedAndNotReconfigured() {
    long pool = application.pool(1);
    CopyPlan plan = copyThereAndBack(application.pooled(1, pool, BYTES));
    assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
    assertThat(plan.reason()).contains("does not let cuda:0 in", "never reconfigured");
    assertThat(rig.recording().calls("cuMemPoolSetAccess", "cuMemPoolSetAttribute"))
        .noneMatch(call -> call.argument(0) == pool);
  }

  @Test
  void aPoolOfOthersThatLetsTheDeviceInIsCarriedByTheLink() {
    long pool = application.pool(1);
    ok(driver.memPoolSetAccess(pool, 0, PoolAccess.READ_WRITE));
    CopyPlan plan = copyThereAndBack(application.pooled(1, pool, BYTES));
    assertThat(plan.strategy()).isEqualTo(CopyStrategy.PEER);
  }

  @Test
  void managedMemoryIsStaged() {
    application.use(1);
    long[] pointer = new long[1];
    ok(driver.memAllocManaged(pointer, BYTES, 1));
    application.useNone();
    CopyPlan plan = copyThereAndBack(pointer[0]);
    assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
    assertThat(plan.reason()).contains("managed memory of cuda:1", "no proof");
    ok(driver.memFree(pointer[0]));
  }

  @Test
  void pinnedMemoryIsNoDeviceMemory() {
    long pinned = application.pinned(0, BYTES);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cuda.device(0).wrap(DType.INT32, pinned, SIZE))
        .withMessageContaining("is pinned host memory")
        .withMessageContaining("int32 [1000] on cuda:0");
  }

  @Test
  void memoryOfAContextThatSomebodyMadeIsCarriedThroughThatContext() {
    long[] context = new long[1];
    ok(driver.ctxCreate(context, 0, 1));
    long[] pointer = new long[1];
    ok(driver.memAlloc(pointer, BYTES));
    ok(driver.ctxSetCurrent(0));
    CopyPlan plan = copyThereAndBack(pointer[0]);
    assertThat(plan.strategy()).isEqualTo(CopyStrategy.PEER);
    assertThat(rig.recording().calls("cuMemcpyPeerAsync"))
        .filteredOn(call -> call.argument(0) == pointer[0])
        .isNotEmpty()
        .allMatch(call -> call.argument(1) == context[0]);
    ok(driver.ctxDestroy(context[0]));
  }

  @Test
  void anApplicationsContextThatIsBoundIsTheOneThatIsUsed() {
    long[] context = new long[1];
    ok(driver.ctxCreate(context, 0, 1));
    ok(driver.ctxSetCurrent(0));
    cuda.registry().bind(cuda.device(1), context[0]);
    assertThat(cuda.registry().contextOf(cuda.device(1))).isEqualTo(context[0]);
    CopyPlan plan = rig.copy(cuda.device(0), classic(cuda.device(1)));
    assertThat(plan.strategy()).isEqualTo(CopyStrategy.PEER);
    Call there = rig.recording().calls("cuMemcpyPeerAsync").get(0);
    assertThat(there.argument(1)).isEqualTo(context[0]);
    int[] active = new int[1];
    ok(driver.devicePrimaryCtxGetState(1, new int[1], active));
    assertThat(active[0]).as("a primary context of device 1").isZero();
    cuda.close();
    ok(driver.ctxDestroy(context[0]));
  }
}
