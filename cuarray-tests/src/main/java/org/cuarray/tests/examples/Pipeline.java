package org.cuarray.tests.examples;

import static org.cuarray.DType.FLOAT32;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.cuarray.HostArray;

/**
 * Batches that go from the host to one device, to another, and back to the host, with a stage of
 * work on each device.
 *
 * <p>There is memory for a few batches, which are on their way at the same time: while one is
 * worked on, the next arrives and the one before leaves. What must wait for what follows from the
 * arrays.
 */
final class Pipeline implements AutoCloseable {
  static final float FIRST_ADDEND = 1;
  static final float SECOND_ADDEND = 3;

  private final CuScope scope;
  private final List<Slot> slots = new ArrayList<>();

  /** Memory for one batch, all the way. */
  private static final class Slot {
    final HostArray<Float> input;
    final CuArray<Float> first;
    final CuArray<Float> second;
    final HostArray<Float> output;

    /** Which batch is on its way; -1 before the first. */
    int batch = -1;

    Slot(CuScope scope, CuDevice firstDevice, CuDevice secondDevice, long size) {
      input = scope.keep(firstDevice.hostArray(FLOAT32, size));
      first = scope.keep(firstDevice.empty(FLOAT32, size));
      second = scope.keep(secondDevice.empty(FLOAT32, size));
      output = scope.keep(secondDevice.hostArray(FLOAT32, size));
    }

    /** The way of a batch; each step only submits. */
    List<Runnable> steps(PipelineKernel kernel) {
      return List.of(
          () -> first.copyFrom(input),
          () -> kernel.launch(first, FIRST_ADDEND),
          () -> first.copyTo(second),
          () -> kernel.launch(second, SECOND_ADDEND),
          () -> second.copyTo(output));
    }
  }

  private final PipelineKernel kernel;

  /**
   * Takes memory.
   *
   * @param size elements of a batch
   * @param depth how many batches are on their way at a time
   */
  Pipeline(
      CuRuntime cuda,
      CuDevice firstDevice,
      CuDevice secondDevice,
      PipelineKernel kernel,
      long size,
      int depth) {
    this.kernel = kernel;
    scope = cuda.scope();
    for (int i = 0; i < depth; i++) {
      slots.add(new Slot(scope, firstDevice, secondDevice, size));
    }
  }

  /**
   * Sends batches through.
   *
   * @param fill is given the memory of a batch and its number
   * @param take is given the result of a batch and its number, in order
   */
  void run(
      int batches, ObjIntConsumer<HostArray<Float>> fill, ObjIntConsumer<HostArray<Float>> take) {
    for (int batch = 0; batch < batches + slots.size(); batch++) {
      Slot slot = slots.get(batch % slots.size());
      if (slot.batch >= 0) {
        take.accept(slot.output, slot.batch); // reading it waits for it
        slot.batch = -1;
      }
      if (batch < batches) {
        fill.accept(slot.input, batch);
        slot.steps(kernel).forEach(Runnable::run);
        slot.batch = batch;
      }
    }
  }

  /** The steps of a batch, to be submitted one by one. */
  List<Runnable> steps() {
    return slots.get(0).steps(kernel);
  }

  @Override
  public void close() {
    scope.close();
  }
}
