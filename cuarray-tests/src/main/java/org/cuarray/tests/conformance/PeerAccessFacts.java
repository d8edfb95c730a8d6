package org.cuarray.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.INVALID_CONTEXT;
import static org.cuarray.driver.CudaError.INVALID_DEVICE;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.PEER_ACCESS_ALREADY_ENABLED;
import static org.cuarray.driver.CudaError.PEER_ACCESS_NOT_ENABLED;
import static org.cuarray.driver.CudaError.PEER_ACCESS_UNSUPPORTED;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.cuarray.driver.PoolAccess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Peer access of contexts, on devices 0 and 1; skipped where they are not capable of it. */
abstract class PeerAccessFacts extends DriverFacts {
  private static final int BYTES = 4096;

  @Test
  @Tag(DOCUMENTED)
  void aDeviceIsNoPeerOfItself() {
    assertThat(canAccess(0, 0)).isFalse();
    expect(INVALID_DEVICE, driver.deviceCanAccessPeer(new int[1], 0, 99));
  }

  @Test
  @Tag(OBSERVED)
  void enablingRefusesItselfFlagsAndNull() {
    rig.use(0);
    expect(PEER_ACCESS_UNSUPPORTED, driver.ctxEnablePeerAccess(rig.context(0), 0));
    expect(INVALID_VALUE, driver.ctxEnablePeerAccess(rig.context(1), 1));
    expect(INVALID_CONTEXT, driver.ctxEnablePeerAccess(0, 0));
  }

  @Test
  @Tag(DOCUMENTED)
  void enablingNeedsACurrentContext() {
    expect(INVALID_CONTEXT, driver.ctxEnablePeerAccess(rig.context(device), 0));
  }

  @Test
  @Tag(DOCUMENTED)
  void enablingTwiceSaysSo() {
    assumeLinked();
    rig.enablePeer(0, 1);
    rig.use(0);
    expect(PEER_ACCESS_ALREADY_ENABLED, driver.ctxEnablePeerAccess(rig.context(1), 0));
  }

  @Test
  @Tag(DOCUMENTED)
  void disablingWhatIsNotEnabledSaysSo() {
    rig.use(0);
    expect(PEER_ACCESS_NOT_ENABLED, driver.ctxDisablePeerAccess(rig.context(1)));
  }

  @Test
  @Tag(DOCUMENTED)
  void accessIsEnabledOneWay() {
    assumeLinked();
    rig.enablePeer(0, 1);
    rig.use(1);
    expect(PEER_ACCESS_NOT_ENABLED, driver.ctxDisablePeerAccess(rig.context(0)));
  }

  @Test
  @Tag(OBSERVED)
  void withAccessOneWayCopiesGoBothWaysFromEitherSidesStream() {
    assumeLinked();
    rig.enablePeer(0, 1);
    long zero = rig.classic(0, BYTES);
    long one = rig.classic(1, BYTES);
    byte value = 10;
    for (int worker : new int[] {0, 1}) {
      assertCopies(0, zero, 1, one, worker, value++);
      assertCopies(1, one, 0, zero, worker, value++);
    }
  }

  @Test
  @Tag(OBSERVED)
  void withContextAccessOnlyPoolsAreReachedAllTheSame() {
    assumeLinked();
    rig.enablePeers(0, 1);
    assertCopies(0, rig.pooled(0, BYTES), 1, rig.pooled(1, BYTES), 0, (byte) 20);
    assertCopies(0, rig.classic(0, BYTES), 1, rig.pooled(1, BYTES), 0, (byte) 21);
    assertCopies(0, rig.pooled(0, BYTES), 1, rig.classic(1, BYTES), 0, (byte) 22);
  }

  @Test
  @Tag(OBSERVED)
  void withAPoolGrantCopiesReachThePool() {
    assumeLinked();
    long pool = rig.pool(1);
    ok(driver.memPoolSetAccess(pool, 0, PoolAccess.READ_WRITE));
    long pooled = rig.pooled(1, pool, BYTES);
    assertCopies(0, rig.pooled(0, BYTES), 1, pooled, 0, (byte) 30);
    assertCopies(1, pooled, 0, rig.pooled(0, BYTES), 0, (byte) 31);
    assertCopies(1, pooled, 0, rig.pooled(0, BYTES), 1, (byte) 32);
  }

  private void assertCopies(
      int fromDevice, long from, int toDevice, long to, int worker, byte value) {
    rig.fill(toDevice, to, 0, BYTES);
    rig.fill(fromDevice, from, value, BYTES);
    ok(
        driver.memcpyPeerAsync(
            to, rig.context(toDevice), from, rig.context(fromDevice), BYTES, rig.stream(worker)));
    rig.synchronize(worker);
    assertThat(rig.read(toDevice, to + BYTES - 1, 1)).containsExactly(value);
  }

  private void assumeLinked() {
    assumeTrue(canAccess(0, 1) && canAccess(1, 0), "devices 0 and 1 are not peers");
  }

  private boolean canAccess(int device, int peer) {
    rig.assumeDevice(Math.max(device, peer));
    int[] answer = new int[1];
    ok(driver.deviceCanAccessPeer(answer, device, peer));
    return answer[0] == 1;
  }
}
