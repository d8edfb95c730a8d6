package org.cuarray.tests.driver;

import static org.cuarray.driver.CudaError.TOO_MANY_PEERS;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.PoolAccess;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeerLimitTest {
  private final CudaDriver driver = SimulatedDriver.of(Preset.SIXTEEN);
  private final DriverRig rig = new DriverRig(driver);

  @AfterEach
  void giveBack() {
    rig.close();
  }

  @Test
  void aNinthPeerIsOneTooManyUntilAnotherIsDisabled() {
    for (int peer = 1; peer <= 8; peer++) {
      rig.use(0);
      ok(driver.ctxEnablePeerAccess(rig.context(peer), 0));
    }
    expect(TOO_MANY_PEERS, driver.ctxEnablePeerAccess(rig.context(9), 0));
    ok(driver.ctxDisablePeerAccess(rig.context(3)));
    ok(driver.ctxEnablePeerAccess(rig.context(9), 0));
  }

  @Test
  void thePeersOfOneDeviceDoNotCountForAnother() {
    for (int peer = 1; peer <= 8; peer++) {
      rig.enablePeer(0, peer);
    }
    rig.enablePeer(9, 10);
    rig.enablePeer(1, 0);
  }

  @Test
  void aPoolGrantTakesTheSameSlotAsContextAccess() {
    for (int peer = 1; peer <= 8; peer++) {
      rig.enablePeer(0, peer);
    }
    long known = rig.pool(8);
    ok(driver.memPoolSetAccess(known, 0, PoolAccess.READ_WRITE));
    long ninth = rig.pool(9);
    expect(TOO_MANY_PEERS, driver.memPoolSetAccess(ninth, 0, PoolAccess.READ_WRITE));
    rig.use(0);
    ok(driver.ctxDisablePeerAccess(rig.context(8)));
    expect(TOO_MANY_PEERS, driver.memPoolSetAccess(ninth, 0, PoolAccess.READ_WRITE));
    ok(driver.memPoolSetAccess(known, 0, PoolAccess.NONE));
    ok(driver.memPoolSetAccess(ninth, 0, PoolAccess.READ_WRITE));
    ok(driver.memPoolSetAccess(ninth, 0, PoolAccess.NONE));
    ok(driver.ctxEnablePeerAccess(rig.context(8), 0));
  }

  @Test
  void aDestroyedPoolGivesItsSlotBack() {
    CudaDriver small = SimulatedDriver.builder().preset(Preset.NVLINK).peerLimit(1).build();
    long[] pool = new long[1];
    try (DriverRig limited = new DriverRig(small)) {
      ok(small.memPoolCreate(pool, 1));
      ok(small.memPoolSetAccess(pool[0], 0, PoolAccess.READ_WRITE));
      long next = limited.pool(2);
      expect(TOO_MANY_PEERS, small.memPoolSetAccess(next, 0, PoolAccess.READ_WRITE));
      ok(small.memPoolDestroy(pool[0]));
      ok(small.memPoolSetAccess(next, 0, PoolAccess.READ_WRITE));
    }
  }

  @Test
  void anEndedContextGivesItsSlotsBack() {
    long[] context = new long[1];
    rig.context(0);
    ok(driver.ctxCreate(context, 0, 0));
    for (int peer = 1; peer <= 8; peer++) {
      ok(driver.ctxEnablePeerAccess(rig.context(peer), 0));
    }
    ok(driver.ctxDestroy(context[0]));
    rig.enablePeer(0, 9);
  }

  @Test
  void slotsTowardsAnEndedContextAreFreeAgain() {
    CudaDriver small = SimulatedDriver.builder().peerLimit(1).build();
    long[] context = new long[1];
    try (DriverRig limited = new DriverRig(small)) {
      ok(small.ctxCreate(context, 0, 1));
      limited.use(0);
      ok(small.ctxEnablePeerAccess(context[0], 0));
      expect(TOO_MANY_PEERS, small.ctxEnablePeerAccess(limited.context(2), 0));
      ok(small.ctxDestroy(context[0]));
      ok(small.ctxEnablePeerAccess(limited.context(2), 0));
    }
  }

  @Test
  void inheritedGrantsHoldTheirSlots() {
    CudaDriver small = SimulatedDriver.builder().peerLimit(1).recycledPoolsInheritGrants().build();
    long[] pool = new long[1];
    ok(small.init(0));
    ok(small.memPoolCreate(pool, 1));
    ok(small.memPoolSetAccess(pool[0], 0, PoolAccess.READ_WRITE));
    ok(small.memPoolDestroy(pool[0]));
    ok(small.memPoolCreate(pool, 1));
    try (DriverRig limited = new DriverRig(small)) {
      limited.use(0);
      expect(TOO_MANY_PEERS, small.ctxEnablePeerAccess(limited.context(2), 0));
      ok(small.memPoolSetAccess(pool[0], 0, PoolAccess.NONE));
      ok(small.ctxEnablePeerAccess(limited.context(2), 0));
    }
  }
}
