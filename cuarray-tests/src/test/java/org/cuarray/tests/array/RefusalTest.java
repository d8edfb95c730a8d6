package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Bad arguments are refused before anything is done: the message shows both sides, the elements
 * stay, and no driver call is made.
 */
class RefusalTest extends ArrayTests {
  private final CuArray<Float> array = scope.keep(gpu0.full(DType.FLOAT32, 1f, 3, 4));
  private final CuArray<Float> turned = scope.keep(gpu1.full(DType.FLOAT32, 2f, 4, 3));
  private final CuArray<Integer> ints = scope.keep(gpu1.full(DType.INT32, 3, 3, 4));
  private final HostArray<Float> pinned = scope.keep(gpu0.hostArray(DType.FLOAT32, 12));
  private final CuRuntime other = CuRuntime.open(recording.driver());
  private final CuArray<Float> ofOther = other.device(0).full(DType.FLOAT32, 5f, 3, 4);

  @AfterEach
  void closeTheOtherRuntime() {
    ofOther.close();
    other.close();
  }

  /** What is refused, and what the message has to show. */
  private record Refusal(
      String name, Class<? extends RuntimeException> type, Runnable action, List<String> shown) {
    static Refusal argument(String name, Runnable action, String... shown) {
      return new Refusal(name, IllegalArgumentException.class, action, List.of(shown));
    }

    static Refusal index(String name, Runnable action, String... shown) {
      return new Refusal(name, IndexOutOfBoundsException.class, action, List.of(shown));
    }
  }

  private List<Refusal> refusals() {
    return List.of(
        Refusal.argument(
            "another shape",
            () -> array.copyTo(turned),
            "the shapes [3, 4] and [4, 3] differ: "
                + "float32 [3, 4] on cuda:0 into float32 [4, 3] on cuda:1"),
        Refusal.argument(
            "a plan to another shape",
            () -> array.planCopyTo(turned),
            "float32 [3, 4] on cuda:0",
            "float32 [4, 3] on cuda:1"),
        Refusal.argument(
            "another dtype behind an unchecked cast",
            () -> array.copyTo(unchecked(ints)),
            "the dtypes float32 and int32 differ: "
                + "float32 [3, 4] on cuda:0 into int32 [3, 4] on cuda:1"),
        Refusal.argument(
            "another dtype and another shape",
            () -> array.copyTo(unchecked(ints.reshape(12))),
            "the dtypes float32 and int32 and the shapes [3, 4] and [12] differ: "
                + "float32 [3, 4] on cuda:0 into int32 [12] on cuda:1"),
        Refusal.argument(
            "an array of another runtime",
            () -> array.copyTo(ofOther),
            "another runtime",
            "float32 [3, 4] on cuda:0"),
        Refusal.argument(
            "a device of another runtime",
            () -> array.to(other.device(1)),
            "cuda:1 belongs to another runtime"),
        Refusal.argument(
            "a peer of another runtime",
            () -> gpu0.canAccessPeer(other.device(1)),
            "cuda:1 belongs to another runtime"),
        Refusal.argument(
            "a host array of another shape",
            () -> array.copyTo(pinned),
            "the shapes [3, 4] and [12] differ: ",
            "float32 [3, 4] on cuda:0",
            "float32 [12] in pinned host memory"),
        Refusal.argument(
            "from a host array of another shape",
            () -> array.copyFrom(pinned),
            "float32 [3, 4] on cuda:0",
            "float32 [12] in pinned host memory"),
        Refusal.argument(
            "a shorter Java array",
            () -> array.copyFrom(DType.FLOAT32, new float[11]),
            "float32 [3, 4] on cuda:0",
            "12",
            "11"),
        Refusal.argument(
            "a longer Java array to copy to",
            () -> array.copyTo(DType.FLOAT32, new float[13]),
            "float32 [3, 4] on cuda:0",
            "12",
            "13"),
        Refusal.argument(
            "the dtype of other elements",
            () -> RefusalTest.<Integer>unchecked(array).copyFrom(DType.INT32, new int[12]),
            "int32",
            "float32 [3, 4] on cuda:0"),
        Refusal.argument(
            "toArray of other elements",
            () -> RefusalTest.<Integer>unchecked(array).toArray(DType.INT32),
            "int32",
            "float32 [3, 4] on cuda:0"),
        Refusal.argument(
            "a buffer of other elements",
            () -> array.copyFrom(IntBuffer.allocate(12)),
            "IntBuffer",
            "float32"),
        Refusal.argument(
            "a shorter buffer",
            () -> array.copyFrom(FloatBuffer.allocate(11)),
            "float32 [3, 4] on cuda:0",
            "11"),
        Refusal.argument(
            "a longer buffer to copy to",
            () -> array.copyTo(FloatBuffer.allocate(13)),
            "float32 [3, 4] on cuda:0",
            "13"),
        Refusal.argument(
            "a buffer in the other byte order", () -> array.copyFrom(swapped()), "order"),
        Refusal.argument(
            "to a buffer in the other byte order", () -> array.copyTo(swapped()), "order"),
        Refusal.argument(
            "a read-only buffer",
            () -> array.copyTo(FloatBuffer.allocate(12).asReadOnlyBuffer()),
            "read-only"),
        Refusal.argument(
            "elements that do not fill the shape",
            () -> gpu0.array(DType.FLOAT32, new float[11], 3, 4),
            "11",
            "[3, 4]",
            "12"),
        Refusal.argument(
            "a buffer that does not fill the shape",
            () -> gpu0.array(DType.FLOAT32, FloatBuffer.allocate(11), 3, 4),
            "11",
            "[3, 4]",
            "12"),
        Refusal.argument("a negative extent", () -> gpu0.zeros(DType.INT8, 3, -4), "[3, -4]"),
        Refusal.argument(
            "more than 2^63 - 1 bytes", () -> gpu0.zeros(DType.FLOAT64, 1L << 61), "2^63 - 1"),
        Refusal.argument("a negative host array", () -> gpu0.hostArray(DType.INT8, -1), "[-1]"),
        Refusal.index("too few indices", () -> array.get(1), "[1]", "[3, 4]"),
        Refusal.index("an index past the end", () -> array.get(1, 4), "[1, 4]", "[3, 4]"),
        Refusal.index("a negative index", () -> array.set(1f, -1, 0), "[-1, 0]", "[3, 4]"),
        Refusal.index("a host array's index", () -> pinned.get(12), "[12]"),
        Refusal.index("elements past a host array", () -> pinned.asByteBuffer(0, 13), "13", "12"),
        Refusal.index("a device that is not there", () -> cuda.device(2), "2"),
        Refusal.index("a negative device", () -> cuda.device(-1), "-1"));
  }

  @SuppressWarnings("unchecked")
  private static <T> CuArray<T> unchecked(CuArray<?> array) {
    return (CuArray<T>) array;
  }

  private static Buffer swapped() {
    ByteOrder foreign =
        ByteOrder.nativeOrder().equals(ByteOrder.BIG_ENDIAN)
            ? ByteOrder.LITTLE_ENDIAN
            : ByteOrder.BIG_ENDIAN;
    return ByteBuffer.allocateDirect(48).order(foreign).asFloatBuffer();
  }

  @TestFactory
  Stream<DynamicTest> isRefusedWithNothingDone() {
    return refusals().stream()
        .map(refusal -> DynamicTest.dynamicTest(refusal.name(), () -> assertRefused(refusal)));
  }

  private void assertRefused(Refusal refusal) {
    recording.clear();
    Throwable thrown = catchThrowable(refusal.action()::run);
    assertThat(recording.calls()).as("driver calls").isEmpty();
    assertThat(thrown)
        .isInstanceOf(refusal.type())
        .hasMessageContainingAll(refusal.shown().toArray(String[]::new));
    assertThat(array.toArray(DType.FLOAT32)).containsOnly(1f);
    assertThat(turned.toArray(DType.FLOAT32)).containsOnly(2f);
    assertThat(ofOther.toArray(DType.FLOAT32)).containsOnly(5f);
    assertThat(ints.toArray(DType.INT32)).containsOnly(3);
  }

  @Test
  void devicesAreEqualWithinOneRuntimeOnly() {
    assertThat(gpu0.using(AllocatorKind.CLASSIC)).isEqualTo(gpu0).hasSameHashCodeAs(gpu0);
    assertThat(gpu0).isNotEqualTo(other.device(0)).isNotEqualTo(gpu1);
  }
}
