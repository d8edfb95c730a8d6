package org.cuarray.tests.multidevice;

import org.cuarray.PeerPolicy;
import org.junit.jupiter.api.Tag;

/**
 * The multi-device suite on this machine's GPUs, of which there may be one. Not part of the
 * ordinary build: its name is run by hand, or by the suite runner of the bundle.
 */
@Tag("gpu")
public final class CudaMultiDeviceSuite extends MultiDeviceSuite {

  /** For JUnit. */
  public CudaMultiDeviceSuite() {}

  @Override
  protected MachineUnderTest openMachine() {
    return GpuMachine.open(PeerPolicy.AUTO);
  }
}
