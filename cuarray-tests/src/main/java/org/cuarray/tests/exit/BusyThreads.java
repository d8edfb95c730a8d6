package org.cuarray.tests.exit;

import static org.cuarray.DType.FLOAT32;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuClosedException;
import org.cuarray.CuDevice;
import org.cuarray.CuDriverException;
import org.cuarray.CuException;
import org.cuarray.CuRuntime;
import org.cuarray.HostArray;
import org.cuarray.driver.CudaError;

/** Daemon threads that use a runtime in every way until they are turned away. */
final class BusyThreads {
  /** What the runtime is to be opened with, bytes. */
  static final int STAGING_CHUNK = 1 << 20;

  /** Several staging slots of either direction. */
  private static final int LARGE = 3 * STAGING_CHUNK / Float.BYTES;

  private static final int SMALL = 1000;

  private final CuRuntime cuda;
  private final List<Runnable> rounds;
  private final CountDownLatch started;
  private final CountDownLatch ended;
  private final Map<String, Throwable> unexpected = new ConcurrentHashMap<>();

  private BusyThreads(CuRuntime cuda) {
    this.cuda = cuda;
    this.rounds =
        List.of(
            copying(SMALL), copying(LARGE), this::transfer, this::allocateAndClose, this::forget);
    this.started = new CountDownLatch(rounds.size());
    this.ended = new CountDownLatch(rounds.size());
  }

  /** Starts them; returns when each has worked once. */
  static BusyThreads start(CuRuntime cuda) throws InterruptedException {
    BusyThreads threads = new BusyThreads(cuda);
    for (int i = 0; i < threads.rounds.size(); i++) {
      Runnable round = threads.rounds.get(i);
      Thread thread = new Thread(() -> threads.repeat(round), "busy-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    threads.started.await();
    return threads;
  }

  /** Waits until each has been turned away. */
  void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** What any of them met besides being turned away, by message. */
  Map<String, Throwable> unexpected() {
    return unexpected;
  }

  private void repeat(Runnable round) {
    try {
      round.run();
      started.countDown();
      while (true) {
        round.run();
      }
    } catch (CuException e) {
      if (!isEnd(e)) {
        unexpected.put(e.toString(), e);
      }
    } catch (RuntimeException | Error e) {
      unexpected.put(e.toString(), e);
    } finally {
      started.countDown();
      ended.countDown();
    }
  }

  /** The driver is shut, or a hook has closed the runtime. */
  private static boolean isEnd(CuException e) {
    return e instanceof CuClosedException
        || (e instanceof CuDriverException named && named.code() == CudaError.DEINITIALIZED);
  }

  private CuDevice last() {
    return cuda.device(cuda.devices().size() - 1);
  }

  /** From device to device and back; waits now and then, so that not too much is in flight. */
  private Runnable copying(int size) {
    CuArray<Float> first = cuda.device(0).full(FLOAT32, 1f, size);
    CuArray<Float> second = last().using(AllocatorKind.CLASSIC).empty(FLOAT32, size);
    return () -> {
      for (int i = 0; i < 4; i++) {
        first.copyTo(second);
        second.copyTo(first);
      }
      first.synchronize();
    };
  }

  private void transfer() {
    try (CuArray<Float> array = last().zeros(FLOAT32, LARGE);
        HostArray<Float> pinned = cuda.device(0).hostArray(FLOAT32, LARGE)) {
      array.copyFrom(FLOAT32, new float[LARGE]);
      array.copyTo(pinned);
      array.toArray(FLOAT32);
    }
  }

  /** Classic memory keeps the reaper busy. */
  private void allocateAndClose() {
    for (AllocatorKind kind : AllocatorKind.values()) {
      try (CuArray<Float> array = cuda.device(0).using(kind).full(FLOAT32, 1f, SMALL)) {
        array.to(last()).close();
      }
    }
  }

  /** Keeps the cleaner busy. */
  private void forget() {
    for (int i = 0; i < 5; i++) {
      cuda.device(0).using(AllocatorKind.CLASSIC).full(FLOAT32, 1f, SMALL).slice(0, 10);
      last().full(FLOAT32, 1f, SMALL).slice(0, 10);
    }
    System.gc();
  }
}
