package org.cuarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.testing.EqualsTester;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShapeTest {

  @Test
  void theLastAxisHasNeighboursAndTheFirstTheLongestStride() {
    Shape shape = Shape.of(2, 3, 4);

    assertThat(shape.ndim()).isEqualTo(3);
    assertThat(shape.extents()).containsExactly(2, 3, 4);
    assertThat(shape.strides()).containsExactly(12, 4, 1);
    assertThat(shape.size()).isEqualTo(24);
    assertThat(shape.extent(1)).isEqualTo(3);
    assertThat(shape.stride(1)).isEqualTo(4);
    assertThat(shape).hasToString("[2, 3, 4]");
  }

  @Test
  void aShapeWithoutAxesHasOneElement() {
    Shape scalar = Shape.of();

    assertThat(scalar.ndim()).isZero();
    assertThat(scalar.size()).isOne();
    assertThat(scalar.offset()).isZero();
    assertThat(scalar.strides()).isEmpty();
    assertThat(scalar).hasToString("[]");
    assertThat(scalar.reshape(1, 1)).isEqualTo(Shape.of(1, 1));
    assertThat(Shape.of(1, 1).reshape()).isEqualTo(scalar);
  }

  @Test
  void anExtentOfZeroLeavesNoElementsAndNumPysStrides() {
    assertThat(Shape.of(2, 0, 3).size()).isZero();
    assertThat(Shape.of(2, 0, 3).strides()).containsExactly(3, 3, 1);
    assertThat(Shape.of(0).byteSize(DType.FLOAT64)).isZero();
  }

  @Test
  void aNegativeExtentIsRefusedWithItsAxis() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.of(2, -1, 3))
        .withMessage("shape [2, -1, 3] has a negative extent on axis 1");
  }

  @Test
  void sizesPassTwoToThe31AndGoUpToTwoToThe63MinusOne() {
    assertThat(Shape.of(1L << 20, 1L << 20).size()).isEqualTo(1L << 40);
    assertThat(Shape.of(7, Long.MAX_VALUE / 7).size()).isEqualTo(Long.MAX_VALUE);
    assertThat(Shape.of(Long.MAX_VALUE).byteSize(DType.INT8)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void moreElementsOrBytesThanALongCountsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.of(1L << 32, 1L << 31))
        .withMessage("shape [4294967296, 2147483648] has more than 2^63 - 1 elements");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.of(1L << 32, 0, 1L << 32))
        .withMessageContaining("[4294967296, 0, 4294967296]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.of(1L << 60).byteSize(DType.FLOAT64))
        .withMessage(
            "float64 [1152921504606846976]: 1152921504606846976 elements of 8 bytes pass 2^63 - 1"
                + " bytes");
    assertThat(Shape.of((1L << 60) - 1).byteSize(DType.FLOAT64)).isEqualTo((1L << 63) - 8);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("org.cuarray.Seeds#all")
  void offsetsCountTheElementsBeforeInRowMajorOrder(long seed) {
    Random random = new Random(seed);
    long[] extents = random.longs(1 + random.nextInt(4), 1, 5).toArray();
    Shape shape = Shape.of(extents);
    long[] index = new long[extents.length];
    for (long expected = 0; expected < shape.size(); expected++) {
      assertThat(shape.offset(index)).as("%s", shape).isEqualTo(expected);
      for (int axis = index.length - 1; axis >= 0 && ++index[axis] == extents[axis]; axis--) {
        index[axis] = 0;
      }
    }
  }

  @Test
  void anIndexOutsideShowsItselfAndTheShape() {
    Shape shape = Shape.of(3, 4);

    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> shape.offset(3, 0))
        .withMessage("index [3, 0] is outside shape [3, 4] on axis 0");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> shape.offset(0, -1))
        .withMessage("index [0, -1] is outside shape [3, 4] on axis 1");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> shape.offset(1))
        .withMessage("index [1] has 1 axis, shape [3, 4] has 2 axes");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> Shape.of().offset(0))
        .withMessage("index [0] has 1 axis, shape [] has 0 axes");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2})
  void anAxisThatIsNotThereIsRefused(int axis) {
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> Shape.of(3, 4).extent(axis))
        .withMessage("axis " + axis + " of shape [3, 4], which has 2 axes");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> Shape.of(3, 4).stride(axis));
  }

  @Test
  void aSliceHasTheRowsFromTheFirstToBeforeTheLast() {
    assertThat(Shape.of(5, 2).slice(1, 4)).isEqualTo(Shape.of(3, 2));
    assertThat(Shape.of(5, 2).slice(5, 5)).isEqualTo(Shape.of(0, 2));
    assertThat(Shape.of(5, 2).slice(0, 5)).isEqualTo(Shape.of(5, 2));
  }

  @Test
  void aSliceOutsideAxisZeroIsRefused() {
    for (long[] range : new long[][] {{-1, 2}, {3, 2}, {0, 6}, {6, 6}}) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> Shape.of(5, 2).slice(range[0], range[1]))
          .withMessage(
              "slice [" + range[0] + ", " + range[1] + ") is outside axis 0 of shape [5, 2]");
    }
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> Shape.of().slice(0, 1))
        .withMessage(
            "slice [0, 1) of shape [], which has no axis to slice; reshape(1) gives it one");
  }

  @Test
  void reshapeKeepsTheElementsAndFillsInOneExtent() {
    assertThat(Shape.of(3, 4).reshape(2, 6)).isEqualTo(Shape.of(2, 6));
    assertThat(Shape.of(3, 4).reshape(-1)).isEqualTo(Shape.of(12));
    assertThat(Shape.of(3, 4).reshape(2, -1, 3)).isEqualTo(Shape.of(2, 2, 3));
    assertThat(Shape.of(0, 4).reshape(-1, 2)).isEqualTo(Shape.of(0, 2));
    assertThat(Shape.of(0, 4).reshape(7, 0)).isEqualTo(Shape.of(7, 0));
  }

  @Test
  void reshapeLeavesTheCallersArrayAsItWas() {
    long[] wanted = {-1, 3};

    Shape.of(3, 4).reshape(wanted);

    assertThat(wanted).containsExactly(-1, 3);
  }

  @Test
  void reshapeRefusesAnotherNumberOfElementsAndShowsBothShapes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.of(3, 4).reshape(5))
        .withMessage("shape [3, 4] into shape [5]: 12 elements are not 5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.of(3, 4).reshape(5, -1))
        .withMessage("shape [3, 4] into shape [5, -1]: 12 elements do not divide into parts of 5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.of(3, 4).reshape(-1, -1))
        .withMessage("shape [3, 4] into shape [-1, -1]: only one extent may be -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.of(0, 4).reshape(0, -1))
        .withMessageContaining("beside an extent of 0, -1 could be anything");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.of(3, 4).reshape(-2, -6))
        .withMessageContaining("[-2, -6]");
  }

  @Test
  void aShapeDoesNotShareItsArrays() {
    long[] extents = {2, 3};
    Shape shape = Shape.of(extents);
    extents[0] = 9;
    shape.extents()[1] = 9;
    shape.strides()[1] = 9;

    assertThat(shape.extents()).containsExactly(2, 3);
    assertThat(shape.strides()).containsExactly(3, 1);
  }

  @Test
  void shapesOfTheSameExtentsAreEqual() {
    new EqualsTester()
        .addEqualityGroup(Shape.of(2, 3), Shape.of(2, 3), Shape.of(6).reshape(2, 3))
        .addEqualityGroup(Shape.of(3, 2))
        .addEqualityGroup(Shape.of())
        .addEqualityGroup(Shape.of(1))
        .testEquals();
  }
}
