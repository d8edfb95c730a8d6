package org.cuarray.memory;

import org.cuarray.CuOutOfMemoryException;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverStatus;
import org.cuarray.registry.DeviceContexts;
import org.cuarray.registry.PointerTable;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;
import org.cuarray.stream.StreamPolicy;
import org.cuarray.stream.StreamPolicy.Lane;

/** The stream-ordered allocator of one device, on a pool of its own. */
final class PoolAllocator implements DeviceMemoryAllocator {
  private final CudaDriver driver;
  private final PointerTable table;
  private final StreamPolicy streams;
  private final Usage usage;
  private final Outstanding outstanding;
  private final int ordinal;
  private final DevicePool pool;
  private final Residence residence;

  PoolAllocator(
      CudaDriver driver, StreamPolicy streams, int ordinal, Usage usage, Outstanding outstanding) {
    this.driver = driver;
    this.table = PointerTable.of(driver);
    this.streams = streams;
    this.ordinal = ordinal;
    this.usage = usage;
    this.outstanding = outstanding;
    long context = DeviceContexts.of(driver).context(ordinal);
    this.pool = new DevicePool(driver, ordinal);
    this.residence = Residences.of(driver).ofPool(ordinal, context, pool);
  }

  private PoolAllocator(PoolAllocator other, Usage usage) {
    this.driver = other.driver;
    this.table = other.table;
    this.streams = other.streams;
    this.ordinal = other.ordinal;
    this.usage = usage;
    this.outstanding = other.outstanding;
    this.pool = other.pool;
    this.residence = other.residence;
  }

  /** One that takes from the same pool what is not to count as memory of arrays. */
  PoolAllocator apart() {
    return new PoolAllocator(this, new Usage());
  }

  @Override
  public Residence residence() {
    return residence;
  }

  @Override
  public long reserved() {
    return pool.reserved();
  }

  @Override
  public void trim() {
    streams.lane(ordinal, Lane.FREE).synchronize();
    streams.lane(ordinal, Lane.ALLOCATE).synchronize();
    pool.trim();
  }

  @Override
  public Block allocate(long bytes) {
    return outstanding.letOut(() -> allocateCounted(bytes));
  }

  private Block allocateCounted(long bytes) {
    OrderedStream stream = streams.lane(ordinal, Lane.ALLOCATE);
    long[] pointer = new long[1];
    Operation step = Operation.begin();
    try {
      step.enterInsteadOfAnotherContext(stream, pool.handle(), 0);
      int status = driver.memAllocFromPoolAsync(pointer, bytes, pool.handle(), stream.handle());
      long ticket = step.leave();
      if (status == CudaError.OUT_OF_MEMORY) {
        throw outOfMemory(bytes);
      }
      DriverStatus.check(status, "cuMemAllocFromPoolAsync", ordinal, bytes);
      Block block = new Block(pointer[0], bytes, residence, this::free);
      int memory = step.touches(block.history(), 0, bytes, AccessMode.WRITE);
      step.lock();
      step.mark(memory, stream, ticket);
      table.add(block);
      usage.add(bytes);
      return block;
    } finally {
      step.end();
    }
  }

  private CuOutOfMemoryException outOfMemory(long bytes) {
    return new CuOutOfMemoryException(
        ordinal, bytes, usage.used(), reserved(), FreeMemory.of(driver, residence.context()));
  }

  private void free(Block block) {
    table.remove(block);
    usage.subtract(block.bytes());
    Operation step = Operation.begin();
    try {
      int memory = step.touches(block.history(), 0, block.bytes(), AccessMode.WRITE);
      step.lock();
      step.after(memory);
      // Where other streams have used the memory, the wait for them goes to a stream on which
      // nothing else waits; where none has, the pair costs two driver calls and no event.
      OrderedStream allocating = streams.lane(ordinal, Lane.ALLOCATE);
      OrderedStream stream =
          step.needsNoWait(allocating) ? allocating : streams.lane(ordinal, Lane.FREE);
      step.enterInsteadOfAnotherContext(stream, pool.handle(), 0);
      int status = driver.memFreeAsync(block.base(), stream.handle());
      step.leave();
      FailedFree.tolerate(status, "cuMemFreeAsync", block);
    } catch (RuntimeException e) {
      FailedFree.tolerate(e, block);
    } finally {
      step.end();
      outstanding.comeBack();
    }
  }

  void destroy() {
    pool.destroy();
  }
}
