package org.cuarray.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.INVALID_CONTEXT;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.NOT_FOUND;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.cuarray.driver.FunctionAttribute;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Modules, functions and launches. The one kernel of the module, {@code fact}, writes an int to an
 * address; a simulated machine has a body for it.
 */
abstract class KernelFacts extends DriverFacts {
  private static final byte[] PTX =
      """
      .version 7.0
      .target sm_75
      .address_size 64
      .visible .entry fact(.param .u64 target, .param .u32 value) {
        .reg .b64 %rd<3>;
        .reg .b32 %r<2>;
        ld.param.u64 %rd1, [target];
        ld.param.u32 %r1, [value];
        cvta.to.global.u64 %rd2, %rd1;
        st.global.u32 [%rd2], %r1;
        ret;
      }
      """
          .getBytes(StandardCharsets.US_ASCII);

  /** An address and an int. */
  private static final int PARAMETER_BYTES = 12;

  private long module;

  @AfterEach
  void unload() {
    if (module != 0) {
      rig.use(0);
      ok(driver.moduleUnload(module));
    }
  }

  /** The kernel on device 0, whose context is left current. */
  private long function() {
    long[] handle = new long[1];
    rig.use(0);
    ok(driver.moduleLoadDataEx(handle, PTX, new byte[1024]));
    module = handle[0];
    ok(driver.moduleGetFunction(handle, module, "fact"));
    return handle[0];
  }

  private int launch(long function, int grid, int block, int shared, long target, int value) {
    byte[] parameters = new byte[PARAMETER_BYTES + 4];
    ByteBuffer.wrap(parameters)
        .order(ByteOrder.nativeOrder())
        .putLong(0, target)
        .putInt(Long.BYTES, value);
    return driver.launchKernel(
        function, grid, 1, 1, block, 1, 1, shared, rig.stream(0), parameters, PARAMETER_BYTES);
  }

  @Test
  @Tag(DOCUMENTED)
  void aKernelIsGivenItsParameters() {
    long function = function();
    long target = rig.classic(0, 16);
    rig.fill(0, target, 7, 16);
    ok(driver.funcLoad(function));
    ok(launch(function, 1, 1, 0, target + 4, 0x04030201));
    rig.synchronize(0);
    assertThat(rig.read(0, target, 12)).containsExactly(7, 7, 7, 7, 1, 2, 3, 4, 7, 7, 7, 7);
  }

  @Test
  @Tag(DOCUMENTED)
  void parametersAreReadBeforeTheCallReturns() {
    long function = function();
    long target = rig.classic(0, 400);
    for (int i = 0; i < 100; i++) {
      ok(launch(function, 1, 1, 0, target + 4L * i, i));
    }
    rig.synchronize(0);
    byte[] written = rig.read(0, target, 400);
    for (int i = 0; i < 100; i++) {
      assertThat(written[4 * i]).isEqualTo((byte) i);
    }
  }

  @Test
  @Tag(DOCUMENTED)
  void aFunctionKnowsItsParameters() {
    long function = function();
    long[] offset = {-1};
    long[] bytes = {-1};
    ok(driver.funcGetParamInfo(function, 0, offset, bytes));
    assertThat(offset[0]).isZero();
    assertThat(bytes[0]).isEqualTo(8);
    ok(driver.funcGetParamInfo(function, 1, offset, bytes));
    assertThat(offset[0]).isEqualTo(8);
    assertThat(bytes[0]).isEqualTo(4);
    expect(INVALID_VALUE, driver.funcGetParamInfo(function, 2, offset, bytes));
    assertThat(offset[0]).isEqualTo(8);
  }

  @Test
  @Tag(DOCUMENTED)
  void aFunctionKnowsItsLimits() {
    long function = function();
    int[] value = new int[1];
    ok(driver.funcGetAttribute(value, FunctionAttribute.MAX_THREADS_PER_BLOCK, function));
    assertThat(value[0]).isPositive();
    ok(driver.funcGetAttribute(value, FunctionAttribute.SHARED_SIZE_BYTES, function));
    assertThat(value[0]).isZero();
    ok(
        driver.funcSetAttribute(
            function, FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 << 10));
    ok(driver.funcGetAttribute(value, FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
    assertThat(value[0]).isEqualTo(64 << 10);
    ok(launch(function, 1, 1, 64 << 10, rig.classic(0, 4), 1));
    rig.synchronize(0);
    expect(
        INVALID_VALUE,
        driver.funcSetAttribute(
            function, FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30));
  }

  @Test
  @Tag(DOCUMENTED)
  void anUnknownNameIsNotFound() {
    long[] handle = {-1};
    function();
    expect(NOT_FOUND, driver.moduleGetFunction(handle, module, "fiction"));
    assertThat(handle[0]).isEqualTo(-1);
  }

  @Test
  @Tag(DOCUMENTED)
  void loadingNeedsACurrentContext() {
    long[] handle = {-1};
    rig.useNone();
    expect(INVALID_CONTEXT, driver.moduleLoadDataEx(handle, PTX, new byte[0]));
    assertThat(handle[0]).isEqualTo(-1);
  }

  @Test
  @Tag(DOCUMENTED)
  void sizesThatTheDeviceDoesNotTakeAreInvalid() {
    long function = function();
    long target = rig.classic(0, 4);
    expect(INVALID_VALUE, launch(function, 0, 1, 0, target, 1));
    expect(INVALID_VALUE, launch(function, 1, 0, 0, target, 1));
    expect(INVALID_VALUE, launch(function, 1, 1025, 0, target, 1));
    expect(INVALID_VALUE, launch(function, 1, 1, 1 << 30, target, 1));
  }
}
