package org.cuarray.driver.javacpp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;

/**
 * One thread's native memory for the parameters of a launch, and the {@code extra} array that hands
 * them to {@code cuLaunchKernel} in one piece: the driver copies them before it returns.
 *
 * <p>A direct buffer's memory, which the garbage collector frees after its thread. Confined to its
 * thread.
 */
final class ParameterMemory {
  /** Pointer, its value, size, its value, end; then the size itself. */
  private static final int EXTRA_BYTES = 5 * Long.BYTES;

  private static final int HEAD_BYTES = EXTRA_BYTES + Long.BYTES;

  /** What kernels could take before CUDA 12.1; few take a hundredth. */
  private static final int USUAL_BYTES = 4096;

  private ByteBuffer memory;
  private PointerPointer<Pointer> extra;

  ParameterMemory() {
    memory = allocate(USUAL_BYTES);
    extra = describe(memory);
  }

  /** The array to pass on, after the first bytes of {@code parameters} were copied. */
  PointerPointer<Pointer> holding(byte[] parameters, int bytes) {
    if (bytes > memory.capacity() - HEAD_BYTES) {
      memory = allocate(bytes);
      extra = describe(memory);
    }
    memory.putLong(EXTRA_BYTES, bytes);
    memory.put(HEAD_BYTES, parameters, 0, bytes);
    return extra;
  }

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(HEAD_BYTES + bytes).order(ByteOrder.nativeOrder());
  }

  private static PointerPointer<Pointer> describe(ByteBuffer memory) {
    Base base = new Base(memory);
    long address = base.address();
    memory.putLong(0, cudart.CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT);
    memory.putLong(Long.BYTES, address + HEAD_BYTES);
    memory.putLong(2 * Long.BYTES, cudart.CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT);
    memory.putLong(3 * Long.BYTES, address + EXTRA_BYTES);
    memory.putLong(4 * Long.BYTES, cudart.CU_LAUNCH_PARAM_END_AS_INT);
    return new PointerPointer<>(base);
  }

  private static final class Base extends Pointer {
    Base(ByteBuffer buffer) {
      address = getDirectBufferAddress(buffer);
    }
  }
}
