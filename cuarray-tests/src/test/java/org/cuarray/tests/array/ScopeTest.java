package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.cuarray.CuArray;
import org.cuarray.CuClosedException;
import org.cuarray.CuDevice;
import org.cuarray.CuException;
import org.cuarray.CuScope;
import org.cuarray.DType;
import org.junit.jupiter.api.Test;

/** Many things closed at once, the last one first. */
class ScopeTest extends ArrayTests {
  private final List<String> closed = new ArrayList<>();

  private AutoCloseable named(String name) {
    return () -> closed.add(name);
  }

  @Test
  void whatWasKeptIsClosedInReverseAndOnce() {
    CuScope own = cuda.scope();
    own.keep(named("first"));
    own.keep(named("second"));
    AutoCloseable third = named("third");
    assertThat(own.keep(third)).isSameAs(third);
    own.close();
    own.close();
    assertThat(closed).containsExactly("third", "second", "first");
  }

  @Test
  void oneArrayPerDeviceIsKeptInALoop() {
    List<CuArray<Integer>> parts = new ArrayList<>();
    try (CuScope own = cuda.scope()) {
      for (CuDevice device : cuda.devices()) {
        parts.add(own.keep(device.full(DType.INT32, device.ordinal(), 10)));
      }
      assertThat(parts).allMatch(part -> part.get(0) == part.device().ordinal());
    }
    assertThat(parts).hasSize(2).allMatch(CuArray::isClosed);
  }

  @Test
  void whatFailsToCloseDoesNotKeepTheOthersOpen() {
    CuScope own = cuda.scope();
    own.keep(named("first"));
    own.keep(
        () -> {
          throw new IllegalStateException("one");
        });
    own.keep(
        () -> {
          throw new IOException("two");
        });
    own.keep(named("last"));
    assertThatExceptionOfType(CuException.class)
        .isThrownBy(own::close)
        .withMessageContaining("a scope could not close")
        .withCauseInstanceOf(IOException.class)
        .satisfies(
            failure -> assertThat(failure.getSuppressed()).extracting("message").contains("one"));
    assertThat(closed).containsExactly("last", "first");
  }

  @Test
  void aClosedScopeClosesWhatItIsGivenSoThatItIsNotLost() {
    CuScope own = cuda.scope();
    own.close();
    CuArray<Integer> late = gpu0.zeros(DType.INT32, 5);
    assertThatExceptionOfType(CuClosedException.class)
        .isThrownBy(() -> own.keep(late))
        .withMessageContaining("int32 [5] on cuda:0");
    assertThat(late.isClosed()).isTrue();
  }

  @Test
  void aScopeThatIsClosedAfterItsRuntimeClosesNothingTwice() {
    CuScope own = cuda.scope();
    CuArray<Integer> array = own.keep(gpu0.zeros(DType.INT32, 5));
    array.close();
    cuda.close();
    own.close();
    assertThat(array.isClosed()).isTrue();
  }
}
