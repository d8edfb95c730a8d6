package org.cuarray.driver.javacpp;

import org.bytedeco.javacpp.Pointer;

/**
 * Between this library's addresses and JavaCPP's pointers, for code that calls cuBLAS and its like
 * through the JavaCPP presets. Thread-safe.
 */
public final class JavaCpp {
  private JavaCpp() {}

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
