package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.simulated.Finding;
import org.cuarray.driver.simulated.Finding.Kind;
import org.cuarray.driver.simulated.Finding.Place;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults that a program must not have are found whatever the schedule, and nothing else is. */
class OrderCheckTest {
  private static final int BYTES = 4096;

  /** One machine where streams are eager, and some where they are not. */
  static List<SimulatedDriver> machines() {
    return LongStream.rangeClosed(0, 12)
        .mapToObj(
            seed -> {
              SimulatedDriver.Builder builder =
                  SimulatedDriver.builder()
                      .kernel("peek", List.of(8), run -> run.getByte(run.nextLong()));
              return seed == 0 ? builder.checkOrder().build() : builder.seed(seed).build();
            })
        .toList();
  }

  // ---- faults ----------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("machines")
  void aWriteThatDoesNotWaitForAWriteOnAnotherStream(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = rig.classic(0, BYTES);
      ok(driver.memsetD8Async(memory, (byte) 1, 100, rig.stream(0)));
      ok(driver.memsetD8Async(memory + 99, (byte) 2, 100, rig.stream(0, 1)));
      Finding finding = only(driver, Kind.UNORDERED_ACCESS);
      assertThat(finding.message())
          .contains("classic memory of device 0, 4096 bytes at 0x%x".formatted(memory))
          .contains("cuMemsetD8Async on stream 0x%x of device 0".formatted(rig.stream(0)))
          .contains("writes bytes 0 to 100")
          .contains("writes bytes 99 to 199");
      assertThat(finding.places())
          .extracting(place -> place.stack().get(0).getMethodName())
          .containsOnly("aWriteThatDoesNotWaitForAWriteOnAnotherStream");
      rig.synchronize(0);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void aReadThatDoesNotWaitForAWrite(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = rig.classic(0, BYTES);
      long target = rig.classic(1, BYTES);
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, rig.stream(0)));
      ok(driver.memcpyPeerAsync(target, 0, memory, 0, BYTES, rig.stream(1)));
      assertThat(only(driver, Kind.UNORDERED_ACCESS).message())
          .contains("cuMemcpyPeerAsync on stream 0x%x of device 1".formatted(rig.stream(1)))
          .contains("reads bytes 0 to 4096, and nothing orders that after cuMemsetD8Async");
      rig.synchronize(0, 1);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void aWriteThatDoesNotWaitForARead(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = rig.classic(0, BYTES);
      long target = rig.classic(1, BYTES);
      ok(driver.memcpyPeerAsync(target, 0, memory, 0, BYTES, rig.stream(1)));
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, rig.stream(0)));
      assertThat(only(driver, Kind.UNORDERED_ACCESS).message())
          .contains("nothing orders that after cuMemcpyPeerAsync");
      rig.synchronize(0, 1);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void pinnedMemoryThatTwoCopiesUseAtOnce(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long host = rig.pinned(0, BYTES);
      ok(driver.memcpyDtoHAsync(host, rig.classic(0, BYTES), BYTES, rig.stream(0)));
      ok(driver.memcpyHtoDAsync(rig.classic(1, BYTES), host, BYTES, rig.stream(1)));
      assertThat(only(driver, Kind.UNORDERED_ACCESS).message()).startsWith("pinned memory");
      rig.synchronize(0, 1);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void anEventThatWasRecordedTooEarly(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = rig.classic(0, BYTES);
      long event = rig.event(0, 0);
      ok(driver.eventRecord(event, rig.stream(0)));
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, rig.stream(0)));
      ok(driver.streamWaitEvent(rig.stream(0, 1), event, 0));
      ok(driver.memsetD8Async(memory, (byte) 2, BYTES, rig.stream(0, 1)));
      only(driver, Kind.UNORDERED_ACCESS);
      rig.synchronize(0);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void anEventThatWasNeverRecordedIsNoWait(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = rig.classic(0, BYTES);
      long event = rig.event(0, 0);
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, rig.stream(0)));
      ok(driver.streamWaitEvent(rig.stream(0, 1), event, 0));
      ok(driver.memsetD8Async(memory, (byte) 2, BYTES, rig.stream(0, 1)));
      only(driver, Kind.UNORDERED_ACCESS);
      rig.synchronize(0);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void aWaitForAnEventThatWasRecordedAgainOnlyAfterwards(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = rig.classic(0, BYTES);
      long event = rig.event(0, 0);
      ok(driver.eventRecord(event, rig.stream(0)));
      ok(driver.streamWaitEvent(rig.stream(0, 1), event, 0));
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, rig.stream(0)));
      ok(driver.eventRecord(event, rig.stream(0)));
      ok(driver.memsetD8Async(memory, (byte) 2, BYTES, rig.stream(0, 1)));
      only(driver, Kind.UNORDERED_ACCESS);
      rig.synchronize(0);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void poolMemoryUsedOnAStreamThatDidNotWaitForIt(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = allocate(driver, rig.pool(0), rig.stream(0));
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, rig.stream(0, 1)));
      Finding finding = only(driver, Kind.USE_BEFORE_READY);
      assertThat(finding.message()).contains("its allocation by cuMemAllocFromPoolAsync on stream");
      assertThat(finding.places()).hasSize(2);
      ok(driver.streamSynchronize(rig.stream(0, 1)));
      ok(driver.memFreeAsync(memory, rig.stream(0)));
      rig.synchronize(0);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void poolMemoryUsedAfterItsFree(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = allocate(driver, rig.pool(0), rig.stream(0));
      ok(driver.memFreeAsync(memory, rig.stream(0)));
      DriverRig.expect(
          CudaError.INVALID_VALUE, driver.memsetD8Async(memory, (byte) 1, 1, rig.stream(0)));
      assertThat(only(driver, Kind.USE_AFTER_FREE).places())
          .extracting(Place::operation)
          .containsExactly("allocated", "freed", "used");
      rig.synchronize(0);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void poolMemoryFreedWhileAnotherStreamUsesIt(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = allocate(driver, rig.pool(0), rig.stream(0));
      wait(driver, rig, rig.stream(0), rig.stream(0, 1));
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, rig.stream(0, 1)));
      ok(driver.memFreeAsync(memory, rig.stream(0)));
      Finding finding = only(driver, Kind.FREE_IN_FLIGHT);
      assertThat(finding.message())
          .contains("freed by cuMemFreeAsync on stream")
          .contains("nothing orders that after cuMemsetD8Async on stream");
      assertThat(finding.places()).hasSize(3);
      ok(driver.streamSynchronize(rig.stream(0, 1)));
      rig.synchronize(0);
    }
  }

  /** {@code cuMemFree} waits in fact; no document says so. */
  @ParameterizedTest
  @MethodSource("machines")
  void classicMemoryFreedWhileAStreamUsesIt(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = rig.classic(0, BYTES);
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, rig.stream(0)));
      ok(driver.memFree(memory));
      rig.forget(memory);
      only(driver, Kind.FREE_IN_FLIGHT);
      rig.synchronize(0);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void pinnedMemoryFreedWhileACopyUsesIt(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long host = rig.pinned(0, BYTES);
      ok(driver.memcpyHtoDAsync(rig.classic(0, BYTES), host, BYTES, rig.stream(0)));
      ok(driver.memFreeHost(host));
      rig.forget(host);
      assertThat(only(driver, Kind.FREE_IN_FLIGHT).message()).contains("freed by cuMemFreeHost");
      rig.synchronize(0);
    }
  }

  /** An asynchronous copy of pageable memory may block, and need not. */
  @ParameterizedTest
  @MethodSource("machines")
  void pageableMemoryFreedWhileACopyMayUseIt(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long host = rig.pageable(BYTES);
      ok(driver.memcpyHtoDAsync(rig.classic(0, BYTES), host, BYTES, rig.stream(0)));
      driver.hostFree(host);
      rig.forget(host);
      only(driver, Kind.FREE_IN_FLIGHT);
      rig.synchronize(0);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void aBlockingCopyThatDoesNotWaitForAWrite(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      rig.use(0);
      long memory = rig.classic(0, BYTES);
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, rig.stream(0)));
      ok(driver.memcpyDtoH(rig.pageable(BYTES), memory, BYTES));
      assertThat(only(driver, Kind.UNORDERED_ACCESS).message())
          .contains("cuMemcpyDtoH on the default stream");
      rig.synchronize(0);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void aBlockingUploadOfWhatACopyStillWrites(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      rig.use(0);
      long host = rig.pageable(BYTES);
      ok(driver.memcpyDtoHAsync(host, rig.classic(0, BYTES), BYTES, rig.stream(0)));
      ok(driver.memcpyHtoD(rig.classic(0, BYTES), host, BYTES));
      assertThat(only(driver, Kind.UNORDERED_ACCESS).message()).startsWith("pageable memory");
      rig.synchronize(0);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void aWriteThatDoesNotWaitForAWriteBeforeUnrelatedOnes(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = rig.classic(0, BYTES);
      ok(driver.memsetD8Async(memory, (byte) 1, 100, rig.stream(0)));
      ok(driver.memsetD8Async(memory + 100, (byte) 2, 100, rig.stream(0, 1)));
      ok(driver.memsetD8Async(memory + 200, (byte) 3, 100, rig.stream(0, 1)));
      assertThat(faults(driver)).isEmpty();
      ok(driver.memsetD8Async(memory, (byte) 4, 100, rig.stream(0, 1)));
      only(driver, Kind.UNORDERED_ACCESS);
      rig.synchronize(0);
    }
  }

  /** Found when the kernel runs: only then does it say what it touches. */
  @ParameterizedTest
  @MethodSource("machines")
  void aKernelThatDoesNotWaitForAWrite(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      rig.use(0);
      long function = function(driver, "peek");
      long memory = rig.classic(0, BYTES);
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, rig.stream(0)));
      byte[] parameters =
          ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putLong(memory).array();
      long there = rig.stream(0, 1);
      ok(driver.launchKernel(function, 1, 1, 1, 1, 1, 1, 0, there, parameters, 8));
      ok(driver.streamSynchronize(there));
      assertThat(only(driver, Kind.UNORDERED_ACCESS).message())
          .contains("cuMemsetD8Async on stream", "cuLaunchKernel");
      rig.synchronize(0);
    }
  }

  private static long function(CudaDriver driver, String name) {
    byte[] image = ".version 9.0\n.target sm_90\n".getBytes(StandardCharsets.US_ASCII);
    long[] handle = new long[1];
    ok(driver.moduleLoadDataEx(handle, image, new byte[0]));
    ok(driver.moduleGetFunction(handle, handle[0], name));
    return handle[0];
  }

  @ParameterizedTest
  @MethodSource("machines")
  void poolMemoryFreedOnAStreamThatDidNotWaitForIt(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = allocate(driver, rig.pool(0), rig.stream(0));
      ok(driver.memFreeAsync(memory, rig.stream(0, 1)));
      assertThat(only(driver, Kind.USE_BEFORE_READY).message())
          .contains("cuMemFreeAsync on stream");
      ok(driver.streamSynchronize(rig.stream(0, 1)));
      rig.synchronize(0);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void classicAndPinnedMemoryUsedAfterTheirFree(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = rig.classic(0, BYTES);
      long host = rig.pinned(0, BYTES);
      long freed = rig.classic(0, BYTES);
      long freedHost = rig.pinned(0, BYTES);
      ok(driver.memFree(freed));
      rig.forget(freed);
      ok(driver.memFreeHost(freedHost));
      rig.forget(freedHost);
      DriverRig.expect(
          CudaError.INVALID_VALUE, driver.memcpyDtoHAsync(host, freed, BYTES, rig.stream(0)));
      only(driver, Kind.USE_AFTER_FREE);
      // The driver takes it for pageable memory, which a machine of Java's own can tell apart.
      int unused = driver.memcpyHtoDAsync(memory, freedHost, BYTES, rig.stream(0));
      assertThat(faults(driver))
          .extracting(Finding::kind)
          .containsExactly(Kind.USE_AFTER_FREE, Kind.USE_AFTER_FREE);
      rig.synchronize(0);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void memoryThatIsNeverFreed(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = allocate(driver, rig.pool(0), rig.stream(0));
      long freed = allocate(driver, rig.pool(0), rig.stream(0));
      ok(driver.memFreeAsync(freed, rig.stream(0)));
      rig.synchronize(0);
      assertThat(driver.findings())
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.kind()).isEqualTo(Kind.LEAK);
                assertThat(finding.message()).contains("4096 bytes at 0x%x".formatted(memory));
              });
      ok(driver.memFreeAsync(memory, rig.stream(0)));
      rig.synchronize(0);
      assertThat(driver.findings()).isEmpty();
    }
  }

  // ---- what is in order ------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("machines")
  void whatTheDriverOrdersIsNoFault(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long here = rig.stream(0);
      long there = rig.stream(0, 1);
      long memory = rig.classic(0, BYTES);
      long host = rig.pinned(0, BYTES);
      // One stream after itself, and two readers at once.
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, here));
      wait(driver, rig, here, there);
      ok(driver.memcpyDtoHAsync(host, memory, BYTES, here));
      ok(driver.memcpyDtoDAsync(rig.classic(0, BYTES), memory, BYTES, there));
      // Through a third stream, and by way of an event that outlives neither wait nor stream.
      wait(driver, rig, there, rig.stream(1));
      wait(driver, rig, here, rig.stream(1));
      wait(driver, rig, rig.stream(1), there);
      ok(driver.memsetD8Async(memory, (byte) 2, BYTES, there));
      // Other bytes need no order.
      long more = rig.classic(0, BYTES);
      ok(driver.memsetD8Async(more, (byte) 2, 100, there));
      ok(driver.memsetD8Async(more + 100, (byte) 2, 100, here));
      // The host waits, and everybody comes after that.
      ok(driver.streamSynchronize(there));
      ok(driver.memsetD8Async(memory, (byte) 3, BYTES, here));
      long event = rig.event(0, 0);
      ok(driver.eventRecord(event, here));
      ok(driver.eventSynchronize(event));
      ok(driver.memsetD8Async(memory, (byte) 4, BYTES, there));
      while (driver.streamQuery(there) != CudaError.SUCCESS) {
        Thread.onSpinWait();
      }
      ok(driver.memsetD8Async(memory, (byte) 5, BYTES, here));
      rig.use(0);
      ok(driver.ctxSynchronize());
      ok(driver.memsetD8Async(memory, (byte) 6, BYTES, there));
      ok(driver.streamSynchronize(there));
      assertThat(rig.read(0, memory, BYTES)).containsOnly(6);
      assertThat(faults(driver)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void memoryGoesRoundAmongStreamsWithoutFault(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long pool = rig.pool(0);
      long here = rig.stream(0);
      long there = rig.stream(0, 1);
      for (int i = 0; i < 20; i++) {
        long memory = allocate(driver, pool, here);
        ok(driver.memsetD8Async(memory, (byte) i, BYTES, here));
        wait(driver, rig, here, there);
        ok(driver.memsetD8Async(memory, (byte) -i, BYTES, there));
        ok(driver.memFreeAsync(memory, there));
        long next = allocate(driver, pool, here);
        ok(driver.memsetD8Async(next, (byte) 99, BYTES, here));
        ok(driver.memFreeAsync(next, here));
      }
      ok(driver.streamSynchronize(here));
      ok(driver.streamSynchronize(there));
      assertThat(faults(driver)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void theDefaultStreamAndBlockingStreamsFollowEachOther(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      rig.use(0);
      long[] blocking = new long[1];
      ok(driver.streamCreateWithPriority(blocking, 0, 0));
      long memory = rig.classic(0, BYTES);
      ok(driver.memsetD8Async(memory, (byte) 1, BYTES, blocking[0]));
      ok(driver.memsetD8Async(memory, (byte) 2, BYTES, 0));
      ok(driver.memsetD8Async(memory, (byte) 3, BYTES, blocking[0]));
      ok(driver.streamDestroy(blocking[0]));
      ok(driver.memsetD8Async(memory, (byte) 4, BYTES, 0));
      assertThat(faults(driver)).isEmpty();
      assertThat(rig.read(0, memory, BYTES)).containsOnly(4);
      ok(driver.memsetD8Async(memory, (byte) 5, BYTES, 0));
      ok(driver.memsetD8Async(memory, (byte) 6, BYTES, rig.stream(0)));
      only(driver, Kind.UNORDERED_ACCESS);
      ok(driver.ctxSynchronize());
    }
  }

  /** Its source may be used again at once, its destination has an order with its stream only. */
  @ParameterizedTest
  @MethodSource("machines")
  void aBlockingUploadFromPageableMemoryHasTakenItsSource(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      rig.use(0);
      long memory = rig.classic(0, BYTES);
      long host = rig.pageable(BYTES);
      driver.hostBuffer(host, BYTES).put(0, (byte) 7);
      ok(driver.memcpyHtoD(memory, host, BYTES));
      driver.hostBuffer(host, BYTES).put(0, (byte) 8);
      driver.hostFree(host);
      rig.forget(host);
      assertThat(faults(driver)).isEmpty();
      assertThat(rig.read(0, memory, 1)).containsExactly(7);
      ok(driver.memcpyHtoD(memory, rig.pageable(BYTES), BYTES));
      ok(driver.memsetD8Async(memory, (byte) 6, BYTES, rig.stream(0)));
      only(driver, Kind.UNORDERED_ACCESS);
      ok(driver.ctxSynchronize());
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void aThousandStreamsOneAfterAnotherCostNoMoreThanOne(SimulatedDriver driver) {
    try (DriverRig rig = new DriverRig(driver)) {
      long memory = rig.classic(0, BYTES);
      for (int i = 0; i < 1000; i++) {
        rig.use(0);
        long[] stream = new long[1];
        ok(driver.streamCreateWithPriority(stream, DriverFlags.STREAM_NON_BLOCKING, 0));
        ok(driver.memsetD8Async(memory, (byte) i, BYTES, stream[0]));
        if (i % 2 == 0) {
          ok(driver.streamSynchronize(stream[0]));
        } else {
          ok(driver.ctxSynchronize());
        }
        ok(driver.streamDestroy(stream[0]));
      }
      assertThat(faults(driver)).isEmpty();
    }
  }

  private static long allocate(CudaDriver driver, long pool, long stream) {
    long[] memory = new long[1];
    ok(driver.memAllocFromPoolAsync(memory, BYTES, pool, stream));
    return memory[0];
  }

  private static void wait(CudaDriver driver, DriverRig rig, long before, long after) {
    int device = before == rig.stream(1) ? 1 : 0;
    long event = rig.event(device, 0);
    ok(driver.eventRecord(event, before));
    ok(driver.streamWaitEvent(after, event, 0));
  }

  private static List<Finding> faults(SimulatedDriver driver) {
    return driver.findings().stream().filter(finding -> finding.kind() != Kind.LEAK).toList();
  }

  private static Finding only(SimulatedDriver driver, Kind kind) {
    List<Finding> faults = faults(driver);
    assertThat(faults).extracting(Finding::kind).containsExactly(kind);
    return faults.get(0);
  }
}
