package org.cuarray;

/**
 * What messages call an array, such as {@code float32 [3, 4] on cuda:0}; put together only when a
 * message needs it.
 *
 * @param dtype of its elements
 * @param shape of the array
 * @param place its device, or what to say instead
 */
record ArrayName(DType<?, ?> dtype, Shape shape, Object place) {
  @Override
  public String toString() {
    return "%s %s %s".formatted(dtype, shape, place instanceof CuDevice ? "on " + place : place);
  }
}
