package org.cuarray.tests.multidevice;

import org.cuarray.PeerPolicy;
import org.junit.jupiter.api.Tag;

/**
 * Many copies at once on this machine's GPUs, all of them through the host, within a device too.
 * Not part of the ordinary build: its name is run by hand, or by the suite runner of the bundle.
 */
@Tag("gpu")
public final class CudaStagedCopiesSuite extends ManyCopiesSuite {

  /** For JUnit. */
  public CudaStagedCopiesSuite() {}

  @Override
  protected MachineUnderTest openMachine() {
    return GpuMachine.open(PeerPolicy.FORCE_HOST_STAGED);
  }
}
