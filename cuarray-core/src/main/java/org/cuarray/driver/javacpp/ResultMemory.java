package org.cuarray.driver.javacpp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.SizeTPointer;

/**
 * One thread's native memory for what the driver reads and writes through pointers: result slots,
 * and room for one structure.
 *
 * <p>The presets would also take Java arrays, but copy them to native memory and back at every call
 * and leave them changed where the call failed.
 *
 * <p>The memory is a direct buffer's, so the garbage collector frees it after its thread; JavaCPP's
 * deallocators are not involved. Confined to its thread.
 */
final class ResultMemory {
  /** Slots, and so the most pointer attributes that one call can ask for. */
  static final int SLOTS = 32;

  /** The largest structure or text: more than a pool's properties and any device's name need. */
  static final int STRUCTURE_BYTES = 256;

  /** The widest pointer attribute, the pair of peer-to-peer tokens, has two longs. */
  private static final int SLOT_BYTES = 2 * Long.BYTES;

  private static final int SLOT_ADDRESSES = SLOTS * SLOT_BYTES;
  private static final int SELECTORS = SLOT_ADDRESSES + SLOTS * Long.BYTES;
  private static final int STRUCTURE = SELECTORS + SLOTS * Integer.BYTES;

  private final ByteBuffer memory =
      ByteBuffer.allocateDirect(STRUCTURE + STRUCTURE_BYTES).order(ByteOrder.nativeOrder());
  private final Window window = new Window(memory);

  /** Slot 0, for the driver to write a value of that type. */
  final Pointer any = window.copyAt(0);

  final IntPointer anInt = new IntPointer(any);
  final LongPointer aLong = new LongPointer(any);
  final SizeTPointer aSize = new SizeTPointer(any);
  final FloatPointer aFloat = new FloatPointer(any);

  /** Slot 1. */
  final IntPointer otherInt = new IntPointer(window.copyAt(SLOT_BYTES));

  final SizeTPointer otherSize = new SizeTPointer(otherInt);

  /** The addresses of the slots, in order. */
  final PointerPointer<Pointer> slotAddresses = new PointerPointer<>(window.copyAt(SLOT_ADDRESSES));

  /** What {@link #select} chose. */
  final IntPointer selectors = new IntPointer(window.copyAt(SELECTORS));

  ResultMemory() {
    for (int i = 0; i < SLOTS; i++) {
      memory.putLong(SLOT_ADDRESSES + i * Long.BYTES, any.address() + (long) i * SLOT_BYTES);
    }
  }

  int intAt(int slot) {
    return memory.getInt(slot * SLOT_BYTES);
  }

  long longAt(int slot) {
    return memory.getLong(slot * SLOT_BYTES);
  }

  float floatAt(int slot) {
    return memory.getFloat(slot * SLOT_BYTES);
  }

  void setLong(int slot, long value) {
    memory.putLong(slot * SLOT_BYTES, value);
  }

  /** Sets one of the numbers that {@link #selectors} points to. */
  void select(int index, int value) {
    memory.putInt(SELECTORS + index * Integer.BYTES, value);
  }

  /** Zeroed memory for one structure; the next call of this method hands out the same bytes. */
  Pointer structure() {
    for (int i = 0; i < STRUCTURE_BYTES; i += Long.BYTES) {
      memory.putLong(STRUCTURE + i, 0);
    }
    return window.copyAt(STRUCTURE);
  }

  /** Copies the structure's bytes into the head of an array, as many as fit. */
  void structureInto(byte[] destination) {
    memory.get(STRUCTURE, destination, 0, Math.min(STRUCTURE_BYTES, destination.length));
  }

  private static final class Window extends Pointer {
    private final long base;

    Window(ByteBuffer buffer) {
      base = getDirectBufferAddress(buffer);
    }

    /** A pointer without limit or deallocator, so that subclass copies of it have none either. */
    Pointer copyAt(int offset) {
      address = base + offset;
      return new Pointer(this);
    }
  }
}
