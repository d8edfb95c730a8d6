package org.cuarray.cli.bench;

import static org.cuarray.DType.FLOAT32;

import java.util.Arrays;
import java.util.List;
import org.cuarray.CuArray;
import org.cuarray.HostArray;
import org.cuarray.driver.CudaDriver;

/** Uploads and downloads: of a Java array that has been written before, and of pinned memory. */
final class HostWork implements Work {
  static final String UPLOAD = "upload of a float[]";
  static final String DOWNLOAD = "download into a float[]";
  static final String RAW_PAGEABLE = "raw copy call, pageable memory";
  private static final String UPLOAD_PINNED = "upload of a HostArray";
  private static final String DOWNLOAD_PINNED = "download into a HostArray";
  private static final String RAW_PINNED = "raw copy call, pinned memory";
  private static final long LEGACY_STREAM = 0;

  private final Rig rig;
  private final int device;
  private final Subject upload;
  private final Subject download;
  private final Subject uploadPinned;
  private final Subject downloadPinned;

  HostWork(Rig rig, int device) {
    this.rig = rig;
    this.device = device;
    long bytes = rig.largeBytes() / FLOAT32.byteSize() * FLOAT32.byteSize();
    Unit unit = Unit.GIGABYTES_PER_SECOND;
    this.upload = Subject.upload(device, Row.HOST, UPLOAD, bytes, unit);
    this.download = Subject.download(device, Row.HOST, DOWNLOAD, bytes, unit);
    this.uploadPinned = Subject.upload(device, Row.HOST, UPLOAD_PINNED, bytes, unit);
    this.downloadPinned = Subject.download(device, Row.HOST, DOWNLOAD_PINNED, bytes, unit);
  }

  @Override
  public List<Subject> subjects() {
    return List.of(uploadPinned, downloadPinned, upload, download);
  }

  @Override
  public void run(Recorder recorder) {
    long elements = upload.bytes() / FLOAT32.byteSize();
    try (CuArray<Float> array = rig.device(device).zeros(FLOAT32, elements)) {
      pinned(recorder, array);
      pageable(recorder, array);
    }
  }

  private void pinned(Recorder recorder, CuArray<Float> array) {
    try (HostArray<Float> host = rig.device(device).hostArray(FLOAT32, array.shape());
        RawDriver raw = rig.raw()) {
      CudaDriver driver = raw.calls();
      long stream = raw.stream(device);
      long address = host.pointer();
      long pointer = array.pointer();
      long bytes = array.byteSize();
      array.copyTo(host);
      host.synchronize();
      recorder.measure(
          uploadPinned,
          rig.effort().ofBandwidth(),
          Way.ofCuarray(
              () -> {
                long start = System.nanoTime();
                array.copyFrom(host);
                array.synchronize();
                return System.nanoTime() - start;
              }),
          new Way(
              RAW_PINNED,
              () -> {
                raw.enter(device);
                long start = System.nanoTime();
                int statuses =
                    driver.memcpyHtoDAsync(pointer, address, bytes, stream)
                        | driver.streamSynchronize(stream);
                return end(raw, statuses, start);
              }));
      recorder.measure(
          downloadPinned,
          rig.effort().ofBandwidth(),
          Way.ofCuarray(
              () -> {
                long start = System.nanoTime();
                array.copyTo(host);
                host.synchronize();
                return System.nanoTime() - start;
              }),
          new Way(
              RAW_PINNED,
              () -> {
                raw.enter(device);
                long start = System.nanoTime();
                int statuses =
                    driver.memcpyDtoHAsync(address, pointer, bytes, stream)
                        | driver.streamSynchronize(stream);
                return end(raw, statuses, start);
              }));
    }
  }

  private void pageable(Recorder recorder, CuArray<Float> array) {
    float[] elements = touched(array.size());
    try (RawDriver raw = rig.raw()) {
      CudaDriver driver = raw.calls();
      long pointer = array.pointer();
      long bytes = array.byteSize();
      long address = raw.pageable(bytes);
      raw.enter(device);
      // Touches every page, as the pages of the float[] have been.
      end(raw, driver.memcpyDtoH(address, pointer, bytes), 0);
      recorder.measure(
          upload,
          rig.effort().ofBandwidth(),
          Way.ofCuarray(
              () -> {
                long start = System.nanoTime();
                array.copyFrom(FLOAT32, elements);
                array.synchronize();
                return System.nanoTime() - start;
              }),
          new Way(
              RAW_PAGEABLE,
              () -> {
                raw.enter(device);
                long start = System.nanoTime();
                int statuses =
                    driver.memcpyHtoD(pointer, address, bytes)
                        | driver.streamSynchronize(LEGACY_STREAM);
                return end(raw, statuses, start);
              }));
      recorder.measure(
          download,
          rig.effort().ofBandwidth(),
          Way.ofCuarray(
              () -> {
                long start = System.nanoTime();
                array.copyTo(FLOAT32, elements);
                return System.nanoTime() - start;
              }),
          new Way(
              RAW_PAGEABLE,
              () -> {
                raw.enter(device);
                long start = System.nanoTime();
                int statuses = driver.memcpyDtoH(address, pointer, bytes);
                return end(raw, statuses, start);
              }));
    }
  }

  private double end(RawDriver raw, int statuses, long start) {
    long nanos = System.nanoTime() - start;
    raw.leave();
    RawDriver.check(statuses, "a copy between host and device", device);
    return nanos;
  }

  private static float[] touched(long elements) {
    long bytes = elements * FLOAT32.byteSize();
    if (elements > Integer.MAX_VALUE - 8 || bytes > Runtime.getRuntime().maxMemory() / 2) {
      throw new IllegalStateException(
          "a float[] of %d bytes has no place in a Java heap of at most %d; -Xmx bounds it"
              .formatted(bytes, Runtime.getRuntime().maxMemory()));
    }
    float[] array = new float[(int) elements];
    Arrays.fill(array, 1.5f);
    return array;
  }
}
