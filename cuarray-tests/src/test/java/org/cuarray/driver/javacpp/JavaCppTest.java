package org.cuarray.driver.javacpp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.cuarray.CuUnavailableException;
import org.junit.jupiter.api.Test;

/** What holds on every machine, with a GPU or without. */
class JavaCppTest {
  @Test
  void anAddressIncludesThePositionInElements() {
    try (IntPointer pointer = new IntPointer(10)) {
      long start = pointer.address();

      assertThat(JavaCpp.address(pointer)).isEqualTo(start);
      assertThat(JavaCpp.address(pointer.position(3))).isEqualTo(start + 3 * Integer.BYTES);
    }
  }

  @Test
  void theAddressOfANullPointerIsZero() {
    assertThat(JavaCpp.address(new Pointer())).isZero();
    assertThat(JavaCpp.address(new Pointer().position(3))).isZero();
  }

  @Test
  void theDriverIsThereOrSaysWhyNotInTheSameWordsEveryTime() {
    Throwable first = catchThrowable(JavaCppDriver::instance);
    Throwable second = catchThrowable(JavaCppDriver::instance);

    if (first == null) {
      assertThat(JavaCppDriver.unavailableReason()).isEmpty();
      assertThat(JavaCppDriver.instance()).isSameAs(JavaCppDriver.instance());
    } else {
      assertThat(first).isInstanceOf(CuUnavailableException.class);
      assertThat(second).hasMessage(first.getMessage());
      assertThat(JavaCppDriver.unavailableReason())
          .hasValue(((CuUnavailableException) first).reason());
    }
  }

  @Test
  void loadingLiftsJavaCppsLimitOnTheMemoryOfTheProcess() {
    JavaCppDriver.unavailableReason();

    assertThat(System.getProperty("org.bytedeco.javacpp.maxPhysicalBytes")).isEqualTo("0");
  }
}
