package org.cuarray.driver.javacpp;

import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.Loader;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.GatedDriver;
import org.cuarray.driver.ShutdownGate;
import org.jspecify.annotations.Nullable;

/**
 * The one attempt of a process to load the bindings and start the driver, and what came of it.
 *
 * <p>One, because a class whose static initialiser failed stays failed: at the second use of the
 * presets the reason would be gone ({@code NoClassDefFoundError: Could not initialize class}).
 */
final class Startup {
  private static final Startup OF_PROCESS = attempt();

  private final @Nullable CudaDriver driver;
  private final String reason;
  private final @Nullable Throwable cause;

  private Startup(@Nullable CudaDriver driver, String reason, @Nullable Throwable cause) {
    this.driver = driver;
    this.reason = reason;
    this.cause = cause;
  }

  static Startup ofProcess() {
    return OF_PROCESS;
  }

  /** The driver, which the JVM's shutdown closes; null where it can't be used. */
  @Nullable CudaDriver driver() {
    return driver;
  }

  /** Why the driver can't be used; empty where it can. */
  String reason() {
    return reason;
  }

  /** What was thrown, if anything was. */
  @Nullable Throwable cause() {
    return cause;
  }

  /**
   * Runs in a static initialiser, out of which nothing may come: whatever goes wrong is a reason.
   */
  private static Startup attempt() {
    try {
      liftMemoryCap();
      Loader.load(cudart.class);
      CudaDriver driver = GatedDriver.around(new JavaCppDriver(), ShutdownGate.ofProcess());
      return new Startup(driver, start(driver), null);
    } catch (LinkageError | RuntimeException e) {
      return new Startup(null, LoadFailure.classify(e, platform()), e);
    }
  }

  /**
   * JavaCPP refuses memory to every user of it in a process whose resident memory passes four times
   * the heap's maximum, "Physical memory usage is too high", and pinned memory is resident. It
   * reads the limit when its classes load; 0 is none. A limit that the user set stays, and so does
   * the one on memory that JavaCPP itself manages, which this library has none of.
   */
  private static void liftMemoryCap() {
    String property = "org.bytedeco.javacpp.maxPhysicalBytes";
    if (System.getProperty(property) == null
        && System.getProperty("org.bytedeco.javacpp.maxphysicalbytes") == null) {
      System.setProperty(property, "0");
    }
  }

  /** Makes the driver's first calls: why it can't be used, or an empty text. */
  private static String start(CudaDriver driver) {
    String visibleDevices = System.getenv("CUDA_VISIBLE_DEVICES");
    int[] result = new int[1];
    // The version first: to a driver that is too old, an answer of cuInit may mean anything.
    int status = driver.driverGetVersion(result);
    if (status != CudaError.SUCCESS) {
      return InitFailure.explain("cuDriverGetVersion", status, visibleDevices);
    }
    if (DriverVersion.isTooOld(result[0])) {
      return DriverVersion.tooOld(result[0]);
    }
    status = driver.init(0);
    if (status != CudaError.SUCCESS) {
      return InitFailure.explain("cuInit", status, visibleDevices);
    }
    status = driver.deviceGetCount(result);
    if (status == CudaError.SUCCESS && result[0] == 0) {
      status = CudaError.NO_DEVICE;
    }
    return status == CudaError.SUCCESS
        ? ""
        : InitFailure.explain("cuDeviceGetCount", status, visibleDevices);
  }

  static String platform() {
    try {
      return Loader.getPlatform();
    } catch (LinkageError e) {
      return System.getProperty("os.name") + "-" + System.getProperty("os.arch");
    }
  }
}
