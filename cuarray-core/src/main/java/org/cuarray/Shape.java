package org.cuarray;

import java.util.Arrays;

/**
 * The extents of an array, row-major: the last axis is the one whose elements are neighbours.
 *
 * <p>A shape without axes, {@code []}, has one element. An extent may be 0, and then there are no
 * elements; it may not be negative. The number of elements fits a long always. Sizes and strides
 * are in elements.
 *
 * <p>Immutable, so thread-safe.
 */
final class Shape {
  private final long[] extents;
  private final long[] strides;
  private final long size;

  /** Takes the array without copying it. */
  private Shape(long[] extents) {
    this.extents = extents;
    strides = new long[extents.length];
    long stride = 1;
    boolean empty = false;
    for (int axis = extents.length - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      stride = product(stride, axis, extents);
      empty |= extents[axis] == 0;
    }
    size = empty ? 0 : stride;
  }

  /**
   * The shape of the given extents.
   *
   * @param extents one for each axis, copied; none for a single element
   * @return the shape
   * @throws IllegalArgumentException if an extent is negative, or the product of those that are not
   *     0 passes 2^63 - 1
   */
  static Shape of(long... extents) {
    return new Shape(extents.clone());
  }

  /**
   * The number of axes.
   *
   * @return 0 for a single element without axes
   */
  int ndim() {
    return extents.length;
  }

  /**
   * How far one axis goes.
   *
   * @param axis from 0
   * @return its extent, in steps along that axis
   * @throws IndexOutOfBoundsException if there is no such axis
   */
  long extent(int axis) {
    requireAxis(axis);
    return extents[axis];
  }

  /**
   * How far all axes go.
   *
   * @return a new array with one extent for each axis
   */
  long[] extents() {
    return extents.clone();
  }

  /**
   * How far apart neighbours on one axis are, in elements.
   *
   * @param axis from 0
   * @return the stride; 1 for the last axis
   * @throws IndexOutOfBoundsException if there is no such axis
   */
  long stride(int axis) {
    requireAxis(axis);
    return strides[axis];
  }

  /**
   * How far apart neighbours on each axis are, in elements. An extent of 0 counts as 1 here, as in
   * NumPy.
   *
   * @return a new array with one stride for each axis
   */
  long[] strides() {
    return strides.clone();
  }

  /**
   * The number of elements.
   *
   * @return the product of the extents; 1 where there are none
   */
  long size() {
    return size;
  }

  /**
   * The number of bytes that the elements take.
   *
   * @param dtype their type
   * @return elements times bytes each
   * @throws IllegalArgumentException if that passes 2^63 - 1
   */
  long byteSize(DType<?, ?> dtype) {
    if (size > Long.MAX_VALUE / dtype.byteSize()) {
      throw new IllegalArgumentException(
          dtype
              + " "
              + this
              + ": "
              + size
              + " elements of "
              + dtype.byteSize()
              + " bytes pass 2^63 - 1 bytes");
    }
    return size * dtype.byteSize();
  }

  /**
   * Where an element is.
   *
   * @param index one number for each axis, from 0
   * @return elements between the first one and that one
   * @throws IndexOutOfBoundsException if there are more or fewer numbers than axes, or one is
   *     negative or not below its axis's extent
   */
  long offset(long... index) {
    if (index.length != extents.length) {
      throw new IndexOutOfBoundsException(
          "index "
              + Arrays.toString(index)
              + " has "
              + axes(index.length)
              + ", shape "
              + this
              + " has "
              + axes(extents.length));
    }
    long offset = 0;
    for (int axis = 0; axis < index.length; axis++) {
      if (index[axis] < 0 || index[axis] >= extents[axis]) {
        throw new IndexOutOfBoundsException(
            "index " + Arrays.toString(index) + " is outside shape " + this + " on axis " + axis);
      }
      offset += index[axis] * strides[axis];
    }
    return offset;
  }

  /**
   * The shape of a range of axis 0. Its first element is {@code from * stride(0)} elements in.
   *
   * @param from the first row, from 0
   * @param to the row after the last one; the same as {@code from} for none
   * @return this shape with {@code to - from} rows
   * @throws IndexOutOfBoundsException if the range is not within axis 0, or there are no axes
   */
  Shape slice(long from, long to) {
    if (extents.length == 0) {
      throw new IndexOutOfBoundsException(
          "slice [%d, %d) of shape [], which has no axis to slice; reshape(1) gives it one"
              .formatted(from, to));
    }
    if (from < 0 || to < from || to > extents[0]) {
      throw new IndexOutOfBoundsException(
          "slice [" + from + ", " + to + ") is outside axis 0 of shape " + this);
    }
    long[] sliced = extents.clone();
    sliced[0] = to - from;
    return new Shape(sliced);
  }

  /**
   * Another shape of the same elements in the same order.
   *
   * @param newExtents one for each axis; one may be -1, and becomes what the others leave over
   * @return the other shape
   * @throws IllegalArgumentException if it has another number of elements, or -1 has no or no
   *     single answer
   */
  Shape reshape(long... newExtents) {
    long[] wanted = newExtents.clone();
    int open = -1;
    for (int axis = 0; axis < wanted.length; axis++) {
      if (wanted[axis] == -1) {
        if (open >= 0) {
          throw cannotReshape(newExtents, "only one extent may be -1");
        }
        open = axis;
        wanted[axis] = 1;
      }
    }
    Shape reshaped = new Shape(wanted);
    if (open >= 0) {
      if (reshaped.size == 0) {
        throw cannotReshape(newExtents, "beside an extent of 0, -1 could be anything");
      }
      if (size % reshaped.size != 0) {
        throw cannotReshape(
            newExtents, size + " elements do not divide into parts of " + reshaped.size);
      }
      wanted[open] = size / reshaped.size;
      reshaped = new Shape(wanted);
    }
    if (reshaped.size != size) {
      throw cannotReshape(newExtents, size + " elements are not " + reshaped.size);
    }
    return reshaped;
  }

  /** Two shapes of the same extents are equal. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Shape that && Arrays.equals(extents, that.extents);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(extents);
  }

  /** The extents, as in {@code [3, 4]}. */
  @Override
  public String toString() {
    return Arrays.toString(extents);
  }

  private static long product(long stride, int axis, long[] extents) {
    long extent = extents[axis];
    if (extent < 0) {
      throw new IllegalArgumentException(
          "shape " + Arrays.toString(extents) + " has a negative extent on axis " + axis);
    }
    if (extent == 0) {
      return stride;
    }
    if (stride > Long.MAX_VALUE / extent) {
      throw new IllegalArgumentException(
          "shape " + Arrays.toString(extents) + " has more than 2^63 - 1 elements");
    }
    return stride * extent;
  }

  private void requireAxis(int axis) {
    if (axis < 0 || axis >= extents.length) {
      throw new IndexOutOfBoundsException(
          "axis " + axis + " of shape " + this + ", which has " + axes(extents.length));
    }
  }

  private IllegalArgumentException cannotReshape(long[] newExtents, String why) {
    return new IllegalArgumentException(
        "shape " + this + " into shape " + Arrays.toString(newExtents) + ": " + why);
  }

  private static String axes(int count) {
    return count == 1 ? "1 axis" : count + " axes";
  }
}
