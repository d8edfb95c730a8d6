package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.SUCCESS;

/** The calls about streams: copies, fills, the streams themselves and events. */
abstract class StreamCalls extends MemoryCalls {
  /** Multiplies a byte, or a short, into the four bytes of a pattern. */
  private static final int EVERY_BYTE = 0x01010101;

  private static final int EVERY_SHORT = 0x00010001;

  StreamCalls(MachineSpec spec) {
    super(spec);
  }

  @Override
  public int memcpyAsync(long destination, long source, long bytes, long stream) {
    int refusal = gate.enter("cuMemcpyAsync");
    try {
      return refusal == SUCCESS
          ? parts.copies.copy(CopyCall.UNIFIED, destination, source, bytes, stream)
          : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memcpyDtoDAsync(long destination, long source, long bytes, long stream) {
    int refusal = gate.enter("cuMemcpyDtoDAsync");
    try {
      return refusal == SUCCESS
          ? parts.copies.copy(CopyCall.DEVICE_TO_DEVICE, destination, source, bytes, stream)
          : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memcpyPeerAsync(
      long destination,
      long destinationContext,
      long source,
      long sourceContext,
      long bytes,
      long stream) {
    int refusal = gate.enter("cuMemcpyPeerAsync");
    try {
      return refusal == SUCCESS
          ? parts.copies.copy(CopyCall.PEER, destination, source, bytes, stream)
          : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memcpyDtoHAsync(long hostDestination, long source, long bytes, long stream) {
    int refusal = gate.enter("cuMemcpyDtoHAsync");
    try {
      return refusal == SUCCESS
          ? parts.copies.deviceToHost(hostDestination, source, bytes, stream)
          : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memcpyHtoDAsync(long destination, long hostSource, long bytes, long stream) {
    int refusal = gate.enter("cuMemcpyHtoDAsync");
    try {
      return refusal == SUCCESS
          ? parts.copies.hostToDevice(destination, hostSource, bytes, stream)
          : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memcpyDtoH(long hostDestination, long source, long bytes) {
    int refusal = gate.enter("cuMemcpyDtoH");
    try {
      return refusal == SUCCESS
          ? parts.copies.deviceToHost(hostDestination, source, bytes)
          : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memcpyHtoD(long destination, long hostSource, long bytes) {
    int refusal = gate.enter("cuMemcpyHtoD");
    try {
      return refusal == SUCCESS
          ? parts.copies.hostToDevice(destination, hostSource, bytes)
          : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memsetD8Async(long pointer, byte value, long count, long stream) {
    int refusal = gate.enter("cuMemsetD8Async");
    try {
      return refusal == SUCCESS
          ? parts.copies.fill(pointer, (value & 0xFF) * EVERY_BYTE, count, 1, stream)
          : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memsetD16Async(long pointer, short value, long count, long stream) {
    int refusal = gate.enter("cuMemsetD16Async");
    try {
      return refusal == SUCCESS
          ? parts.copies.fill(pointer, (value & 0xFFFF) * EVERY_SHORT, count, 2, stream)
          : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memsetD32Async(long pointer, int value, long count, long stream) {
    int refusal = gate.enter("cuMemsetD32Async");
    try {
      return refusal == SUCCESS ? parts.copies.fill(pointer, value, count, 4, stream) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamCreateWithPriority(long[] stream, int flags, int priority) {
    int refusal = gate.enter("cuStreamCreateWithPriority");
    try {
      return refusal == SUCCESS ? parts.streams.create(stream, flags, priority) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamDestroy(long stream) {
    int refusal = gate.enter("cuStreamDestroy");
    try {
      return refusal == SUCCESS ? parts.streams.destroy(stream) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamSynchronize(long stream) {
    int refusal = gate.enter("cuStreamSynchronize");
    try {
      return refusal == SUCCESS ? parts.synchronizeStream(stream) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamQuery(long stream) {
    int refusal = gate.enter("cuStreamQuery");
    try {
      return refusal == SUCCESS ? parts.streams.query(stream) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamWaitEvent(long stream, long event, int flags) {
    int refusal = gate.enter("cuStreamWaitEvent");
    try {
      return refusal == SUCCESS ? parts.events.await(stream, event, flags) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamGetCtx(long stream, long[] context) {
    int refusal = gate.enter("cuStreamGetCtx");
    try {
      return refusal == SUCCESS ? parts.streams.context(stream, context) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamGetPriority(long stream, int[] priority) {
    int refusal = gate.enter("cuStreamGetPriority");
    try {
      return refusal == SUCCESS ? parts.streams.priority(stream, priority) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamIsCapturing(long stream, int[] status) {
    int refusal = gate.enter("cuStreamIsCapturing");
    try {
      return refusal == SUCCESS ? parts.streams.isCapturing(stream, status) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int eventCreate(long[] event, int flags) {
    int refusal = gate.enter("cuEventCreate");
    try {
      return refusal == SUCCESS ? parts.events.create(event, flags) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int eventRecord(long event, long stream) {
    int refusal = gate.enter("cuEventRecord");
    try {
      return refusal == SUCCESS ? parts.events.record(event, stream) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int eventQuery(long event) {
    int refusal = gate.enter("cuEventQuery");
    try {
      return refusal == SUCCESS ? parts.events.query(event) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int eventSynchronize(long event) {
    int refusal = gate.enter("cuEventSynchronize");
    try {
      return refusal == SUCCESS ? parts.synchronizeEvent(event) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int eventElapsedTime(float[] milliseconds, long start, long end) {
    int refusal = gate.enter("cuEventElapsedTime");
    try {
      return refusal == SUCCESS ? parts.events.elapsed(milliseconds, start, end) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int eventDestroy(long event) {
    int refusal = gate.enter("cuEventDestroy");
    try {
      return refusal == SUCCESS ? parts.events.destroy(event) : refusal;
    } finally {
      gate.leave();
    }
  }
}
