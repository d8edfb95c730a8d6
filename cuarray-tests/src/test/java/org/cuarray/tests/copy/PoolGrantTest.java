package org.cuarray.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;
import static org.cuarray.tests.copy.LinkRig.classic;
import static org.cuarray.tests.copy.LinkRig.pooled;

import java.util.concurrent.atomic.AtomicLong;
import org.cuarray.CopyPlan;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.LinkState;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.InterceptedDriver.Interceptor;
import org.cuarray.driver.PointerAttribute;
import org.cuarray.driver.PoolAccess;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Access to pools: context access does not reach them, so each needs a grant that is confirmed. */
class PoolGrantTest {
  private final SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK, 2);
  private LinkRig rig;
  private CuRuntime cuda;

  private void open(CudaDriver driver) {
    rig = new LinkRig(driver);
    cuda = rig.open();
  }

  private void openWith(Interceptor interceptor) {
    open(InterceptedDriver.around(machine, interceptor));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private static boolean isGrant(String call, Object[] arguments) {
    return call.equals("cuMemPoolSetAccess") && (int) arguments[2] == PoolAccess.READ_WRITE;
  }

  private CopyPlan copyIntoPool() {
    return rig.copy(pooled(cuda.device(0)), pooled(cuda.device(1)));
  }

  private void assertClassicMemoryIsStillCarried() {
    assertThat(rig.copy(pooled(cuda.device(0)), classic(cuda.device(1))).strategy())
        .isEqualTo(CopyStrategy.PEER);
  }

  @Test
  void whereTheDriverRefusesAGrantPoolsAreStagedAndClassicMemoryIsCarried() {
    openWith(
        (call, arguments, proceed) ->
            isGrant(call, arguments) ? CudaError.NOT_PERMITTED : proceed.call());
    CopyPlan plan = copyIntoPool();
    assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
    assertThat(plan.reason())
        .contains("refused access to a pool of cuda:1 for cuda:0", "NOT_PERMITTED");
    assertThat(cuda.topology().link(cuda.device(0), cuda.device(1)).state())
        .isEqualTo(LinkState.REFUSED);
    assertClassicMemoryIsStillCarried();
  }

  @Test
  void aPoolThatIsOnePeerTooManyIsStagedForNow() {
    openWith(
        (call, arguments, proceed) ->
            isGrant(call, arguments) ? CudaError.TOO_MANY_PEERS : proceed.call());
    CopyPlan plan = copyIntoPool();
    assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
    assertThat(plan.reason()).contains("as many peers as the driver allows", "a pool of cuda:1");
    assertThat(cuda.topology().link(cuda.device(0), cuda.device(1)).state())
        .isEqualTo(LinkState.TOO_MANY_PEERS);
    assertClassicMemoryIsStillCarried();
  }

  @Test
  void whereAGrantIsNotConfirmedPoolsAreStagedAndClassicMemoryIsCarried() {
    openWith(
        (call, arguments, proceed) -> {
          int status = proceed.call();
          if (call.equals("cuMemPoolGetAccess")) {
            ((int[]) arguments[0])[0] = PoolAccess.READ;
          }
          return status;
        });
    assertThat(copyIntoPool().strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
    assertClassicMemoryIsStillCarried();
  }

  @Test
  void aProofSaysNothingOfAPoolWhoseOwnGrantIsRefused() {
    AtomicLong refused = new AtomicLong(-1);
    openWith(
        (call, arguments, proceed) ->
            isGrant(call, arguments) && (long) arguments[0] == refused.get()
                ? CudaError.NOT_PERMITTED
                : proceed.call());
    try (CuArray<Integer> first = pooled(cuda.device(1)).zeros(DType.INT32, 10)) {
      refused.set(poolOf(first));
      CopyPlan plan = copyIntoPool();
      assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
      assertThat(plan.reason()).contains("refused cuda:0 access to the pool of cuda:1");
      assertThat(cuda.topology().link(cuda.device(0), cuda.device(1)).state())
          .isIn(LinkState.PROVED, LinkState.SLOW);
    }
  }

  @Test
  void onlyTheDestinationsPoolIsGrantedAndOnlyToTheSource() {
    open(SimulatedDriver.of(Preset.NVLINK, 3));
    try (CuArray<Integer> a = pooled(cuda.device(0)).zeros(DType.INT32, 10);
        CuArray<Integer> b = pooled(cuda.device(1)).zeros(DType.INT32, 10)) {
      a.copyTo(b);
      assertThat(access(poolOf(b), 0)).isEqualTo(PoolAccess.READ_WRITE);
      assertThat(access(poolOf(b), 2)).isEqualTo(PoolAccess.NONE);
      assertThat(access(poolOf(a), 1)).isEqualTo(PoolAccess.NONE);
    }
  }

  @Test
  void theDefaultPoolOfTheProcessIsNeverTouched() {
    open(machine);
    long[] pool = new long[1];
    copyIntoPool();
    for (int device = 0; device < 2; device++) {
      ok(machine.deviceGetDefaultMemPool(pool, device));
      assertThat(
              rig.recording().calls().stream()
                  .filter(call -> call.name().startsWith("cuMemPool"))
                  .filter(call -> call.arguments().contains(pool[0])))
          .isEmpty();
      assertThat(access(pool[0], 1 - device)).isEqualTo(PoolAccess.NONE);
    }
  }

  /** A new pool may get the handle of a destroyed one of its device, and its grants with it. */
  @Test
  void aPoolThatInheritsGrantsLosesThemBeforeItIsUsed() {
    SimulatedDriver recycling =
        SimulatedDriver.builder().devices(2).recycledPoolsInheritGrants().build();
    ok(recycling.init(0));
    long[] old = new long[1];
    ok(recycling.memPoolCreate(old, 1));
    ok(recycling.memPoolSetAccess(old[0], 0, PoolAccess.READ_WRITE));
    ok(recycling.memPoolDestroy(old[0]));
    open(recycling);
    try (CuArray<Integer> array = pooled(cuda.device(1)).zeros(DType.INT32, 10)) {
      assertThat(poolOf(array)).isEqualTo(old[0]);
      assertThat(access(poolOf(array), 0)).isEqualTo(PoolAccess.NONE);
    }
    assertThat(copyIntoPool().strategy()).isEqualTo(CopyStrategy.PEER);
  }

  @Test
  void aPoolThatIsGivenBackLeavesNoGrantsToItsSuccessor() {
    SimulatedDriver recycling =
        SimulatedDriver.builder().devices(2).recycledPoolsInheritGrants().build();
    open(recycling);
    copyIntoPool();
    cuda.close();
    long[] next = new long[1];
    for (int device = 0; device < 2; device++) {
      // Several: the proof had a pool on each side as well.
      for (int i = 0; i < 6; i++) {
        ok(recycling.memPoolCreate(next, device));
        assertThat(access(next[0], 1 - device)).isEqualTo(PoolAccess.NONE);
      }
    }
  }

  private long poolOf(CuArray<?> array) {
    long[] pool = new long[1];
    ok(rig.driver().pointerGetAttribute(pool, PointerAttribute.MEMPOOL_HANDLE, array.pointer()));
    return pool[0];
  }

  private int access(long pool, int device) {
    int[] flags = new int[1];
    ok(rig.driver().memPoolGetAccess(flags, pool, device));
    return flags[0];
  }
}
