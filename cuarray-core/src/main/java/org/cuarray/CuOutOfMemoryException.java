package org.cuarray;

/**
 * Memory that could not be had, on a device or, for pinned memory, on the host.
 *
 * <p>Nothing was allocated, and nothing else changed. All sizes are bytes, and the message shows
 * them exactly and in binary units.
 */
public class CuOutOfMemoryException extends CuException {
  private static final int HOST = -1;
  private static final long UNKNOWN = -1;

  /** An ordinal, or -1 for the host. */
  private final int device;

  /** Bytes. */
  private final long requested;

  /** Bytes, or -1 where unknown. */
  private final long used;

  /** Bytes, or -1 where unknown. */
  private final long reserved;

  /** Bytes, or -1 where unknown. */
  private final long free;

  /**
   * A device that has no block of the requested size left.
   *
   * @param device the device's ordinal
   * @param requested bytes asked for
   * @param used bytes in arrays of this runtime on that device, or -1 where unknown
   * @param reserved bytes that this runtime holds on that device, its unused pool memory included,
   *     or -1 where unknown
   * @param free bytes that the driver calls free on that device, or -1 where unknown
   */
  public CuOutOfMemoryException(int device, long requested, long used, long reserved, long free) {
    this(message(device, requested, used, reserved, free), device, requested, used, reserved, free);
  }

  private CuOutOfMemoryException(
      String message, int device, long requested, long used, long reserved, long free) {
    super(message);
    this.device = device;
    this.requested = requested;
    this.used = used;
    this.reserved = reserved;
    this.free = free;
  }

  /**
   * A host that gives no more pinned (page-locked) memory.
   *
   * @param requested bytes asked for
   * @param used bytes in pinned arrays and in staging chunks in use, or -1 where unknown
   * @param reserved bytes that this runtime has pinned, or -1 where unknown
   * @return the exception, whose {@link #device()} and {@link #free()} are -1
   */
  public static CuOutOfMemoryException pinnedHost(long requested, long used, long reserved) {
    return new CuOutOfMemoryException(HOST, requested, used, reserved, UNKNOWN);
  }

  /**
   * A runtime that may not take so much of a device.
   *
   * @param device the device's ordinal
   * @param requested bytes asked for
   * @param used bytes in arrays of this runtime on that device
   * @param reserved bytes that this runtime holds on that device, or -1 where unknown
   * @param limit bytes that its arrays may take of the device
   * @return the exception, whose {@link #free()} is what the limit leaves
   */
  public static CuOutOfMemoryException overLimit(
      int device, long requested, long used, long reserved, long limit) {
    String message =
        "cuda:%d is out of memory under the runtime's limit of %s: %s requested, %s used by arrays of this runtime. Try: close arrays, make smaller ones, or raise poolLimit on the runtime's builder."
            .formatted(
                device, ByteCount.text(limit), ByteCount.text(requested), ByteCount.text(used));
    return new CuOutOfMemoryException(
        message, device, requested, used, reserved, Math.max(0, limit - used));
  }

  /**
   * The device that ran out.
   *
   * @return its ordinal, or -1 for pinned memory of the host
   */
  public int device() {
    return device;
  }

  /**
   * What was asked for.
   *
   * @return bytes
   */
  public long requested() {
    return requested;
  }

  /**
   * What arrays of this runtime held when the request failed.
   *
   * @return bytes, or -1 where unknown
   */
  public long used() {
    return used;
  }

  /**
   * What this runtime held when the request failed, unused pool memory included.
   *
   * @return bytes, or -1 where unknown
   */
  public long reserved() {
    return reserved;
  }

  /**
   * What the driver called free when the request failed, or what the runtime's limit left. More
   * than was asked for means fragmentation.
   *
   * @return bytes, or -1 where unknown
   */
  public long free() {
    return free;
  }

  private static String message(int device, long requested, long used, long reserved, long free) {
    StringBuilder message =
        new StringBuilder(device == HOST ? "the host has no pinned memory" : "cuda:" + device);
    message.append(device == HOST ? " left: " : " is out of memory: ");
    message.append(ByteCount.text(requested)).append(" requested");
    append(message, used, " used by arrays of this runtime");
    append(message, reserved, device == HOST ? " pinned by it" : " reserved by it");
    append(message, free, " free on the device");
    return message.append(". Try: ").append(advice(device, requested, free)).append('.').toString();
  }

  private static void append(StringBuilder message, long bytes, String what) {
    if (bytes != UNKNOWN) {
      message.append(", ").append(ByteCount.text(bytes)).append(what);
    }
  }

  private static String advice(int device, long requested, long free) {
    if (device == HOST) {
      return "close host arrays, make smaller ones, lower the staging bounds on the runtime's"
          + " builder, or raise the limit on locked memory (ulimit -l, the container's memory)";
    }
    if (free >= requested) {
      return "make smaller arrays, since the free memory is in pieces;"
          + " closing arrays joins pieces";
    }
    return "close arrays (try-with-resources, CuScope), make smaller ones, use another device, or"
        + " end other processes that nvidia-smi lists on this one";
  }
}
