package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.AllocatorKind;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.DType;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.tests.multidevice.StreamWaits.Wait;
import org.junit.jupiter.api.Test;

/**
 * What waits for what, by the driver calls that were made: dependent copies wait, independent ones
 * don't, and a chain between two places costs one call a copy.
 */
abstract class CopyDependencies extends MultiDeviceTests {
  private static final long SIZE = 1000;

  /** A copy to be made. */
  private record Copy(CuArray<Integer> source, CuArray<Integer> destination) {}

  @Test
  void copiesOverDifferentLinksWaitForNothingOfEachOther() {
    List<Copy> copies = new ArrayList<>();
    for (DevicePair pair : DevicePair.crossing(rig.devices())) {
      copies.add(new Copy(filled(pair.from()), filled(pair.to())));
    }
    assertIndependent(copies);
  }

  @Test
  void copiesFromOneArrayToAllDevicesWaitForNothingOfEachOther() {
    CuDevice first = rig.devices().get(0);
    CuArray<Integer> source = filled(first);
    List<Copy> copies = new ArrayList<>();
    for (CuDevice other : othersThan(first)) {
      copies.add(new Copy(source, filled(other)));
    }
    assertIndependent(copies);
  }

  @Test
  void copiesIntoDisjointSlicesOfOneArrayWaitForNothingOfEachOther() {
    CuDevice first = rig.devices().get(0);
    List<CuDevice> others = othersThan(first);
    CuArray<Integer> all = scope.keep(first.zeros(DType.INT32, others.size() * SIZE));
    List<Copy> copies = new ArrayList<>();
    for (int i = 0; i < others.size(); i++) {
      copies.add(new Copy(filled(others.get(i)), scope.keep(all.slice(i * SIZE, (i + 1) * SIZE))));
    }
    assertIndependent(copies);
  }

  /** Of peer copies: those through the host take turns on the staging slots. */
  private void assertIndependent(List<Copy> copies) {
    // Proves the links and makes the streams, which is no part of what is looked at here.
    copies.forEach(copy -> copy.source.copyTo(copy.destination));
    cuda.synchronize();
    int seen = rig.recording().calls().size();
    int peerCopies = 0;
    for (Copy copy : copies) {
      if (rig.expected(copy.source, copy.destination) == CopyStrategy.PEER) {
        copy.source.copyTo(copy.destination);
        List<Call> calls = rig.recording().calls();
        StreamWaits waits = new StreamWaits(calls, calls.subList(seen, calls.size()));
        assertThat(waits.transferring()).hasSize(1);
        assertThat(waits.all()).as("waits of a copy for other copies").isEmpty();
        seen = calls.size();
        peerCopies++;
      }
    }
    assumeTrue(peerCopies > 0, "no peer link carries copies here");
  }

  @Test
  void aCopyOnwardsReadsAfterTheCopyThatBroughtTheBytesHasWritten() {
    for (DevicePair pair : DevicePair.farthest(rig.devices())) {
      CuArray<Integer> from = filled(pair.from());
      CuArray<Integer> between = filled(pair.to());
      CuArray<Integer> onwards = filled(pair.from());
      from.copyTo(between);
      between.copyTo(onwards);
      cuda.synchronize();
      List<Call> earlier = rig.recording().calls();
      from.copyTo(between);
      List<Call> first = rig.recording().calls();
      between.copyTo(onwards);
      List<Call> second = rig.recording().calls();
      assertComesAfter(
          first.subList(earlier.size(), first.size()),
          second.subList(first.size(), second.size()),
          new StreamWaits(first, second.subList(first.size(), second.size())),
          pair);
    }
  }

  /** Each copy is one piece: its last transfer writes, its first one reads. */
  private static void assertComesAfter(
      List<Call> brought, List<Call> took, StreamWaits waits, DevicePair pair) {
    List<Long> writers = StreamWaits.streams(brought);
    long writer = writers.get(writers.size() - 1);
    long reader = StreamWaits.streams(took).get(0);
    if (reader != writer) {
      assertThat(waits.all()).as(pair.toString()).contains(new Wait(reader, writer));
    }
  }

  @Test
  void onAChainBetweenTwoPlacesEachFurtherCopyIsOneDriverCall() {
    int chains = 0;
    for (DevicePair pair : DevicePair.farthest(rig.devices())) {
      for (AllocatorKind from : MultiDeviceRig.kinds(pair.from())) {
        for (AllocatorKind to : MultiDeviceRig.kinds(pair.to())) {
          chains += chainIsOneCallEach(pair.from().using(from), pair.to().using(to)) ? 1 : 0;
        }
      }
    }
    assumeTrue(chains > 0, "all copies go through the host here");
  }

  private boolean chainIsOneCallEach(CuDevice from, CuDevice to) {
    int further = 20;
    try (CuArray<Integer> source = from.full(DType.INT32, 7, SIZE);
        CuArray<Integer> destination = to.zeros(DType.INT32, SIZE)) {
      source.copyTo(destination);
      CopyStrategy strategy = rig.expected(source, destination);
      if (strategy == CopyStrategy.HOST_STAGED) {
        return false;
      }
      List<Call> earlier = rig.recording().calls();
      for (int i = 0; i < further; i++) {
        source.copyTo(destination);
      }
      List<Call> all = rig.recording().calls();
      List<Call> made = CopyCalls.besidesTidying(all.subList(earlier.size(), all.size()));
      assertThat(CopyCalls.besidesContextSwitches(made))
          .extracting(Call::name)
          .hasSize(further)
          .hasSameElementsAs(CopyCalls.namesOf(strategy));
      assertThat(destination.toArray(DType.INT32)).containsOnly(7);
      return true;
    } finally {
      // The reaper's own calls must not fall into the next chain's.
      rig.quiesce();
    }
  }

  private CuArray<Integer> filled(CuDevice device) {
    return scope.keep(device.full(DType.INT32, device.ordinal() + 1, SIZE));
  }

  private List<CuDevice> othersThan(CuDevice one) {
    return rig.devices().stream().filter(device -> !device.equals(one)).toList();
  }
}
