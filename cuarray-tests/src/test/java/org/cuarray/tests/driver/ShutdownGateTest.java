package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.GatedDriver;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.ShutdownGate;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** What passes the gate before the driver, and when. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class ShutdownGateTest {
  private final RecordingDriver recording =
      new RecordingDriver(SimulatedDriver.of(Preset.NVLINK, 2));
  private final ShutdownGate gate = new ShutdownGate();
  private final CudaDriver driver = GatedDriver.around(recording.driver(), gate);

  private static Stream<Method> driverCalls() {
    return Arrays.stream(CudaDriver.class.getMethods())
        .filter(method -> method.getReturnType() == int.class)
        .filter(method -> !method.getName().equals("hostMalloc"));
  }

  @TestFactory
  Stream<DynamicTest> everyCallIsTheDriversOwnUntilTheGateIsClosedAndThenItIsNone() {
    return driverCalls()
        .map(call -> DynamicTest.dynamicTest(call.getName(), () -> assertGated(call)));
  }

  private static void assertGated(Method call) throws ReflectiveOperationException {
    RecordingDriver recording = new RecordingDriver(SimulatedDriver.of(Preset.NVLINK, 2));
    ShutdownGate gate = new ShutdownGate();
    CudaDriver driver = GatedDriver.around(recording.driver(), gate);
    Object[] arguments =
        Arrays.stream(call.getParameterTypes()).map(ShutdownGateTest::value).toArray();
    int status = (int) call.invoke(driver, arguments);
    assertThat(recording.calls()).hasSize(1);
    assertThat(recording.calls().get(0).name()).isEqualToIgnoringCase("cu" + call.getName());
    assertThat(recording.calls().get(0).status()).isEqualTo(status);
    assertThat(recording.calls().get(0).arguments()).hasSameSizeAs(arguments);

    assertThat(gate.close(Duration.ZERO)).as("nothing is inside").isTrue();
    expect(CudaError.DEINITIALIZED, (int) call.invoke(driver, arguments));
    assertThat(recording.calls()).hasSize(1);
  }

  private static Object value(Class<?> type) {
    if (type == long.class) {
      return 0L;
    }
    if (type == int.class) {
      return 1;
    }
    if (type == short.class) {
      return (short) 0;
    }
    if (type == byte.class) {
      return (byte) 0;
    }
    if (type == String.class) {
      return "";
    }
    return Array.newInstance(type.getComponentType(), 64);
  }

  @Test
  void whatIsNoDriverCallPassesAlways() {
    assertThat(gate.close(Duration.ZERO)).isTrue();
    long[] address = new long[1];
    ok(driver.hostMalloc(address, 8));
    assertThat(driver.hostBuffer(address[0], 8).remaining()).isEqualTo(8);
    driver.hostFree(address[0]);
    assertThat(driver.description()).isEqualTo(recording.driver().description());
    assertThat(driver.process()).isSameAs(recording.driver().process());
  }

  @Test
  void closingWaitsForTheCallsInProgressAndTurnsAwayTheOthersMeanwhile() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CudaDriver slow = GatedDriver.around(blocking("cuCtxSynchronize", inside, release), gate);
    Thread user = new Thread(slow::ctxSynchronize);
    user.start();
    inside.await();

    assertThat(gate.isClosed()).isFalse();
    assertThat(gate.close(Duration.ofMillis(1))).as("the call is still inside").isFalse();
    assertThat(gate.isClosed()).isTrue();
    expect(CudaError.DEINITIALIZED, slow.init(0));

    release.countDown();
    assertThat(gate.close(Duration.ofSeconds(50))).as("the call has come out").isTrue();
    user.join();
  }

  @Test
  void aCallThatThrowsHasComeOutToo() {
    CudaDriver throwing =
        GatedDriver.around(
            InterceptedDriver.around(
                recording.driver(),
                (call, arguments, proceed) -> {
                  throw new IllegalStateException("thrown by this test");
                }),
            gate);
    assertThatIllegalStateException().isThrownBy(() -> throwing.init(0));
    assertThat(gate.close(Duration.ZERO)).isTrue();
  }

  private CudaDriver blocking(String blocked, CountDownLatch inside, CountDownLatch release) {
    return InterceptedDriver.around(
        recording.driver(),
        (call, arguments, proceed) -> {
          if (call.equals(blocked)) {
            inside.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
          return proceed.call();
        });
  }
}
