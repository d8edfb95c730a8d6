package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.OUT_OF_MEMORY;
import static org.cuarray.driver.PoolAttribute.REUSE_ALLOW_INTERNAL_DEPENDENCIES;
import static org.cuarray.driver.PoolAttribute.REUSE_ALLOW_OPPORTUNISTIC;
import static org.cuarray.driver.PoolAttribute.REUSE_FOLLOW_EVENT_DEPENDENCIES;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.PoolAttribute;
import org.cuarray.driver.simulated.Finding;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When pool memory that a stream freed is handed out again, by the pool's reuse policies. */
class PoolReuseTest {
  private static final long MIB = 1L << 20;

  /** Most of a pool's growth of 32 MiB, so that two do not fit. */
  private static final long MOST = 20 * MIB;

  /** Nothing happens unless somebody waits for it. */
  private static final long SEED_THAT_IS_LATE = seedThatIsLate();

  private SimulatedDriver driver = machine(SEED_THAT_IS_LATE);
  private DriverRig rig = new DriverRig(driver);

  private static SimulatedDriver machine(long seed) {
    return SimulatedDriver.builder()
        .preset(Preset.NVLINK)
        .devices(2)
        .memoryPerDevice(100 * MIB)
        .seed(seed)
        .build();
  }

  private static long seedThatIsLate() {
    return LongStream.range(0, 1000)
        .filter(
            seed -> {
              SimulatedDriver driver = machine(seed);
              try (DriverRig rig = new DriverRig(driver)) {
                long event = rig.event(0, 0);
                ok(driver.eventRecord(event, rig.stream(0)));
                boolean late = true;
                for (int i = 0; i < 100; i++) {
                  ok(driver.init(0));
                }
                for (int i = 0; i < 3; i++) {
                  late &= driver.eventQuery(event) == CudaError.NOT_READY;
                }
                return late;
              }
            })
        .findFirst()
        .getAsLong();
  }

  @AfterEach
  void giveBack() {
    ok(driver.streamSynchronize(rig.stream(0, 0)));
    ok(driver.streamSynchronize(rig.stream(0, 1)));
    rig.close();
    assertThat(driver.findings()).extracting(Finding::toString).isEmpty();
  }

  private long allocate(long pool, int stream) {
    long[] memory = new long[1];
    ok(driver.memAllocFromPoolAsync(memory, MOST, pool, rig.stream(0, stream)));
    ok(driver.memsetD8Async(memory[0], (byte) 1, MOST, rig.stream(0, stream)));
    return memory[0];
  }

  private void free(long memory, int stream) {
    ok(driver.memFreeAsync(memory, rig.stream(0, stream)));
  }

  /** A pool with some of the reuse policies. */
  private long pool(int... policies) {
    long pool = rig.pool(0);
    for (int attribute = REUSE_FOLLOW_EVENT_DEPENDENCIES;
        attribute <= REUSE_ALLOW_INTERNAL_DEPENDENCIES;
        attribute++) {
      ok(driver.memPoolSetAttribute(pool, attribute, 0));
    }
    for (int policy : policies) {
      ok(driver.memPoolSetAttribute(pool, policy, 1));
    }
    ok(driver.memPoolSetAttribute(pool, PoolAttribute.RELEASE_THRESHOLD, -1));
    return pool;
  }

  private void letWait(int before, int after) {
    long event = rig.event(0, 0);
    ok(driver.eventRecord(event, rig.stream(0, before)));
    ok(driver.streamWaitEvent(rig.stream(0, after), event, 0));
  }

  @Test
  void aStreamGetsWhatItFreedItself() {
    long pool = pool();
    long first = allocate(pool, 0);
    free(first, 0);
    long second = allocate(pool, 0);
    assertThat(second).isEqualTo(first);
    free(second, 0);
  }

  @Test
  void anotherStreamDoesNotGetItWithoutAPolicy() {
    long pool = pool();
    long first = allocate(pool, 0);
    free(first, 0);
    letWait(0, 1);
    long second = allocate(pool, 1);
    assertThat(second).isNotEqualTo(first);
    free(second, 1);
  }

  @Test
  void anotherStreamGetsItOnceTheHostHasWaited() {
    long pool = pool();
    long first = allocate(pool, 0);
    free(first, 0);
    rig.synchronize(0);
    long second = allocate(pool, 1);
    assertThat(second).isEqualTo(first);
    free(second, 1);
  }

  @Test
  void anotherStreamGetsItAfterAnEventWherePolicySaysSo() {
    long pool = pool(REUSE_FOLLOW_EVENT_DEPENDENCIES);
    long first = allocate(pool, 0);
    free(first, 0);
    long apart = allocate(pool, 1);
    assertThat(apart).isNotEqualTo(first);
    letWait(0, 1);
    long second = allocate(pool, 1);
    assertThat(second).isEqualTo(first);
    free(apart, 1);
    free(second, 1);
  }

  @Test
  void anotherStreamGetsItOnceItHappensToBeFreeWherePolicySaysSo() {
    long pool = pool(REUSE_ALLOW_OPPORTUNISTIC);
    long first = allocate(pool, 0);
    free(first, 0);
    long apart = allocate(pool, 1);
    assertThat(apart).isNotEqualTo(first);
    // Freeing classic memory waits for the device, which nobody may rely on, but which shows.
    rig.use(0);
    long[] memory = new long[1];
    ok(driver.memAlloc(memory, 1));
    ok(driver.memFree(memory[0]));
    long second = allocate(pool, 1);
    assertThat(second).isEqualTo(first);
    free(apart, 1);
    free(second, 1);
  }

  @Test
  void aStreamIsMadeToWaitForItBeforeTheDeviceIsOutOfMemoryWherePolicySaysSo() {
    long pool = pool(REUSE_ALLOW_INTERNAL_DEPENDENCIES);
    long before = rig.classic(0, 1);
    ok(driver.memsetD8Async(before, (byte) 1, 1, rig.stream(0, 0)));
    long[] memory = allocateAndFreeAll(pool);
    long second = allocate(pool, 1);
    assertThat(memory).contains(second);
    // The second stream comes after all that the first one did before it freed.
    ok(driver.memcpyDtoDAsync(second, before, 1, rig.stream(0, 1)));
    // The first stream's work on that memory is done when the second one's is.
    ok(driver.streamSynchronize(rig.stream(0, 1)));
    free(second, 1);
  }

  @Test
  void withoutThatPolicyTheDeviceIsOutOfMemory() {
    long pool = pool();
    allocateAndFreeAll(pool);
    expect(OUT_OF_MEMORY, driver.memAllocFromPoolAsync(new long[1], MOST, pool, rig.stream(0, 1)));
  }

  private long[] allocateAndFreeAll(long pool) {
    long[] memory = {allocate(pool, 0), allocate(pool, 0), allocate(pool, 0)};
    for (long one : memory) {
      free(one, 0);
    }
    return memory;
  }

  @Test
  void memoryIsNotGivenBackWhileItsFreeIsToCome() {
    long pool = pool();
    free(allocate(pool, 0), 0);
    ok(driver.memPoolTrimTo(pool, 0));
    assertThat(reserved(pool)).isEqualTo(32 * MIB);
    rig.synchronize(0);
    ok(driver.memPoolTrimTo(pool, 0));
    assertThat(reserved(pool)).isZero();
  }

  private long reserved(long pool) {
    long[] bytes = new long[1];
    ok(driver.memPoolGetAttribute(bytes, pool, PoolAttribute.RESERVED_MEM_CURRENT));
    return bytes[0];
  }

  static LongStream seeds() {
    return LongStream.range(0, 30);
  }

  /** Parts of freed memory, from several streams, in one allocation. */
  @ParameterizedTest
  @MethodSource("seeds")
  void whateverIsHandedOutHasAnOrder(long seed) {
    rig.close();
    driver = machine(seed);
    rig = new DriverRig(driver);
    SplittableRandom random = new SplittableRandom(seed);
    long pool = rig.pool(0);
    long[] memory = new long[8];
    for (int i = 0; i < 300; i++) {
      int place = random.nextInt(memory.length);
      if (memory[place] != 0) {
        free(memory[place], place % 2);
        memory[place] = 0;
      } else {
        long bytes = 1 + random.nextLong(4 * MIB);
        long[] pointer = new long[1];
        ok(driver.memAllocFromPoolAsync(pointer, bytes, pool, rig.stream(0, place % 2)));
        ok(driver.memsetD8Async(pointer[0], (byte) 1, bytes, rig.stream(0, place % 2)));
        memory[place] = pointer[0];
      }
    }
    for (int place = 0; place < memory.length; place++) {
      if (memory[place] != 0) {
        free(memory[place], place % 2);
      }
    }
    ok(driver.streamSynchronize(rig.stream(0, 0)));
    ok(driver.streamSynchronize(rig.stream(0, 1)));
    long[] used = new long[1];
    ok(driver.memPoolGetAttribute(used, pool, PoolAttribute.USED_MEM_CURRENT));
    assertThat(used[0]).isZero();
    ok(driver.memPoolTrimTo(pool, 0));
    assertThat(reserved(pool)).isZero();
  }
}
