package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.Stream;
import org.cuarray.AllocatorKind;
import org.cuarray.BFloat16;
import org.cuarray.Complex128;
import org.cuarray.Complex64;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.DType;
import org.cuarray.Float16;
import org.cuarray.HostArray;
import org.cuarray.UInt8;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Elements of all dtypes go to a device and come back the same, whichever way they take. */
class RoundTripTest extends ArrayTests {

  static List<Sample<?, ?>> samples() {
    return Sample.all();
  }

  @ParameterizedTest
  @MethodSource("samples")
  <T, A> void byJavaArray(Sample<T, A> sample) {
    for (CuDevice device : devices()) {
      CuArray<T> array = scope.keep(device.array(sample.dtype(), sample.array()));
      assertThat(array.toArray(sample.dtype())).isEqualTo(sample.array());
      array.copyFrom(sample.dtype(), sample.other());
      assertThat(array.toArray(sample.dtype())).isEqualTo(sample.other());
      A back = scope.keep(device.<T>zeros(sample.dtype(), Sample.SIZE)).toArray(sample.dtype());
      array.copyTo(sample.dtype(), back);
      assertThat(back).isEqualTo(sample.other());
    }
  }

  private List<CuDevice> devices() {
    return Stream.of(AllocatorKind.values()).map(gpu1::using).toList();
  }

  @ParameterizedTest
  @MethodSource("samples")
  <T, A> void byBufferWhosePositionDoesNotMove(Sample<T, A> sample) {
    for (Buffer buffer : List.of(sample.bytes(), sample.typedBuffer())) {
      int position = buffer.position();
      CuArray<T> array = scope.keep(gpu1.array(sample.dtype(), buffer));
      assertThat(array.shape()).containsExactly(Sample.SIZE);
      assertThat(array.toArray(sample.dtype())).isEqualTo(sample.array());
      array.copyFrom(sample.dtype(), sample.other());
      array.copyFrom(buffer);
      assertThat(array.toArray(sample.dtype())).isEqualTo(sample.array());
      assertThat(buffer.position()).isEqualTo(position);
      ByteBuffer back = sample.emptyBytes();
      array.copyTo(back);
      assertThat(back.position()).isZero();
      assertThat(back).isEqualTo(sample.bytes());
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  <T, A> void byPinnedHostArray(Sample<T, A> sample) {
    HostArray<T> pinned = scope.keep(gpu0.hostArray(sample.dtype(), Sample.SIZE));
    pinned.copyFrom(sample.dtype(), sample.array());
    assertThat(pinned.toArray(sample.dtype())).isEqualTo(sample.array());
    CuArray<T> array = scope.keep(gpu1.array(pinned));
    assertThat(array.toArray(sample.dtype())).isEqualTo(sample.array());
    pinned.copyFrom(sample.typedBuffer());
    pinned.copyFrom(sample.dtype(), sample.other());
    array.copyTo(pinned);
    assertThat(pinned.toArray(sample.dtype())).isEqualTo(sample.array());
    assertThat(pinned.get(3)).isEqualTo(sample.elements().get(3));
    pinned.set(sample.elements().get(5), 0);
    array.copyFrom(pinned);
    assertThat(array.get(0)).isEqualTo(sample.elements().get(5));
  }

  @ParameterizedTest
  @MethodSource("samples")
  <T, A> void byElement(Sample<T, A> sample) {
    CuArray<T> array = scope.keep(gpu1.array(sample.dtype(), sample.other()));
    for (int i = 0; i < Sample.SIZE; i++) {
      array.set(sample.elements().get(i), i);
    }
    for (int i = 0; i < Sample.SIZE; i++) {
      assertThat(array.get(i)).isEqualTo(sample.elements().get(i));
    }
    assertThat(array.toArray(sample.dtype())).isEqualTo(sample.array());
  }

  @ParameterizedTest
  @MethodSource("samples")
  <T, A> void aFillSetsEveryElementAndNoByteBeyond(Sample<T, A> sample) {
    CuArray<T> array = scope.keep(gpu1.array(sample.dtype(), sample.other()));
    CuArray<T> middle = array.slice(1, Sample.SIZE - 1);
    for (T element : sample.elements()) {
      middle.fill(element);
      for (int i = 1; i < Sample.SIZE - 1; i++) {
        assertThat(array.get(i)).isEqualTo(element);
      }
    }
    CuArray<T> untouched = scope.keep(gpu0.array(sample.dtype(), sample.other()));
    for (int edge : new int[] {0, Sample.SIZE - 1}) {
      assertThat(array.get(edge)).isEqualTo(untouched.get(edge));
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  <T, A> void fillsOfManySizesReachTheLastElement(Sample<T, A> sample) {
    for (int size : new int[] {1, 2, 3, 5, 64, 1000}) {
      for (T element : sample.elements().subList(1, 3)) {
        CuArray<T> array = scope.keep(gpu0.full(sample.dtype(), element, size));
        assertThat(array.get(0)).isEqualTo(element);
        assertThat(array.get(size / 2)).isEqualTo(element);
        assertThat(array.get(size - 1)).isEqualTo(element);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  <T, A> void zerosAreZeroAndFullsAreFull(Sample<T, A> sample) {
    CuArray<T> zeros = scope.keep(gpu0.zeros(sample.dtype(), 2, 3));
    assertThat(zeros.getDouble(1, 2)).isZero();
    assertThat(zeros.get(0, 0)).isEqualTo(sample.dtype().of(0));
    CuArray<T> full = scope.keep(gpu0.full(sample.dtype(), sample.elements().get(2), 2, 3));
    assertThat(full.get(1, 2)).isEqualTo(sample.elements().get(2));
    full.fill((Number) 1);
    assertThat(full.getLong(1, 2)).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("samples")
  <T, A> void copiesBetweenDevicesKeepElements(Sample<T, A> sample) {
    CuArray<T> there = scope.keep(gpu0.array(sample.dtype(), sample.array()));
    CuArray<T> here = scope.keep(there.to(gpu1));
    assertThat(here.device()).isEqualTo(gpu1);
    assertThat(here.toArray(sample.dtype())).isEqualTo(sample.array());
    CuArray<T> again = scope.keep(here.to(gpu1));
    assertThat(again.owner()).isSameAs(again);
    here.copyFrom(sample.dtype(), sample.other());
    assertThat(again.toArray(sample.dtype())).isEqualTo(sample.array());
  }

  @Test
  void fillsOfNumbersAreRefusedWhereTheElementCannotHoldThem() {
    CuArray<UInt8> bytes = scope.keep(gpu0.zeros(DType.UINT8, 4));
    CuArray<Integer> ints = scope.keep(gpu0.zeros(DType.INT32, 4));
    recording.clear();
    for (Runnable fill :
        List.<Runnable>of(
            () -> bytes.fill((Number) 256),
            () -> bytes.fill((Number) Integer.valueOf(-1)),
            () -> ints.fill((Number) 2.5),
            () -> ints.fill((Number) (1L << 40)))) {
      assertThatIllegalArgumentException().isThrownBy(fill::run);
    }
    assertThat(recording.calls()).isEmpty();
  }

  @Test
  void elementsAreReadAsNumbersWhereTheyAreNumbers() {
    CuArray<Complex64> complex =
        scope.keep(gpu0.array(DType.COMPLEX64, new float[] {2.5f, 0, 1, 1}));
    assertThat(complex.getDouble(0)).isEqualTo(2.5);
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> complex.getDouble(1));
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> complex.getLong(0));
    CuArray<Long> longs = scope.keep(gpu0.array(DType.INT64, new long[] {Long.MAX_VALUE}));
    assertThat(longs.getLong(0)).isEqualTo(Long.MAX_VALUE);
    CuArray<UInt8> bytes = scope.keep(gpu0.array(DType.UINT8, new byte[] {-1}));
    assertThat(bytes.getLong(0)).isEqualTo(255);
  }

  @Test
  void narrowAndComplexElementsKeepTheirBits() {
    CuArray<Float16> halves = scope.keep(gpu0.full(DType.FLOAT16, Float16.of(1.5f), 3));
    assertThat(halves.toArray(DType.FLOAT16)).isEqualTo(Float16.pack(1.5f, 1.5f, 1.5f));
    CuArray<BFloat16> brains = scope.keep(gpu0.full(DType.BFLOAT16, BFloat16.of(1.5f), 3));
    assertThat(brains.toArray(DType.BFLOAT16)).isEqualTo(BFloat16.pack(1.5f, 1.5f, 1.5f));
    CuArray<Complex128> complex = scope.keep(gpu0.full(DType.COMPLEX128, new Complex128(1, -2), 2));
    assertThat(complex.toArray(DType.COMPLEX128)).containsExactly(1, -2, 1, -2);
  }

  @Test
  void theDirectBufferOfAHostArrayIsTheMemoryItself() {
    HostArray<Integer> pinned = scope.keep(gpu0.hostArray(DType.INT32, 4));
    pinned.copyFrom(DType.INT32, new int[] {1, 2, 3, 4});
    pinned.synchronize();
    ByteBuffer window = pinned.asByteBuffer(1, 3);
    assertThat(window.order()).isEqualTo(ByteOrder.nativeOrder());
    assertThat(window.capacity()).isEqualTo(8);
    assertThat(window.getInt(0)).isEqualTo(2);
    window.putInt(4, 9);
    CuArray<Integer> array = scope.keep(gpu1.array(pinned));
    assertThat(array.toArray(DType.INT32)).containsExactly(1, 2, 9, 4);
  }
}
