package org.cuarray.driver.javacpp;

import java.lang.reflect.InvocationTargetException;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.cuarray.CuArray;
import org.cuarray.CuLease;

/**
 * Between this library and others on the JavaCPP presets, such as cuBLAS. The pointers that it
 * makes own nothing and free nothing. Thread-safe.
 */
public final class JavaCpp {
  private JavaCpp() {}

  /**
   * The stream of a lease, for calls such as {@code cublasSetStream}.
   *
   * @param lease an open one
   * @return its stream; valid while the lease is open
   * @throws org.cuarray.CuClosedException if the lease was closed
   */
  public static CUstream_st stream(CuLease lease) {
    return new CUstream_st(at(lease.stream(), 0));
  }

  /**
   * An array as a pointer of the presets.
   *
   * @param <P> the kind of pointer
   * @param lease an open one
   * @param array declared in the lease
   * @param type the kind of pointer, such as {@code FloatPointer.class}
   * @return the array's first element, limited to its elements; valid while the lease is open
   * @throws IllegalArgumentException if the array is not declared in the lease, or the type has no
   *     constructor that takes a pointer
   */
  public static <P extends Pointer> P pointer(CuLease lease, CuArray<?> array, Class<P> type) {
    Pointer bytes = at(lease.pointer(array), array.byteSize());
    try {
      P pointer = type.getConstructor(Pointer.class).newInstance(bytes);
      // Converting copies the limit without converting bytes to elements.
      long elements = array.byteSize() / pointer.sizeof();
      pointer.capacity(elements).limit(elements);
      return pointer;
    } catch (NoSuchMethodException | IllegalAccessException | InstantiationException e) {
      throw new IllegalArgumentException(
          type.getName() + " can't be made from a pointer: it has no public constructor for one",
          e);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(type.getName() + " can't be made from a pointer", e);
    }
  }

  private static Pointer at(long address, long bytes) {
    return new Addressed(address, bytes);
  }

  /** A pointer to a given address. */
  private static final class Addressed extends BytePointer {
    Addressed(long address, long bytes) {
      super((Pointer) null);
      this.address = address;
      this.limit = bytes;
      this.capacity = bytes;
    }
  }

  /**
   * The address of the element that a pointer stands at.
   *
   * <p>{@link Pointer#address()} is where the pointer's memory begins, wherever its position is;
   * native code gets this one.
   *
   * @param pointer any pointer
   * @return its address with its position, counted in elements, added; 0 for a null pointer
   */
  public static long address(Pointer pointer) {
    long position = pointer.position();
    // Asking for the element size of an opaque type, such as a stream, is an error.
    return position == 0 || pointer.isNull()
        ? pointer.address()
        : pointer.address() + position * pointer.sizeof();
  }
}
