package org.cuarray.tests.faults;

import java.util.Set;
import org.cuarray.CuDriverException;
import org.cuarray.CuException;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.simulated.Finding;
import org.cuarray.driver.simulated.Finding.Kind;
import org.cuarray.tests.faults.FaultyDriver.Fault;
import org.jspecify.annotations.Nullable;

/**
 * What a fault may leave behind, and the known limits: what it leaves behind, though it need not.
 */
final class Tolerated {
  /** Their failure means that memory stays allocated: that is the driver's leak. */
  private static final Set<String> FREES =
      Set.of("cuMemFree", "cuMemFreeAsync", "cuMemFreeHost", "cuMemPoolDestroy");

  /** A known limit: where one of these fails, a free in stream order is given up for good. */
  private static final Set<String> GIVE_UP_A_FREE =
      Set.of(
          "cuCtxPushCurrent",
          "cuEventCreate",
          "cuEventRecord",
          "cuStreamWaitEvent",
          "cuStreamCreateWithPriority");

  /**
   * A known limit: where one of these fails, the reaper and a failing proof free memory that they
   * should have waited for.
   */
  private static final Set<String> LOSE_A_WAIT =
      Set.of(
          "cuCtxPushCurrent",
          "cuEventCreate",
          "cuEventRecord",
          "cuEventSynchronize",
          "cuStreamSynchronize");

  private Tolerated() {}

  static boolean isTolerated(@Nullable Fault fault, Finding finding) {
    if (fault == null) {
      return false;
    }
    return finding.kind() == Kind.LEAK
        ? FREES.contains(fault.call()) || GIVE_UP_A_FREE.contains(fault.call())
        : finding.kind() == Kind.FREE_IN_FLIGHT && LOSE_A_WAIT.contains(fault.call());
  }

  /** What an exception calls a call. */
  static Set<String> names(Fault fault) {
    return switch (fault.call()) {
      // Not the driver's: it is C's, and called so.
      case "cuHostMalloc" -> Set.of("malloc");
      // A known limit: fills are all reported by a name that no call has.
      case "cuMemsetD32Async", "cuMemcpyDtoDAsync" -> Set.of(fault.call(), "cuMemsetAsync");
      default -> Set.of(fault.call());
    };
  }

  /**
   * A known limit: a call that concerns two devices is put down to one of them, though it may be
   * the other that is lost.
   */
  static boolean namesTheOtherDevice(CuException thrown) {
    return thrown.getCause() instanceof CuDriverException cause
        && Set.of("cuStreamWaitEvent", "cuMemcpyPeerAsync").contains(cause.call());
  }

  /** Whose device an address belongs to cannot be said where that very question fails. */
  static boolean knowsNoDevice(CuException thrown) {
    return thrown instanceof CuDriverException named
        && named.call().startsWith("cuPointerGetAttribute")
        && CudaError.isSticky(named.code());
  }

  /**
   * A known limit: pool memory that was last used together with a device that is lost now is never
   * freed.
   */
  static boolean isTolerated(Finding afterALoss) {
    return afterALoss.kind() == Kind.LEAK && afterALoss.message().startsWith("pool memory");
  }
}
