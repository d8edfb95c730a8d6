package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cuarray.tests.conformance.DriverRig.ok;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a seeded machine may do, and what it must not. */
class SeededScheduleTest {
  private static final int BYTES = 4096;
  private static final int SEEDS = 100;

  /** Of the first seeds, those for which something can be seen. */
  private static long seedsThatShow(LongPredicate something) {
    return LongStream.range(0, SEEDS).filter(something).count();
  }

  private static SimulatedDriver machine(long seed) {
    return SimulatedDriver.builder().preset(Preset.NVLINK).devices(2).seed(seed).build();
  }

  // ---- what may happen -------------------------------------------------------------------------

  @Test
  void anUploadReadsPinnedMemoryAsLateAsItMay() {
    long late =
        seedsThatShow(
            seed -> {
              SimulatedDriver driver = machine(seed);
              try (DriverRig rig = new DriverRig(driver)) {
                long host = rig.pinned(0, BYTES);
                long memory = rig.classic(0, BYTES);
                ByteBuffer window = driver.hostBuffer(host, BYTES);
                window.put(0, (byte) 1);
                ok(driver.memcpyHtoDAsync(memory, host, BYTES, rig.stream(0)));
                for (int i = 0; i < 5; i++) {
                  ok(driver.init(0));
                }
                window.put(0, (byte) 2);
                rig.synchronize(0);
                return rig.read(0, memory, 1)[0] == 2;
              }
            });
    assertThat(late).as("uploads that were late").isBetween(SEEDS / 2L, SEEDS - 1L);
  }

  @Test
  void queriesMakeProgressOrDoNot() {
    long notReady =
        seedsThatShow(
            seed -> {
              SimulatedDriver driver = machine(seed);
              try (DriverRig rig = new DriverRig(driver)) {
                long event = rig.event(0, 0);
                ok(driver.memsetD8Async(rig.classic(0, BYTES), (byte) 1, BYTES, rig.stream(0)));
                ok(driver.eventRecord(event, rig.stream(0)));
                boolean shown = driver.eventQuery(event) == CudaError.NOT_READY;
                float[] time = new float[1];
                boolean timed = driver.eventElapsedTime(time, event, event) == CudaError.SUCCESS;
                while (driver.eventQuery(event) == CudaError.NOT_READY) {
                  Thread.onSpinWait();
                }
                ok(driver.eventElapsedTime(time, event, event));
                while (driver.streamQuery(rig.stream(0)) == CudaError.NOT_READY) {
                  Thread.onSpinWait();
                }
                return shown && !timed;
              }
            });
    assertThat(notReady).as("queries that were not ready").isBetween(SEEDS / 5L, SEEDS - 1L);
  }

  @Test
  void unorderedWritesComeInEitherOrder() {
    long second =
        seedsThatShow(
            seed -> {
              SimulatedDriver driver = machine(seed);
              try (DriverRig rig = new DriverRig(driver)) {
                long memory = rig.classic(0, BYTES);
                ok(driver.memsetD8Async(memory, (byte) 1, BYTES, rig.stream(0, 0)));
                ok(driver.memsetD8Async(memory, (byte) 2, BYTES, rig.stream(0, 1)));
                ok(driver.streamSynchronize(rig.stream(0, 1)));
                ok(driver.streamSynchronize(rig.stream(0, 0)));
                return rig.read(0, memory, 1)[0] == 2;
              }
            });
    assertThat(second).as("writes that came as submitted").isBetween(3L, SEEDS / 2L);
  }

  @Test
  void aCopyThatIsUnderWayIsSeenTorn() {
    long torn =
        seedsThatShow(
            seed -> {
              SimulatedDriver driver = machine(seed);
              try (DriverRig rig = new DriverRig(driver)) {
                long memory = rig.classic(0, BYTES);
                long seen = rig.classic(0, BYTES);
                rig.fill(0, memory, 1, BYTES);
                for (int i = 0; i < 20; i++) {
                  ok(driver.memsetD8Async(memory, (byte) 2, BYTES, rig.stream(0, 0)));
                  ok(driver.memcpyDtoDAsync(seen, memory, BYTES, rig.stream(0, 1)));
                  ok(driver.memsetD8Async(memory, (byte) 1, BYTES, rig.stream(0, 0)));
                }
                ok(driver.streamSynchronize(rig.stream(0, 0)));
                ok(driver.streamSynchronize(rig.stream(0, 1)));
                byte[] bytes = rig.read(0, seen, BYTES);
                return bytes[0] != bytes[BYTES - 1];
              }
            });
    assertThat(torn).as("torn copies").isBetween(2L, SEEDS / 2L);
  }

  @Test
  void anAsynchronousUploadFromPageableMemoryMayOrMayNotHaveReadIt() {
    long late =
        seedsThatShow(
            seed -> {
              SimulatedDriver driver = machine(seed);
              try (DriverRig rig = new DriverRig(driver)) {
                long host = rig.pageable(BYTES);
                long memory = rig.classic(0, BYTES);
                driver.hostBuffer(host, BYTES).put(0, (byte) 1);
                ok(driver.memcpyHtoDAsync(memory, host, BYTES, rig.stream(0)));
                driver.hostBuffer(host, BYTES).put(0, (byte) 2);
                rig.synchronize(0);
                return rig.read(0, memory, 1)[0] == 2;
              }
            });
    assertThat(late).as("uploads that were late").isBetween(SEEDS / 5L, SEEDS / 2L);
  }

  @Test
  void memoryFreedInTheOrderOfAStreamIsGarbageAfterwards() {
    long garbage =
        seedsThatShow(
            seed -> {
              SimulatedDriver driver = machine(seed);
              try (DriverRig rig = new DriverRig(driver)) {
                long pool = rig.pool(0);
                long[] memory = new long[1];
                ok(driver.memAllocFromPoolAsync(memory, BYTES, pool, rig.stream(0)));
                ok(driver.memsetD8Async(memory[0], (byte) 1, BYTES, rig.stream(0)));
                rig.synchronize(0);
                long seen = rig.classic(0, BYTES);
                ok(driver.memcpyDtoDAsync(seen, memory[0], BYTES, rig.stream(0, 1)));
                ok(driver.memFreeAsync(memory[0], rig.stream(0, 0)));
                ok(driver.streamSynchronize(rig.stream(0, 0)));
                ok(driver.streamSynchronize(rig.stream(0, 1)));
                return rig.read(0, seen, 1)[0] == (byte) 0xDD;
              }
            });
    assertThat(garbage).as("reads of garbage").isGreaterThan(SEEDS / 2L);
  }

  // ---- what must happen ------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void waitsAndStreamsAreObeyed(long seed) {
    SimulatedDriver driver = machine(seed);
    SplittableRandom random = new SplittableRandom(seed);
    try (DriverRig rig = new DriverRig(driver)) {
      long[] streams = {rig.stream(0, 0), rig.stream(0, 1), rig.stream(0, 2)};
      long memory = rig.classic(0, BYTES);
      long event = rig.event(0, 0);
      int last = 0;
      for (int i = 1; i < 200; i++) {
        int next = random.nextInt(3);
        if (next != last) {
          // The same event again and again: each wait stands for the recording before it.
          ok(driver.eventRecord(event, streams[last]));
          ok(driver.streamWaitEvent(streams[next], event, 0));
        }
        ok(driver.memsetD8Async(memory, (byte) i, BYTES, streams[next]));
        last = next;
        if (random.nextInt(10) == 0) {
          ok(driver.streamSynchronize(streams[last]));
          assertThat(rig.read(0, memory, BYTES)).containsOnly(i);
        }
      }
      ok(driver.streamSynchronize(streams[last]));
      assertThat(rig.read(0, memory, BYTES)).containsOnly(199);
      assertThat(driver.findings()).noneMatch(finding -> finding.message().contains("order"));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void whatWasSubmittedIsDoneThoughStreamAndEventAreDestroyed(long seed) {
    SimulatedDriver driver = machine(seed);
    try (DriverRig rig = new DriverRig(driver)) {
      rig.use(0);
      long memory = rig.classic(0, BYTES);
      long[] handle = new long[1];
      ok(driver.streamCreateWithPriority(handle, 1, 0));
      long stream = handle[0];
      ok(driver.eventCreate(handle, 0));
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, stream));
      ok(driver.eventRecord(handle[0], stream));
      ok(driver.streamWaitEvent(rig.stream(0), handle[0], 0));
      ok(driver.eventDestroy(handle[0]));
      ok(driver.streamDestroy(stream));
      ok(driver.memsetD8Async(memory, (byte) 2, BYTES / 2, rig.stream(0)));
      ok(driver.streamSynchronize(rig.stream(0)));
      assertThat(rig.read(0, memory, BYTES)).startsWith(2).endsWith(1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void aLostDeviceTakesItsWorkAlongAndHoldsNobodyUp(long seed) {
    SimulatedDriver driver = machine(seed);
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = rig.classic(1, BYTES);
      long lost = rig.classic(0, BYTES);
      long event = rig.event(0, 0);
      ok(driver.memsetD8Async(lost, (byte) 1, BYTES, rig.stream(0)));
      ok(driver.eventRecord(event, rig.stream(0)));
      ok(driver.streamWaitEvent(rig.stream(1), event, 0));
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, rig.stream(1)));
      ok(driver.memcpyPeerAsync(memory, 0, lost, 0, 0, rig.stream(1)));
      driver.loseDevice(0);
      rig.synchronize(1);
      assertThat(rig.read(1, memory, BYTES)).containsOnly(1);
      for (long handle : new long[] {lost, event, rig.stream(0), rig.context(0)}) {
        rig.forget(handle);
      }
    }
  }

  /** Whatever it was doing to memory of others has ended, so that memory may be freed. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void memoryThatALostDeviceWasUsingIsNotInFlight(long seed) {
    SimulatedDriver driver = machine(seed);
    try (DriverRig rig = new DriverRig(driver)) {
      long host = rig.pinned(1, BYTES);
      long lost = rig.classic(0, BYTES);
      ok(driver.memcpyHtoDAsync(lost, host, BYTES, rig.stream(0)));
      driver.loseDevice(0);
      ok(driver.memFreeHost(host));
      assertThat(driver.findings()).isEmpty();
      for (long handle : new long[] {host, lost, rig.stream(0), rig.context(0)}) {
        rig.forget(handle);
      }
    }
  }

  // ---- the same again --------------------------------------------------------------------------

  @Test
  void theSameSeedAndTheSameCallsGiveTheSameRun() {
    Set<Object> runs = new HashSet<>();
    for (long seed = 0; seed < 20; seed++) {
      Object run = run(machine(seed), seed);
      assertThat(run(machine(seed), seed)).as("seed %d", seed).isEqualTo(run);
      runs.add(run);
    }
    assertThat(runs).as("seeds give different runs").hasSizeGreaterThan(10);
  }

  @Test
  void aMachineThatIsSeededAgainRunsAsANewOne() {
    SimulatedDriver used = machine(1);
    run(used, 1);
    used.reseed(2);
    assertThat(run(used, 2)).isEqualTo(run(machine(2), 2));
    assertThatThrownBy(() -> SimulatedDriver.of(Preset.NVLINK).reseed(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this machine was built without a seed");
  }

  /** Racing copies and fills: whatever they leave depends on the schedule alone. */
  private static Object run(SimulatedDriver driver, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Hasher hasher = Hashing.sha256().newHasher();
    try (DriverRig rig = new DriverRig(driver)) {
      long[] memory = {rig.classic(0, BYTES), rig.classic(1, BYTES), rig.pooled(0, BYTES)};
      long host = rig.pinned(0, BYTES);
      for (int i = 0; i < 300; i++) {
        long stream = rig.stream(0, random.nextInt(3));
        long to = memory[random.nextInt(3)];
        long from = memory[random.nextInt(3)];
        switch (random.nextInt(5)) {
          case 0 ->
              ok(driver.memsetD32Async(from, i, BYTES / 4, rig.stream(from == memory[1] ? 1 : 0)));
          case 1 -> ok(driver.memcpyDtoHAsync(host, from, BYTES, stream));
          case 2 -> hasher.putInt(driver.streamQuery(stream));
          default -> ok(driver.memcpyPeerAsync(to, 0, from, 0, BYTES, stream));
        }
      }
      for (int i = 0; i < 3; i++) {
        ok(driver.streamSynchronize(rig.stream(0, i)));
      }
      rig.synchronize(1);
      for (int i = 0; i < 3; i++) {
        hasher.putBytes(rig.read(i == 1 ? 1 : 0, memory[i], BYTES));
      }
      ByteBuffer window = driver.hostBuffer(host, BYTES);
      return hasher.putBytes(window).hash();
    }
  }
}
