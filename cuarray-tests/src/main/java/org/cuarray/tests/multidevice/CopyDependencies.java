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
import org.cuarray.PeerPolicy;
import org.cuarray.driver.RecordingDriver.Call;
import org.junit.jupiter.api.Test;

/**
 * What waits for what, by the driver calls that were made: dependent copies wait, independent ones
 * don't, and a chain over one link costs one call a copy.
 */
abstract class CopyDependencies extends MultiDeviceTests {
  private static final long SIZE = 1000;

  private List<DevicePair> crossing() {
    assumeTrue(rig.devices().size() > 1, "there is one device");
    return DevicePair.crossing(rig.devices());
  }

  /** A copy to be made. */
  private record Copy(CuArray<Integer> source, CuArray<Integer> destination) {}

  @Test
  void copiesOverDifferentLinksWaitForNothingOfEachOther() {
    List<Copy> copies = new ArrayList<>();
    for (DevicePair pair : crossing()) {
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
      if (rig.expected(copy.source, copy.destination, PeerPolicy.AUTO) == CopyStrategy.PEER) {
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
  void aCopyOnwardsWaitsForTheCopyThatBroughtTheBytes() {
    for (DevicePair pair : crossing()) {
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
      StreamWaits brought = new StreamWaits(earlier, first.subList(earlier.size(), first.size()));
      StreamWaits took = new StreamWaits(first, second.subList(first.size(), second.size()));
      assertThat(took.all())
          .as(pair.toString())
          .anyMatch(
              wait ->
                  brought.transferring().contains(wait.waitedFor())
                      && took.transferring().contains(wait.waiter()));
    }
  }

  @Test
  void onAChainOverOneLinkEachFurtherCopyIsOneDriverCall() {
    int chains = 0;
    for (DevicePair pair : crossing()) {
      for (AllocatorKind from : MultiDeviceRig.kinds(pair.from())) {
        for (AllocatorKind to : MultiDeviceRig.kinds(pair.to())) {
          chains += chainIsOneCallEach(pair.from().using(from), pair.to().using(to)) ? 1 : 0;
        }
      }
    }
    assumeTrue(chains > 0, "no peer link carries copies here");
  }

  private boolean chainIsOneCallEach(CuDevice from, CuDevice to) {
    int further = 20;
    try (CuArray<Integer> source = from.full(DType.INT32, 7, SIZE);
        CuArray<Integer> destination = to.zeros(DType.INT32, SIZE)) {
      source.copyTo(destination);
      if (rig.expected(source, destination, PeerPolicy.AUTO) != CopyStrategy.PEER) {
        return false;
      }
      List<Call> earlier = rig.recording().calls();
      for (int i = 0; i < further; i++) {
        source.copyTo(destination);
      }
      List<Call> all = rig.recording().calls();
      assertThat(CopyCalls.besidesContextSwitches(all.subList(earlier.size(), all.size())))
          .extracting(Call::name)
          .hasSize(further)
          .containsOnly("cuMemcpyPeerAsync");
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
