package org.cuarray.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.INVALID_HANDLE;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import org.cuarray.driver.DriverFlags;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams, events and waiting. */
abstract class StreamAndEventFacts extends DriverFacts {

  @Test
  @Tag(DOCUMENTED)
  void aStreamKnowsItsContext() {
    long[] context = new long[1];
    ok(driver.streamGetCtx(rig.stream(device), context));
    assertThat(context[0]).isEqualTo(rig.context(device));
  }

  @Test
  @Tag(DOCUMENTED)
  void aPriorityOutOfRangeIsClamped() {
    int[] least = new int[1];
    int[] greatest = new int[1];
    int[] priority = {99};
    long[] stream = new long[1];
    rig.use(0);
    ok(driver.ctxGetStreamPriorityRange(least, greatest));
    assertThat(greatest[0]).isLessThanOrEqualTo(least[0]);
    ok(driver.streamCreateWithPriority(stream, DriverFlags.STREAM_NON_BLOCKING, -1000));
    ok(driver.streamGetPriority(stream[0], priority));
    ok(driver.streamDestroy(stream[0]));
    assertThat(priority[0]).isEqualTo(greatest[0]);
  }

  @Test
  @Tag(DOCUMENTED)
  void aStreamOfOurOwnIsNotCapturing() {
    int[] status = {-1};
    ok(driver.streamIsCapturing(rig.stream(0), status));
    assertThat(status[0]).isZero();
  }

  @Test
  @Tag(DOCUMENTED)
  void aSynchronisedStreamHasNothingLeft() {
    rig.fill(0, rig.classic(0, MIB), 1, MIB);
    rig.synchronize(0);
    ok(driver.streamQuery(rig.stream(0)));
  }

  @Test
  @Tag(DOCUMENTED)
  void unknownFlagsAreInvalid() {
    long event = rig.event(0, DriverFlags.EVENT_DISABLE_TIMING);
    long stream = rig.stream(0);
    rig.use(0);
    expect(INVALID_VALUE, driver.eventCreate(new long[1], 1 << 30));
    expect(INVALID_VALUE, driver.streamCreateWithPriority(new long[1], 1 << 30, 0));
    expect(INVALID_VALUE, driver.streamWaitEvent(stream, event, 1 << 30));
  }

  @Test
  @Tag(DOCUMENTED)
  void anEventNeverRecordedIsCompletedAndWaitingForItIsNoWait() {
    long event = rig.event(0, DriverFlags.EVENT_DISABLE_TIMING);
    ok(driver.eventQuery(event));
    ok(driver.eventSynchronize(event));
    ok(driver.streamWaitEvent(rig.stream(0), event, 0));
    ok(driver.streamWaitEvent(rig.stream(device), event, 0));
    rig.synchronize(0, device);
  }

  @Test
  @Tag(DOCUMENTED)
  void anEventIsRecordedOnlyOnStreamsOfItsContext() {
    long event = rig.event(0, DriverFlags.EVENT_DISABLE_TIMING);
    expect(INVALID_HANDLE, driver.eventRecord(event, rig.stream(1)));
    ok(driver.eventRecord(event, rig.stream(0)));
  }

  @Test
  @Tag(OBSERVED)
  void anEventIsRecordedWhateverContextIsCurrent() {
    long event = rig.event(0, DriverFlags.EVENT_DISABLE_TIMING);
    long stream = rig.stream(0);
    rig.useNone();
    ok(driver.eventRecord(event, stream));
    rig.use(device);
    ok(driver.eventRecord(event, stream));
    rig.use(0);
    ok(driver.eventRecord(event, stream));
    ok(driver.eventSynchronize(event));
  }

  @Test
  @Tag(DOCUMENTED)
  void aStreamWaitsForAnEventOfAnotherDevice() {
    long event = rig.event(0, DriverFlags.EVENT_DISABLE_TIMING);
    long from = rig.classic(0, MIB);
    long to = rig.classic(1, MIB);
    rig.fill(1, to, 0, MIB);
    ok(driver.memsetD8Async(from, (byte) 11, MIB, rig.stream(0)));
    ok(driver.eventRecord(event, rig.stream(0)));
    ok(driver.streamWaitEvent(rig.stream(1), event, 0));
    ok(driver.memcpyPeerAsync(to, rig.context(1), from, rig.context(0), MIB, rig.stream(1)));
    rig.synchronize(1);
    ok(driver.eventQuery(event));
    assertThat(rig.read(1, to + MIB - 1, 1)).containsExactly(11);
  }

  @Test
  @Tag(DOCUMENTED)
  void aSynchronisedEventIsCompleted() {
    long event = rig.event(0, 0);
    ok(driver.eventRecord(event, rig.stream(0)));
    ok(driver.eventSynchronize(event));
    ok(driver.eventQuery(event));
  }

  @Test
  @Tag(DOCUMENTED)
  void timeIsMeasuredOnlyBetweenRecordedEventsThatKeepIt() {
    float[] milliseconds = new float[1];
    long start = rig.event(0, 0);
    long end = rig.event(0, 0);
    long untimed = rig.event(0, DriverFlags.EVENT_DISABLE_TIMING);
    long stream = rig.stream(0);
    ok(driver.eventRecord(start, stream));
    ok(driver.eventRecord(untimed, stream));
    rig.synchronize(0);
    expect(INVALID_HANDLE, driver.eventElapsedTime(milliseconds, start, end));
    expect(INVALID_HANDLE, driver.eventElapsedTime(milliseconds, start, untimed));
    ok(driver.eventRecord(end, stream));
    rig.synchronize(0);
    ok(driver.eventElapsedTime(milliseconds, start, end));
    assertThat(milliseconds[0]).isNotNegative();
  }

  @Test
  @Tag(DOCUMENTED)
  void recordingAgainMovesTheEvent() {
    float[] milliseconds = new float[1];
    long moved = rig.event(0, 0);
    long between = rig.event(0, 0);
    long stream = rig.stream(0);
    for (long event : new long[] {moved, between, moved}) {
      ok(driver.eventRecord(event, stream));
      rig.synchronize(0);
    }
    ok(driver.eventElapsedTime(milliseconds, between, moved));
    assertThat(milliseconds[0]).isNotNegative();
  }
}
