package org.cuarray.tests.conformance;

import org.cuarray.driver.CudaDriver;
import org.junit.jupiter.api.Nested;

/**
 * Holds a driver to all facts, by noun. A subclass says which driver; no one else may use its
 * devices meanwhile.
 *
 * <p>Each test gives back what it took: memory, streams, events, pools, peer access, contexts.
 * Tests are tagged {@code documented} or {@code observed}; the latter are skipped on other driver
 * versions than the one on which they were observed. Those about two devices are skipped on one.
 */
public abstract class DriverConformance {

  /** For subclasses. */
  protected DriverConformance() {}

  /**
   * The driver under test. A simulated one has a body for the kernel of {@link KernelFacts}.
   *
   * @return a fresh one, or the process's only one; called before each test
   */
  protected abstract CudaDriver openDriver();

  @Nested
  class Contexts extends ContextFacts {
    @Override
    CudaDriver openDriver() {
      return DriverConformance.this.openDriver();
    }
  }

  @Nested
  class Pointers extends PointerFacts {
    @Override
    CudaDriver openDriver() {
      return DriverConformance.this.openDriver();
    }
  }

  @Nested
  class Allocation extends AllocationFacts {
    @Override
    CudaDriver openDriver() {
      return DriverConformance.this.openDriver();
    }
  }

  @Nested
  class Copies extends CopyFacts {
    @Override
    CudaDriver openDriver() {
      return DriverConformance.this.openDriver();
    }
  }

  @Nested
  class PeerAccess extends PeerAccessFacts {
    @Override
    CudaDriver openDriver() {
      return DriverConformance.this.openDriver();
    }
  }

  @Nested
  class Pools extends PoolFacts {
    @Override
    CudaDriver openDriver() {
      return DriverConformance.this.openDriver();
    }
  }

  @Nested
  class StreamsAndEvents extends StreamAndEventFacts {
    @Override
    CudaDriver openDriver() {
      return DriverConformance.this.openDriver();
    }
  }

  @Nested
  class Kernels extends KernelFacts {
    @Override
    CudaDriver openDriver() {
      return DriverConformance.this.openDriver();
    }
  }

  @Nested
  class HostMemory extends HostMemoryFacts {
    @Override
    CudaDriver openDriver() {
      return DriverConformance.this.openDriver();
    }
  }
}
