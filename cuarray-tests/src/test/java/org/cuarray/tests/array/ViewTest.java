package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.IntBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.cuarray.CuArray;
import org.cuarray.CuClosedException;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.cuarray.UInt8;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Views borrow and owners own: what they see, and what becomes of one when the other closes. */
class ViewTest extends ArrayTests {
  private CuArray<Integer> array;

  @BeforeEach
  void fillAnArray() {
    array = scope.keep(gpu0.array(DType.INT32, IntStream.range(0, 24).toArray(), 4, 3, 2));
  }

  @Test
  void anArrayKnowsWhatItIs() {
    assertThat(array.dtype()).isSameAs(DType.INT32);
    assertThat(array.shape()).containsExactly(4, 3, 2);
    assertThat(array.strides()).containsExactly(6, 2, 1);
    assertThat(array.ndim()).isEqualTo(3);
    assertThat(array.size()).isEqualTo(24);
    assertThat(array.byteSize()).isEqualTo(96);
    assertThat(array.device()).isEqualTo(gpu0);
    assertThat(array.owner()).isSameAs(array);
    assertThat(array.pointer()).isPositive();
    assertThat(array).hasToString("int32 [4, 3, 2] on cuda:0");
    array.shape()[0] = 99;
    array.strides()[0] = 99;
    assertThat(array.shape()).containsExactly(4, 3, 2);
    assertThat(array.strides()).containsExactly(6, 2, 1);
  }

  @Test
  void aScalarHasOneElementAndNoAxis() {
    CuArray<Integer> scalar = scope.keep(gpu0.full(DType.INT32, 7));
    assertThat(scalar.ndim()).isZero();
    assertThat(scalar.size()).isEqualTo(1);
    assertThat(scalar.get()).isEqualTo(7);
    scalar.set(8);
    assertThat(scalar.toArray(DType.INT32)).containsExactly(8);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> scalar.slice(0, 1));
  }

  @Test
  void aSliceSeesRowsAndWritesThroughToThem() {
    CuArray<Integer> rows = array.slice(1, 3);
    assertThat(rows.shape()).containsExactly(2, 3, 2);
    assertThat(rows.pointer()).isEqualTo(array.pointer() + 24);
    assertThat(rows.owner()).isSameAs(array);
    assertThat(rows.toArray(DType.INT32)).isEqualTo(IntStream.range(6, 18).toArray());
    rows.fill((Integer) 0);
    assertThat(array.get(0, 2, 1)).isEqualTo(5);
    assertThat(array.get(1, 0, 0)).isZero();
    assertThat(array.get(2, 2, 1)).isZero();
    assertThat(array.get(3, 0, 0)).isEqualTo(18);
    assertThat(rows.slice(1, 2).slice(0, 1).owner()).isSameAs(array);
    assertThat(array.slice(4, 4).size()).isZero();
  }

  @Test
  void aSliceOutsideAxisZeroIsRefusedAndShowsBoth() {
    for (long[] range : List.of(new long[] {-1, 2}, new long[] {0, 5}, new long[] {3, 2})) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> array.slice(range[0], range[1]))
          .withMessageContaining("[" + range[0] + ", " + range[1] + ")")
          .withMessageContaining("[4, 3, 2]");
    }
  }

  @Test
  void aReshapeFindsOneExtentByItself() {
    assertThat(array.reshape(6, 4).get(5, 3)).isEqualTo(23);
    assertThat(array.reshape(-1).shape()).containsExactly(24);
    assertThat(array.reshape(2, -1, 3).shape()).containsExactly(2, 4, 3);
    assertThat(array.reshape(-1).pointer()).isEqualTo(array.pointer());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.reshape(5, 5))
        .withMessageContaining("[4, 3, 2]")
        .withMessageContaining("[5, 5]");
    assertThatIllegalArgumentException().isThrownBy(() -> array.reshape(-1, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> array.reshape(5, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> array.reshape(-2, 12));
  }

  @Test
  void aViewOfAnotherDTypeSeesTheSameBytes() {
    CuArray<UInt8> bytes = array.view(DType.UINT8);
    assertThat(bytes.shape()).containsExactly(4, 3, 8);
    assertThat(bytes.get(0, 1, 0)).isEqualTo(UInt8.of(2));
    CuArray<Long> longs = array.view(DType.INT64);
    assertThat(longs.shape()).containsExactly(4, 3, 1);
    assertThat(longs.get(0, 0, 0)).isEqualTo(1L << 32);
    CuArray<Float> floats = array.view(DType.FLOAT32);
    assertThat(floats.shape()).containsExactly(4, 3, 2);
    floats.set(1f, 3, 2, 1);
    assertThat(array.get(3, 2, 1)).isEqualTo(Float.floatToIntBits(1f));
    assertThat(longs.owner()).isSameAs(array);
    assertThat(bytes.view(DType.INT32).toArray(DType.INT32)).hasSize(24);
  }

  @Test
  void aViewThatDoesNotFitTheLastAxisOrTheAddressIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.view(DType.COMPLEX128))
        .withMessageContaining("int32 [4, 3, 2] on cuda:0")
        .withMessageContaining("complex128")
        .withMessageContaining("8 bytes");
    CuArray<Byte> bytes = scope.keep(gpu0.zeros(DType.INT8, 17));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bytes.slice(1, 17).view(DType.INT64))
        .withMessageContaining("not aligned to the 8 bytes of int64");
    CuArray<Integer> scalar = scope.keep(gpu0.full(DType.INT32, 7));
    assertThat(scalar.view(DType.FLOAT32).ndim()).isZero();
    assertThatIllegalArgumentException().isThrownBy(() -> scalar.view(DType.INT8));
  }

  @Test
  void typedIsThisArrayWhereTheDTypeIsRight() {
    CuArray<?> unknown = array;
    assertThat((Object) unknown.typed(DType.INT32)).isSameAs(array);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> unknown.typed(DType.FLOAT32))
        .withMessageContaining("float32")
        .withMessageContaining("int32 [4, 3, 2] on cuda:0");
  }

  /** Everything that needs the elements. */
  private Map<String, Consumer<CuArray<Integer>>> uses() {
    CuArray<Integer> other = scope.keep(gpu1.zeros(DType.INT32, 4, 3, 2));
    HostArray<Integer> pinned = scope.keep(gpu0.hostArray(DType.INT32, 4, 3, 2));
    int[] elements = new int[24];
    IntBuffer buffer = IntBuffer.allocate(24);
    return Map.ofEntries(
        Map.entry("copyTo array", (CuArray<Integer> a) -> a.copyTo(other)),
        Map.entry("copyTo as destination", other::copyTo),
        Map.entry("planCopyTo", a -> a.planCopyTo(other)),
        Map.entry("planCopyTo as destination", other::planCopyTo),
        Map.entry("copyTo host array", a -> a.copyTo(pinned)),
        Map.entry("copyFrom host array", a -> a.copyFrom(pinned)),
        Map.entry("copyTo buffer", a -> a.copyTo(buffer)),
        Map.entry("copyFrom buffer", a -> a.copyFrom(buffer)),
        Map.entry("copyTo Java array", a -> a.copyTo(DType.INT32, elements)),
        Map.entry("copyFrom Java array", a -> a.copyFrom(DType.INT32, elements)),
        Map.entry("toArray", a -> a.toArray(DType.INT32)),
        Map.entry("to", a -> a.to(gpu1)),
        Map.entry("slice", a -> a.slice(0, 1)),
        Map.entry("reshape", a -> a.reshape(24)),
        Map.entry("view", a -> a.view(DType.FLOAT32)),
        Map.entry("retain", CuArray::retain),
        Map.entry("fill", a -> a.fill((Integer) 1)),
        Map.entry("fill number", a -> a.fill((Number) 1)),
        Map.entry("get", a -> a.get(0, 0, 0)),
        Map.entry("set", a -> a.set(1, 0, 0, 0)),
        Map.entry("getDouble", a -> a.getDouble(0, 0, 0)),
        Map.entry("getLong", a -> a.getLong(0, 0, 0)),
        Map.entry("pointer", CuArray::pointer),
        Map.entry("synchronize", CuArray::synchronize));
  }

  private void assertRefused(CuArray<Integer> closed) {
    uses()
        .forEach(
            (name, use) ->
                assertThatExceptionOfType(CuClosedException.class)
                    .as(name)
                    .isThrownBy(() -> use.accept(closed))
                    .withMessageContaining("int32 [4, 3, 2] on cuda:0")
                    .withMessageContaining("closed"));
  }

  @Test
  void nothingButItsNameIsLeftOfAClosedArray() {
    array.close();
    array.close();
    assertThat(array.isClosed()).isTrue();
    assertRefused(array);
    assertThat(array.shape()).containsExactly(4, 3, 2);
    assertThat(array).hasToString("int32 [4, 3, 2] on cuda:0");
  }

  @Test
  void viewsOfAClosedOwnerAreClosedWithIt() {
    CuArray<Integer> view = array.view(DType.FLOAT32).view(DType.INT32);
    CuArray<Integer> slice = array.slice(0, 4);
    array.close();
    assertThat(view.isClosed()).isTrue();
    assertRefused(view);
    assertRefused(slice);
  }

  @Test
  void aViewOfAClosedOwnerSaysThatTheOwnerWasClosed() {
    CuArray<Integer> view = array.slice(1, 3).reshape(12);
    CuArray<Integer> there = scope.keep(gpu1.zeros(DType.INT32, 12));
    array.close();
    List<Runnable> uses =
        List.of(() -> view.copyTo(there), () -> there.copyTo(view), () -> view.get(0));
    assertThat(uses)
        .allSatisfy(
            use ->
                assertThatExceptionOfType(CuClosedException.class)
                    .isThrownBy(use::run)
                    .withMessage(
                        "int32 [4, 3, 2] on cuda:0, the owner of the view int32 [12] on cuda:0,"
                            + " was closed"));
  }

  @Test
  void closingAViewEndsTheUseOfThatViewAlone() {
    CuArray<Integer> one = array.slice(0, 4);
    CuArray<Integer> other = array.slice(0, 4);
    one.close();
    one.close();
    assertThat(one.isClosed()).isTrue();
    assertRefused(one);
    assertThat(other.isClosed()).isFalse();
    assertThat(other.get(3, 2, 1)).isEqualTo(23);
    assertThat(array.get(3, 2, 1)).isEqualTo(23);
  }

  @Test
  void aRetainedArrayIsAnotherOwnerOfTheSameBytes() {
    CuArray<Integer> retained = scope.keep(array.slice(1, 2).retain());
    assertThat(retained.owner()).isSameAs(retained);
    assertThat(retained.pointer()).isEqualTo(array.pointer() + 24);
    array.set(99, 1, 0, 0);
    assertThat(retained.get(0, 0, 0)).isEqualTo(99);
    CuArray<Integer> view = array.slice(1, 2);
    array.close();
    assertThat(view.isClosed()).isTrue();
    assertThat(retained.isClosed()).isFalse();
    assertThat(retained.get(0, 2, 1)).isEqualTo(11);
    assertThat(gpu0.memoryUsage().used()).isEqualTo(96);
    retained.close();
    assertThat(gpu0.memoryUsage().used()).isZero();
    assertThatExceptionOfType(CuClosedException.class).isThrownBy(retained::retain);
  }

  @Test
  void aHostArraysSliceIsClosedWithItsOwnerToo() {
    HostArray<Integer> pinned = scope.keep(gpu0.hostArray(DType.INT32, 4, 2));
    pinned.copyFrom(DType.INT32, IntStream.range(0, 8).toArray());
    HostArray<Integer> rows = pinned.slice(1, 3);
    assertThat(rows.shape()).containsExactly(2, 2);
    assertThat(rows.toArray(DType.INT32)).containsExactly(2, 3, 4, 5);
    rows.set(9, 0, 0);
    assertThat(pinned.get(1, 0)).isEqualTo(9);
    rows.close();
    assertThat(pinned.get(1, 0)).isEqualTo(9);
    pinned.close();
    assertThat(rows.isClosed()).isTrue();
    assertThatExceptionOfType(CuClosedException.class)
        .isThrownBy(() -> rows.get(0, 0))
        .withMessage(
            "int32 [4, 2] in pinned host memory, the owner of the view int32 [2, 2] in pinned host"
                + " memory, was closed");
    assertThatExceptionOfType(CuClosedException.class)
        .isThrownBy(() -> pinned.toArray(DType.INT32))
        .withMessageContaining("int32 [4, 2] in pinned host memory");
  }
}
