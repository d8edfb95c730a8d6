package org.cuarray.driver.simulated;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One launch, as a {@link KernelBody} sees it. To be used by the body alone, while it runs.
 *
 * <p>Addresses reach what the device reaches: its own memory, and pinned or managed memory. Any
 * other is an illegal address, which ends the body and is the launch's {@code
 * CUDA_ERROR_ILLEGAL_ADDRESS}.
 */
public final class KernelRun {
  /** That of a 16-byte value such as {@code double2}. */
  static final int LARGEST_ALIGNMENT = 16;

  private final Device device;
  private final AddressMap memory;
  private final List<Block> given = new ArrayList<>(0);
  private KernelLaunch.@Nullable Watch watch;
  private final String name;
  private final int[] grid;
  private final int[] block;
  private final int sharedBytes;
  private final ByteBuffer parameters;

  /** What a value passes through on its way in or out. */
  private final HostBytes value = new HostBytes(Long.BYTES);

  private final ByteBuffer window = value.window(0, Long.BYTES);

  KernelRun(
      Device device,
      AddressMap memory,
      String name,
      int[] grid,
      int[] block,
      int sharedBytes,
      byte[] parameters) {
    this.device = device;
    this.memory = memory;
    this.name = name;
    this.grid = grid;
    this.block = block;
    this.sharedBytes = sharedBytes;
    this.parameters = ByteBuffer.wrap(parameters).order(ByteOrder.nativeOrder());
  }

  void watchedBy(KernelLaunch.Watch watcher) {
    watch = watcher;
  }

  /**
   * The allocations that parameters are addresses of, where any long is one that looks so. They
   * stay the launch's own: before it runs, their memory may be freed in the order of its stream.
   */
  List<Block> given() {
    for (int i = 0; i + Long.BYTES <= parameters.limit(); i += Long.BYTES) {
      Block block = memory.containing(parameters.getLong(i));
      if (block != null && !given.contains(block)) {
        given.add(block);
      }
    }
    return given;
  }

  private @Nullable Block containing(long address) {
    for (int i = 0; i < given.size(); i++) {
      Block block = given.get(i);
      if (address >= block.address && address - block.address < block.bytes) {
        return block;
      }
    }
    return memory.containing(address);
  }

  /** An address that the device does not reach. */
  static final class IllegalAddress extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final long address;

    IllegalAddress(long address) {
      super("0x%x".formatted(address), null, false, false);
      this.address = address;
    }

    long address() {
      return address;
    }
  }

  // ---- the launch ------------------------------------------------------------------------------

  /**
   * The kernel.
   *
   * @return its name
   */
  public String name() {
    return name;
  }

  /**
   * Where it runs.
   *
   * @return the ordinal of the device
   */
  public int device() {
    return device.ordinal;
  }

  /**
   * The grid.
   *
   * @param axis 0 for x, 1 for y, 2 for z
   * @return blocks along it
   */
  public int grid(int axis) {
    return grid[axis];
  }

  /**
   * The block.
   *
   * @param axis 0 for x, 1 for y, 2 for z
   * @return threads along it
   */
  public int block(int axis) {
    return block[axis];
  }

  /**
   * All threads of the launch.
   *
   * @return blocks times threads of a block
   */
  public long threads() {
    long threads = 1;
    for (int axis = 0; axis < grid.length; axis++) {
      threads *= (long) grid[axis] * block[axis];
    }
    return threads;
  }

  /**
   * The shared memory that the launch asked for.
   *
   * @return bytes a block
   */
  public int sharedBytes() {
    return sharedBytes;
  }

  // ---- its arguments, from the first to the last -----------------------------------------------

  private ByteBuffer next(int bytes) {
    int position = (parameters.position() + bytes - 1) / bytes * bytes;
    if (position + bytes > parameters.limit()) {
      throw new IllegalStateException(
          "the body of kernel %s asks for %d bytes at %d, and the launch gave %d bytes"
              .formatted(name, bytes, position, parameters.limit()));
    }
    return parameters.position(position);
  }

  /**
   * The next argument, a byte.
   *
   * @return its value
   */
  public byte nextByte() {
    return next(Byte.BYTES).get();
  }

  /**
   * The next argument, a short.
   *
   * @return its value
   */
  public short nextShort() {
    return next(Short.BYTES).getShort();
  }

  /**
   * The next argument, an int.
   *
   * @return its value
   */
  public int nextInt() {
    return next(Integer.BYTES).getInt();
  }

  /**
   * The next argument, a long or the address of an array.
   *
   * @return its value
   */
  public long nextLong() {
    return next(Long.BYTES).getLong();
  }

  /**
   * The next argument, a float.
   *
   * @return its value
   */
  public float nextFloat() {
    return next(Float.BYTES).getFloat();
  }

  /**
   * The next argument, a double.
   *
   * @return its value
   */
  public double nextDouble() {
    return next(Double.BYTES).getDouble();
  }

  // ---- the memory of its device ----------------------------------------------------------------

  private Block block(long address, int bytes, Access.Mode mode) {
    Block found = containing(address);
    boolean reached =
        found != null
            && found.holds(address, bytes)
            && found.kind != MemoryKind.PAGEABLE
            && (!found.kind.isDevice() || found.device == device);
    if (found == null || !reached) {
      throw new IllegalAddress(address);
    }
    if (watch != null) {
      watch.touches(found, address - found.address, bytes, mode);
    }
    return found;
  }

  private ByteBuffer load(long address, int bytes) {
    Block from = block(address, bytes, Access.Mode.READS);
    Store.copy(value, 0, from.seenBy(device), address - from.address, bytes);
    return window;
  }

  private void store(long address, int bytes) {
    Block to = block(address, bytes, Access.Mode.WRITES);
    to.write(address - to.address, value, 0, bytes);
  }

  /**
   * A byte of memory.
   *
   * @param address where
   * @return what is there
   */
  public byte getByte(long address) {
    return load(address, Byte.BYTES).get(0);
  }

  /**
   * A short of memory.
   *
   * @param address where
   * @return what is there
   */
  public short getShort(long address) {
    return load(address, Short.BYTES).getShort(0);
  }

  /**
   * An int of memory.
   *
   * @param address where
   * @return what is there
   */
  public int getInt(long address) {
    return load(address, Integer.BYTES).getInt(0);
  }

  /**
   * A long of memory.
   *
   * @param address where
   * @return what is there
   */
  public long getLong(long address) {
    return load(address, Long.BYTES).getLong(0);
  }

  /**
   * A float of memory.
   *
   * @param address where
   * @return what is there
   */
  public float getFloat(long address) {
    return load(address, Float.BYTES).getFloat(0);
  }

  /**
   * A double of memory.
   *
   * @param address where
   * @return what is there
   */
  public double getDouble(long address) {
    return load(address, Double.BYTES).getDouble(0);
  }

  /**
   * Writes a byte to memory.
   *
   * @param address where
   * @param written what
   */
  public void putByte(long address, byte written) {
    window.put(0, written);
    store(address, Byte.BYTES);
  }

  /**
   * Writes a short to memory.
   *
   * @param address where
   * @param written what
   */
  public void putShort(long address, short written) {
    window.putShort(0, written);
    store(address, Short.BYTES);
  }

  /**
   * Writes an int to memory.
   *
   * @param address where
   * @param written what
   */
  public void putInt(long address, int written) {
    window.putInt(0, written);
    store(address, Integer.BYTES);
  }

  /**
   * Writes a long to memory.
   *
   * @param address where
   * @param written what
   */
  public void putLong(long address, long written) {
    window.putLong(0, written);
    store(address, Long.BYTES);
  }

  /**
   * Writes a float to memory.
   *
   * @param address where
   * @param written what
   */
  public void putFloat(long address, float written) {
    window.putFloat(0, written);
    store(address, Float.BYTES);
  }

  /**
   * Writes a double to memory.
   *
   * @param address where
   * @param written what
   */
  public void putDouble(long address, double written) {
    window.putDouble(0, written);
    store(address, Double.BYTES);
  }
}
