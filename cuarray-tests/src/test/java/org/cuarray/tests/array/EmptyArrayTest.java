package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.IntBuffer;
import org.cuarray.AllocatorKind;
import org.cuarray.CopyPlan;
import org.cuarray.CuArray;
import org.cuarray.CuClosedException;
import org.cuarray.CuDevice;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrays without elements do everything that arrays do, without a driver call. */
class EmptyArrayTest extends ArrayTests {

  @ParameterizedTest
  @EnumSource
  void fromBirthToEndNoDriverCallIsMade(AllocatorKind kind) {
    CuDevice here = gpu0.using(kind);
    CuDevice there = gpu1.using(kind);
    recording.clear();
    CuArray<Integer> array = here.zeros(DType.INT32, 3, 0);
    CuArray<Integer> other = there.full(DType.INT32, 7, 3, 0);
    array.copyTo(other);
    other.copyTo(array);
    array.fill((Integer) 5);
    array.fill((Number) 5);
    array.copyFrom(DType.INT32, new int[0]);
    array.copyTo(DType.INT32, new int[0]);
    array.copyFrom(IntBuffer.allocate(0));
    array.copyTo(IntBuffer.allocate(0));
    array.synchronize();
    assertThat(array.toArray(DType.INT32)).isEmpty();
    assertThat(array.pointer()).isZero();
    CopyPlan plan = array.planCopyTo(other);
    assertThat(plan.bytes()).isZero();
    assertThat(plan.reason()).contains("nothing to copy");
    assertThat(array.slice(1, 3).shape()).containsExactly(2, 0);
    assertThat(array.reshape(0, 7).shape()).containsExactly(0, 7);
    assertThat(array.view(DType.INT8).shape()).containsExactly(3, 0);
    array.retain().close();
    array.to(gpu1.using(kind)).close();
    there.array(DType.INT32, new int[0]).close();
    array.close();
    other.close();
    assertThat(recording.calls()).isEmpty();
  }

  @Test
  void emptySlicesOfFullArraysMakeNoDriverCallEither() {
    CuArray<Integer> array = scope.keep(gpu0.zeros(DType.INT32, 10));
    CuArray<Integer> other = scope.keep(gpu1.zeros(DType.INT32, 10));
    recording.clear();
    array.slice(4, 4).copyTo(other.slice(9, 9));
    array.slice(10, 10).fill((Integer) 1);
    assertThat(array.slice(0, 0).toArray(DType.INT32)).isEmpty();
    assertThat(recording.calls()).isEmpty();
  }

  @Test
  void anEmptyHostArrayIsNotPinned() {
    recording.clear();
    HostArray<Integer> pinned = gpu0.hostArray(DType.INT32, 0, 5);
    pinned.copyFrom(DType.INT32, new int[0]);
    assertThat(pinned.toArray(DType.INT32)).isEmpty();
    assertThat(pinned.asByteBuffer(0, 0).capacity()).isZero();
    assertThat(pinned.size()).isZero();
    pinned.synchronize();
    pinned.close();
    assertThat(recording.calls()).isEmpty();
  }

  @Test
  void copiesOfEmptyHostArraysMakeNoDriverCall() {
    HostArray<Integer> pinned = scope.keep(gpu0.hostArray(DType.INT32, 0, 5));
    CuArray<Integer> array = scope.keep(gpu1.zeros(DType.INT32, 0, 5));
    recording.clear();
    array.copyTo(pinned);
    array.copyFrom(pinned);
    gpu0.array(pinned).close();
    assertThat(recording.calls()).isEmpty();
  }

  @Test
  void aClosedEmptyArrayIsClosed() {
    CuArray<Integer> array = gpu0.zeros(DType.INT32, 0);
    CuArray<Integer> other = scope.keep(gpu1.zeros(DType.INT32, 0));
    array.close();
    assertThat(array.isClosed()).isTrue();
    for (Runnable use :
        new Runnable[] {
          () -> array.copyTo(other),
          () -> other.copyTo(array),
          () -> array.planCopyTo(other),
          () -> array.toArray(DType.INT32),
          () -> array.copyFrom(DType.INT32, new int[0]),
          () -> array.fill((Integer) 1),
          () -> array.slice(0, 0),
          array::synchronize,
          array::retain
        }) {
      assertThatExceptionOfType(CuClosedException.class)
          .isThrownBy(use::run)
          .withMessageContaining("int32 [0] on cuda:0 was closed");
    }
  }
}
