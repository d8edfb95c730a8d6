package org.cuarray.tests.multidevice;

import java.util.List;
import org.cuarray.AllocatorKind;
import org.cuarray.CuDevice;
import org.cuarray.CuTopology;
import org.cuarray.PeerPolicy;
import org.cuarray.driver.CudaDriver;

/** A machine of any number of devices, and what the suite is to expect of it. */
public interface MachineUnderTest {

  /**
   * The driver of the machine.
   *
   * @return always the same object
   */
  CudaDriver driver();

  /**
   * How patterns of many copies go.
   *
   * @return over peer links where they carry, unless the machine is there to try another way
   */
  default PeerPolicy policy() {
    return PeerPolicy.AUTO;
  }

  /**
   * Whether a copy is to go over the peer link, where peer links are allowed: known beforehand, or
   * worked out from what the driver says and what is known of the link; never asked of a plan.
   *
   * @param topology of the runtime that copies, after the link was tried
   * @param pair two different devices
   * @param source how the source was allocated
   * @param destination how the destination was allocated
   * @return false where the copy is to go through the host
   */
  boolean carries(
      CuTopology topology, DevicePair pair, AllocatorKind source, AllocatorKind destination);

  /**
   * The pairs of devices between which copies of a size are tried.
   *
   * @param devices of the machine
   * @param bytes of the copy
   * @return all of them, unless the machine is too slow or too small
   */
  default List<DevicePair> pairs(List<CuDevice> devices, long bytes) {
    return DevicePair.all(devices);
  }

  /**
   * Whether copies of a size are tried between two kinds of memory.
   *
   * @param source how the source is allocated
   * @param destination how the destination is allocated
   * @param bytes of the copy
   * @return true, unless the machine is too slow
   */
  default boolean tries(AllocatorKind source, AllocatorKind destination, long bytes) {
    return true;
  }

  /**
   * The devices that take part in patterns of many copies.
   *
   * @param devices of the machine
   * @return two or more of them, where there are two
   */
  default List<CuDevice> inPatterns(List<CuDevice> devices) {
    return devices;
  }

  /**
   * How often something is repeated that seldom goes wrong.
   *
   * @param wanted on a machine that is fast
   * @return as many, unless the machine is slow
   */
  default int rounds(int wanted) {
    return wanted;
  }

  /**
   * What is copied.
   *
   * @param bytes how many
   * @param seed of what is random in them
   * @return contents that no other place holds by chance
   */
  Contents contents(long bytes, long seed);

  /**
   * Fails where something was misused or leaked; called when all that used the machine is closed.
   */
  default void check() {}
}
