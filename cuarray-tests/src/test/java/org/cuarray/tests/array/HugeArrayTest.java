package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.cuarray.Complex128;
import org.cuarray.CuArray;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.junit.jupiter.api.Test;

/** Arrays past 2^31 elements and 2^32 bytes, in every place where an int would overflow. */
class HugeArrayTest extends ArrayTests {
  private static final long ELEMENTS = (1L << 31) + 1000;
  private static final long[] PLACES = {0, (1L << 31) - 1, 1L << 31, ELEMENTS - 1};

  @Test
  void elementsPastTwoToTheThirtyOneAreReadAndWritten() {
    CuArray<Byte> bytes = scope.keep(gpu0.full(DType.INT8, (byte) 1, ELEMENTS));
    CuArray<Long> longs = scope.keep(gpu1.full(DType.INT64, 1L, ELEMENTS));
    assertThat(longs.byteSize()).isEqualTo(8 * ELEMENTS);
    for (long place : PLACES) {
      assertThat(bytes.get(place)).isEqualTo((byte) 1);
      assertThat(longs.get(place)).isEqualTo(1);
      bytes.set((byte) 5, place);
      longs.set(place, place);
      assertThat(bytes.get(place)).isEqualTo((byte) 5);
      assertThat(longs.get(place)).isEqualTo(place);
    }
    assertThat(longs.get((1L << 31) + 1)).isEqualTo(1);
  }

  @Test
  void aFillByDoublingReachesTheEnd() {
    CuArray<Complex128> array =
        scope.keep(gpu0.full(DType.COMPLEX128, new Complex128(1, 2), (1L << 28) + 3));
    assertThat(array.byteSize()).isGreaterThan(1L << 32);
    for (long place : new long[] {0, 1, (1L << 28) - 1, 1L << 28, (1L << 28) + 2}) {
      assertThat(array.get(place)).isEqualTo(new Complex128(1, 2));
    }
  }

  @Test
  void slicesAndShapesPastTwoToTheThirtyOneAreRight() {
    CuArray<Short> array = scope.keep(gpu0.zeros(DType.INT16, ELEMENTS));
    CuArray<Short> end = array.slice(ELEMENTS - 10, ELEMENTS);
    assertThat(end.pointer()).isEqualTo(array.pointer() + 2 * (ELEMENTS - 10));
    end.fill((Short) (short) 7);
    assertThat(array.get(ELEMENTS - 11)).isZero();
    assertThat(array.get(ELEMENTS - 10)).isEqualTo((short) 7);
    CuArray<Short> rows = array.reshape(-1, 8);
    assertThat(rows.shape()).containsExactly(ELEMENTS / 8, 8);
    assertThat(rows.get(ELEMENTS / 8 - 1, 7)).isEqualTo((short) 7);
    assertThat(array.view(DType.INT8).size()).isEqualTo(2 * ELEMENTS);
  }

  @Test
  void sliceToSliceCopiesPastTwoToTheThirtyTwoBytesLandWhereTheyShould() {
    long size = (1L << 32) + (1 << 20);
    CuArray<Byte> here = scope.keep(gpu0.full(DType.INT8, (byte) 3, size));
    CuArray<Byte> there = scope.keep(gpu1.full(DType.INT8, (byte) 4, size));
    here.slice(size - 5, size).copyTo(there.slice(size - 15, size - 10));
    assertThat(there.slice(size - 20, size).toArray(DType.INT8))
        .containsExactly(4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4);
    there.slice(0, 5).copyTo(there.slice(size - 5, size));
    assertThat(there.get(5)).isEqualTo((byte) 4);
  }

  @Test
  void noJavaArrayIsThatLongAndTheMessageSaysWhatElseToDo() {
    CuArray<Byte> array = scope.keep(gpu0.zeros(DType.INT8, ELEMENTS));
    recording.clear();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.toArray(DType.INT8))
        .withMessageContaining(Long.toString(ELEMENTS))
        .withMessageContaining("take slices, or a HostArray");
    assertThat(recording.calls()).isEmpty();
  }

  @Test
  void aHostArrayPastTwoToTheThirtyOneTakesPartAsAnyOther() {
    HostArray<Byte> pinned = scope.keep(gpu0.hostArray(DType.INT8, ELEMENTS));
    CuArray<Byte> array = scope.keep(gpu1.full(DType.INT8, (byte) 1, ELEMENTS));
    array.set((byte) 9, ELEMENTS - 2);
    for (long place : PLACES) {
      pinned.set((byte) 3, place);
      assertThat(pinned.get(place)).isEqualTo((byte) 3);
    }
    // Slices, since all of it would be written to the disk under the simulated host memory.
    array.slice(ELEMENTS - 4, ELEMENTS).copyTo(pinned.slice(ELEMENTS - 4, ELEMENTS));
    assertThat(pinned.get(ELEMENTS - 2)).isEqualTo((byte) 9);
    assertThat(pinned.asByteBuffer(ELEMENTS - 3, ELEMENTS).get(1)).isEqualTo((byte) 9);
    assertThat(pinned.get((1L << 31) - 1)).isEqualTo((byte) 3);
    pinned.set((byte) 8, ELEMENTS - 1);
    array.slice(ELEMENTS - 1, ELEMENTS).copyFrom(pinned.slice(ELEMENTS - 1, ELEMENTS));
    assertThat(array.get(ELEMENTS - 1)).isEqualTo((byte) 8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pinned.asByteBuffer(0, ELEMENTS))
        .withMessageContaining("take several");
  }
}
