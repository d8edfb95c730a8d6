package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.DType;
import org.cuarray.driver.RecordingDriver.Call;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Copies between slices of one array that overlap give memmove's result: on the device, or through
 * the host where they are made to go there.
 */
abstract class OverlappingCopies extends MultiDeviceTests {

  static IntStream smallShifts() {
    return IntStream.rangeClosed(-15, 15).filter(shift -> shift != 0);
  }

  @ParameterizedTest(name = "16 bytes by {0}")
  @MethodSource("smallShifts")
  void aFewBytesMoveByEveryShift(int shift) {
    assertMoved(16, shift);
  }

  @ParameterizedTest(name = "9 MiB by {0}")
  @ValueSource(
      ints = {
        1,
        -1,
        3,
        -3,
        4096,
        -4096,
        (1 << 20) + 1,
        -(1 << 20) - 1,
        4 << 20,
        -(4 << 20),
        (5 << 20) + 3,
        -(5 << 20) - 3,
        (9 << 20) - 1,
        1 - (9 << 20)
      })
  void megabytesMoveByEveryKindOfShift(int shift) {
    assertMoved(9 << 20, shift);
  }

  private void assertMoved(int length, int shift) {
    for (CuDevice device : rig.firstTwo()) {
      for (AllocatorKind kind : MultiDeviceRig.kinds(device)) {
        assertMoved(device.using(kind), length, shift);
      }
    }
  }

  private void assertMoved(CuDevice device, int length, int shift) {
    int distance = Math.abs(shift);
    int source = shift >= 0 ? 0 : distance;
    int destination = source + shift;
    byte[] expected = new byte[length + distance];
    new SplittableRandom(shift).nextBytes(expected);
    try (CuArray<Byte> array = device.array(DType.INT8, expected);
        CuArray<Byte> from = array.slice(source, source + length);
        CuArray<Byte> to = array.slice(destination, destination + length)) {
      assertThat(from.planCopyTo(to).strategy()).isEqualTo(rig.expected(from, to));
      rig.recording().clear();
      from.copyTo(to);
      assertThat(CopyCalls.transfers(rig.recording().calls()))
          .extracting(Call::name)
          .hasSameElementsAs(CopyCalls.namesOf(rig.expected(from, to)));
      System.arraycopy(expected.clone(), source, expected, destination, length);
      Contents.assertSame(
          ByteBuffer.wrap(array.toArray(DType.INT8)),
          ByteBuffer.wrap(expected),
          0,
          "moved by " + shift);
    }
  }

  @Test
  void rowsShiftThroughAnArrayOneAfterTheOther() {
    int rows = 50;
    int columns = 1001;
    int[] expected = new int[rows * columns];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = i;
    }
    CuDevice device = rig.devices().get(0);
    try (CuArray<Integer> array = device.array(DType.INT32, expected, rows, columns)) {
      for (int i = 0; i < rows; i++) {
        array.slice(0, rows - 1).copyTo(array.slice(1, rows));
        System.arraycopy(expected.clone(), 0, expected, columns, (rows - 1) * columns);
      }
      assertThat(array.toArray(DType.INT32)).isEqualTo(expected);
    }
  }

  @Test
  void aCopyOntoItselfMovesNothing() {
    CuDevice device = rig.devices().get(0);
    try (CuArray<Integer> array = device.full(DType.INT32, 5, 100)) {
      rig.recording().clear();
      array.copyTo(array);
      array.slice(3, 50).copyTo(array.slice(3, 50));
      assertThat(CopyCalls.transfers(rig.recording().calls())).isEmpty();
      assertThat(array.toArray(DType.INT32)).containsOnly(5);
    }
  }
}
