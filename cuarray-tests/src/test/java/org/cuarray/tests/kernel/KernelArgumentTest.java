package org.cuarray.tests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.cuarray.Access.read;
import static org.cuarray.Access.write;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.BFloat16;
import org.cuarray.Complex128;
import org.cuarray.Complex64;
import org.cuarray.CuArray;
import org.cuarray.DType;
import org.cuarray.Float16;
import org.cuarray.KernelArg;
import org.cuarray.Launch;
import org.cuarray.driver.simulated.KernelBody;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What arrives in a kernel of what it was given. */
class KernelArgumentTest {
  private static final List<Integer> SIZES = List.of(1, 8, 1, 1, 2, 2, 2, 4, 8, 4, 8, 8, 1, 16, 1);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyKindOfValueArrives(boolean declared) {
    List<Object> seen = new ArrayList<>();
    KernelBody body =
        run -> {
          seen.add(run.nextByte());
          seen.add(run.nextLong());
          seen.add(run.nextByte());
          seen.add(run.nextByte());
          seen.add(run.nextShort());
          seen.add(run.nextShort());
          seen.add(run.nextShort());
          seen.add(run.nextInt());
          seen.add(run.nextLong());
          seen.add(run.nextFloat());
          seen.add(run.nextDouble());
          seen.add(run.nextFloat());
          seen.add(run.nextFloat());
          seen.add(run.nextByte());
          // A double2 is aligned to 16 bytes, and the byte before it stands at 64.
          run.nextLong();
          seen.add(run.nextDouble());
          seen.add(run.nextDouble());
          seen.add(run.nextByte());
        };
    SimulatedDriver.Builder builder = SimulatedDriver.builder().devices(1);
    try (KernelMachine machine =
            new KernelMachine(
                (declared ? builder.kernel("k", SIZES, body) : builder.kernel("k", body)).build());
        CuArray<Float> array = machine.array(0, 1)) {
      machine
          .kernel("k")
          .launch(
              Launch.of(1, 1),
              KernelArg.bool(true),
              read(array),
              KernelArg.int8(-3),
              KernelArg.uint8(200),
              KernelArg.int16(-4),
              KernelArg.float16(1.5f),
              KernelArg.bfloat16(-2.5f),
              KernelArg.int32(-5),
              KernelArg.int64(Long.MIN_VALUE + 1),
              KernelArg.float32(0.5f),
              KernelArg.float64(Math.PI),
              KernelArg.of(DType.COMPLEX64, new Complex64(7, -8)),
              KernelArg.bool(false),
              KernelArg.of(DType.COMPLEX128, new Complex128(9, -10)),
              KernelArg.int8(11));
      assertThat(seen)
          .containsExactly(
              (byte) 1,
              array.pointer(),
              (byte) -3,
              (byte) 200,
              (short) -4,
              Float16.of(1.5f).bits(),
              BFloat16.of(-2.5f).bits(),
              -5,
              Long.MIN_VALUE + 1,
              0.5f,
              Math.PI,
              7f,
              -8f,
              (byte) 0,
              9d,
              -10d,
              (byte) 11);
    }
  }

  @Test
  void manyArgumentsArrive() {
    int count = 100;
    List<Long> seen = new ArrayList<>();
    KernelBody body =
        run -> {
          for (int i = 0; i <= count; i++) {
            seen.add(run.nextLong());
          }
        };
    try (KernelMachine machine =
            new KernelMachine(SimulatedDriver.builder().kernel("many", body).build());
        CuArray<Float> array = machine.array(0, 1)) {
      KernelArg[] arguments = new KernelArg[count + 1];
      arguments[0] = write(array);
      for (int i = 1; i <= count; i++) {
        arguments[i] = i % 2 == 0 ? KernelArg.int64(i) : write(array);
      }
      machine.kernel("many").launch(Launch.of(1, 1), arguments);
      assertThat(seen).hasSize(count + 1).contains(100L).element(99).isEqualTo(array.pointer());
    }
  }

  @Test
  void aKernelCanTakeNothing() {
    int[] runs = new int[1];
    try (KernelMachine machine =
        new KernelMachine(
            SimulatedDriver.builder().kernel("none", List.of(), run -> runs[0]++).build())) {
      try (var stream = machine.gpu(1).stream()) {
        machine.kernel("none").launch(stream, Launch.of(1, 1));
      }
    }
    assertThat(runs[0]).isEqualTo(1);
  }

  @Test
  void valuesThatDoNotFitAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KernelArg.int8(128))
        .withMessage("int8 holds -128 to 127, and was given 128");
    assertThatIllegalArgumentException().isThrownBy(() -> KernelArg.uint8(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> KernelArg.int16(40_000));
  }

  @Test
  void argumentsReadAsTheirTypeAndValue() {
    assertThat(KernelArg.int64(5)).hasToString("int64 5").isEqualTo(KernelArg.int64(5));
    assertThat(KernelArg.of(DType.FLOAT64, 2.5)).hasToString("float64 2.5");
    assertThat(KernelArg.bool(true)).hasToString("bool true");
  }
}
