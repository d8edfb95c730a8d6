package org.cuarray.driver.simulated;

import java.util.List;

/** Everything is done when its call returns. Allocates nothing. */
final class EagerSchedule implements Schedule {
  @Override
  public void call() {}

  @Override
  public void copy(
      Stream stream,
      Passage passage,
      Block to,
      long at,
      Block from,
      long start,
      long bytes,
      HostBlocking blocking) {
    passage.copy(to, at, from, start, bytes, stream.device());
  }

  @Override
  public void fill(Stream stream, Passage passage, Block to, long at, long bytes, int pattern) {
    passage.fill(to, at, bytes, pattern, stream.device());
  }

  @Override
  public int launch(Stream stream, KernelLaunch launch) {
    return launch.run();
  }

  @Override
  public void record(Stream stream, Event event) {
    event.recordedAt = System.nanoTime();
  }

  @Override
  public void await(Stream stream, Event event) {}

  @Override
  public void allocate(Stream stream, Block block, List<Freeing> after) {}

  @Override
  public Freeing free(Stream stream, Block block) {
    return Freeing.PAST;
  }

  @Override
  public void free(Block block) {}

  @Override
  public boolean isDone(Stream stream) {
    return true;
  }

  @Override
  public boolean isDone(Event event) {
    return true;
  }

  @Override
  public void finish(Stream stream) {}

  @Override
  public void finish(Event event) {}

  @Override
  public void finish(Context context) {}

  @Override
  public void end(Stream stream) {}

  @Override
  public void lose(Device device) {}
}
