package org.cuarray.tests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.javacpp.JavaCppDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Prints what the real driver answers where its documentation is silent, for the facts that the
 * simulated machine is built on. Asserts nothing about the answers.
 */
@Tag("gpu")
public final class CudaKernelReadings {
  private CudaDriver driver;
  private DriverRig rig;

  /** Uses nothing: of a launch with too few bytes the driver takes whatever was there before. */
  private static final String IDLE =
      """
      extern "C" __global__ void saxpy(float a, const float *x, float *y, long long n) {}
      """;

  private long module;
  private long function;

  /** For JUnit. */
  public CudaKernelReadings() {}

  @BeforeEach
  void load() {
    JavaCppDriver.unavailableReason().ifPresent(reason -> assumeTrue(false, reason));
    driver = JavaCppDriver.instance();
    rig = new DriverRig(driver);
    rig.use(0);
    long[] handle = new long[1];
    byte[] image = driver.compiler().compile(IDLE, 80, List.of("-arch=compute_80"));
    DriverRig.ok(driver.moduleLoadDataEx(handle, image, new byte[0]));
    module = handle[0];
    DriverRig.ok(driver.moduleGetFunction(handle, module, "saxpy"));
    function = handle[0];
  }

  @AfterEach
  void close() {
    if (rig != null) {
      rig.use(0);
      DriverRig.ok(driver.moduleUnload(module));
      rig.close();
    }
  }

  private static void reading(String what, int status) {
    System.out.printf("reading: %s: %s%n", what, CudaError.name(status));
  }

  private int launch(long stream, int shared, int bytes) {
    return driver.launchKernel(function, 1, 1, 1, 1, 1, 1, shared, stream, new byte[64], bytes);
  }

  @Test
  void launches() {
    long stream = rig.stream(0);
    int exact = 4 + 4 + 8 + 8 + 8;
    rig.use(0);
    reading("launch with exactly its parameters", launch(stream, 0, exact));
    reading("launch with 4 bytes too few", launch(stream, 0, exact - 4));
    reading("launch with 8 bytes too many", launch(stream, 0, exact + 8));
    reading(
        "launch with 48 KiB + 1 of shared memory, not asked for", launch(stream, 49_153, exact));
    rig.useNone();
    reading("launch with no current context, explicit stream", launch(stream, 0, exact));
    reading("launch with no current context, stream 0", launch(0, 0, exact));
    rig.synchronize(0);
    int[] count = new int[1];
    DriverRig.ok(driver.deviceGetCount(count));
    if (count[0] > 1) {
      long other = rig.stream(1);
      rig.use(0);
      reading("launch on a stream of another device's context", launch(other, 0, exact));
      rig.use(1);
      reading("launch with another device's context current", launch(stream, 0, exact));
      rig.synchronize(0, 1);
    }
    assertThat(driver.streamQuery(stream)).isEqualTo(CudaError.SUCCESS);
  }

  @Test
  void modules() {
    long[] handle = new long[1];
    byte[] log = new byte[4096];
    rig.use(0);
    reading("load of 16 zeros", driver.moduleLoadDataEx(handle, new byte[16], log));
    reading("load of CUDA C++", load(KernelSources.SAXPY, log));
    System.out.println("reading: its log: " + text(log));
    reading("load of PTX with an unknown instruction", load(ptx("7.0", "sm_75", "frob;"), log));
    System.out.println("reading: its log: " + text(log));
    reading("load of PTX of a version to come", load(ptx("99.0", "sm_75", "ret;"), log));
    System.out.println("reading: its log: " + text(log));
    reading("load of PTX for an architecture to come", load(ptx("9.0", "sm_120", "ret;"), log));
    System.out.println("reading: its log: " + text(log));
    byte[] foreign = driver.compiler().compile(KernelSources.SAXPY, 75, List.of("-arch=sm_75"));
    reading("load of a cubin for sm_75", driver.moduleLoadDataEx(handle, foreign, log));
    rig.useNone();
    reading(
        "function of a module with no current context",
        driver.moduleGetFunction(handle, module, "saxpy"));
    int[] value = new int[1];
    reading("attribute with no current context", driver.funcGetAttribute(value, 0, function));
    reading("attribute 99", driver.funcGetAttribute(value, 99, function));
    reading("setting the most threads", driver.funcSetAttribute(function, 0, 32));
    reading("cuFuncLoad with no current context", driver.funcLoad(function));
  }

  private int load(String text, byte[] log) {
    return driver.moduleLoadDataEx(new long[1], text.getBytes(StandardCharsets.US_ASCII), log);
  }

  private static String ptx(String version, String target, String body) {
    return ".version %s\n.target %s\n.address_size 64\n.visible .entry k() { %s }\n"
        .formatted(version, target, body);
  }

  private static String text(byte[] log) {
    String text = new String(log, StandardCharsets.UTF_8);
    int end = text.indexOf('\0');
    return text.substring(0, end < 0 ? text.length() : end).strip();
  }
}
