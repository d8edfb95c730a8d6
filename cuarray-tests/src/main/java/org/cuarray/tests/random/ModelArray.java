package org.cuarray.tests.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cuarray.DType.INT32;

import org.cuarray.CuArray;
import org.cuarray.CuClosedException;

/**
 * An array on a device beside what it should hold: a range of a plain Java array, which views and
 * retained owners share.
 */
final class ModelArray {
  private final CuArray<Integer> array;
  private final int[] memory;
  private final int from;
  private final int length;

  ModelArray(CuArray<Integer> array, int[] memory, int from, int length) {
    this.array = array;
    this.memory = memory;
    this.from = from;
    this.length = length;
  }

  CuArray<Integer> array() {
    return array;
  }

  int length() {
    return length;
  }

  boolean isClosed() {
    return array.isClosed();
  }

  boolean sharesWith(ModelArray other) {
    return memory == other.memory;
  }

  int get(int index) {
    return memory[from + index];
  }

  void set(int index, int value) {
    memory[from + index] = value;
  }

  int[] values() {
    return java.util.Arrays.copyOfRange(memory, from, from + length);
  }

  void setAll(int[] values) {
    System.arraycopy(values, 0, memory, from, length);
  }

  ModelArray slice(int start, int end) {
    return new ModelArray(array.slice(start, end), memory, from + start, end - start);
  }

  ModelArray retain() {
    return new ModelArray(array.retain(), memory, from, length);
  }

  ModelArray reshapedAndBack() {
    return new ModelArray(array.reshape(1, -1).reshape(length), memory, from, length);
  }

  void check(String when) {
    assertThat(array.toArray(INT32)).as("%s, %s", array, when).isEqualTo(values());
  }

  void checkRefusesUse() {
    assertThatThrownBy(() -> array.toArray(INT32)).isInstanceOf(CuClosedException.class);
  }
}
