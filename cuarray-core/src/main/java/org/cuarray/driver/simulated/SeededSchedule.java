package org.cuarray.driver.simulated;

import java.util.List;
import java.util.SplittableRandom;
import org.cuarray.driver.CudaError;
import org.jspecify.annotations.Nullable;

/**
 * Work is done late, in an order that a seed decides among all that streams, events and the host
 * allow: mostly when somebody waits for it, and then what is waited for and what has to come
 * before, and now and then something else. The same seed and the same calls give the same run.
 */
final class SeededSchedule implements Schedule {
  /** Work done at once when nobody waits for it. */
  private static final int MOST_STEPS = 8;

  /** Bytes below which a transfer stays in one part. */
  private static final long INDIVISIBLE = 16;

  private final Backlog backlog = new Backlog();
  private SplittableRandom random;
  private Temper temper;

  SeededSchedule(long seed) {
    random = new SplittableRandom(seed);
    temper = Temper.of(random);
  }

  /** Goes on as a new schedule of a seed would, with the work that there is. */
  void reseed(long seed) {
    random = new SplittableRandom(seed);
    temper = Temper.of(random);
  }

  private boolean happens(int of64) {
    return random.nextInt(Temper.ALWAYS) < of64;
  }

  @Override
  public void call() {
    if (!backlog.isEmpty() && happens(temper.restlessness())) {
      for (int steps = 1 + random.nextInt(MOST_STEPS); steps > 0 && !backlog.isEmpty(); steps--) {
        backlog.step(random);
      }
    }
  }

  // ---- work for streams ------------------------------------------------------------------------

  private <W extends Work> W submit(W work) {
    Stream stream = work.stream;
    Context context = stream.context;
    if (stream.isDefault()) {
      for (Stream other : context.streams) {
        work.comesAfter(other.isBlocking() ? other.last : null);
      }
    } else if (stream.isBlocking()) {
      work.comesAfter(context.defaultStream.last);
    }
    backlog.add(work);
    return work;
  }

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
    HostBlocking decided = decided(blocking, from);
    Block source = from;
    long position = start;
    if (decided == HostBlocking.UNTIL_READ) {
      finish(stream);
      source = from.copyOf(start, bytes);
      position = 0;
    }
    Transfer.Division parts = passage.takesParts() ? parts(bytes) : Transfer.Division.WHOLE;
    Work copy = submit(new Transfer.Copy(stream, passage, to, at, source, position, bytes, parts));
    if (decided == HostBlocking.UNTIL_COMPLETE) {
      finish(copy);
    }
  }

  /** What a call does that may do this or that. */
  private HostBlocking decided(HostBlocking blocking, Block from) {
    if (blocking != HostBlocking.PERHAPS) {
      return blocking;
    }
    return switch (random.nextInt(3)) {
      case 0 -> HostBlocking.UNTIL_COMPLETE;
      case 1 -> from.kind.isHost() ? HostBlocking.UNTIL_READ : HostBlocking.NONE;
      default -> HostBlocking.NONE;
    };
  }

  private Transfer.Division parts(long bytes) {
    return bytes < INDIVISIBLE || temper.mostParts() == 1
        ? Transfer.Division.WHOLE
        : new Transfer.Division(1 + random.nextInt(temper.mostParts()), random.nextBoolean());
  }

  @Override
  public void fill(Stream stream, Passage passage, Block to, long at, long bytes, int pattern) {
    Transfer.Division parts = passage.takesParts() ? parts(bytes) : Transfer.Division.WHOLE;
    submit(new Transfer.Fill(stream, passage, to, at, bytes, pattern, parts));
  }

  @Override
  public int launch(Stream stream, KernelLaunch launch) {
    submit(new Launched(stream, launch));
    return CudaError.SUCCESS;
  }

  @Override
  public void record(Stream stream, Event event) {
    event.recording = submit(new Recording(stream, event));
  }

  @Override
  public void await(Stream stream, Event event) {
    Moment wait = new Moment(stream, () -> {});
    wait.comesAfter(event.recording);
    submit(wait);
  }

  @Override
  public void allocate(Stream stream, Block block, List<Freeing> after) {
    Moment allocation = new Moment(stream, () -> {});
    for (Freeing freeing : after) {
      if (freeing instanceof Work work) {
        allocation.comesAfter(work);
      }
    }
    submit(allocation);
  }

  @Override
  public Freeing free(Stream stream, Block block) {
    return submit(new Moment(stream, block::becomeGarbage));
  }

  // ---- what the host does ----------------------------------------------------------------------

  @Override
  public void free(Block block) {
    if (block.kind == MemoryKind.CLASSIC || block.kind == MemoryKind.MANAGED) {
      finishAll(block.device);
    }
    block.becomeGarbage();
  }

  private void finishAll(@Nullable Device device) {
    for (Stream busy = backlog.busy(stream -> stream.device() == device);
        busy != null;
        busy = backlog.busy(stream -> stream.device() == device)) {
      finish(busy);
    }
  }

  @Override
  public boolean isDone(Stream stream) {
    Work last = stream.last;
    return last == null || isDone(last);
  }

  @Override
  public boolean isDone(Event event) {
    Work recording = event.recording;
    return recording == null || isDone(recording);
  }

  private boolean isDone(Work work) {
    if (!work.isDone() && happens(temper.progress())) {
      for (int steps = 1 + random.nextInt(MOST_STEPS); steps > 0 && !work.isDone(); steps--) {
        backlog.stepTowards(work, random);
      }
    }
    return work.isDone();
  }

  @Override
  public void finish(Stream stream) {
    Work last = stream.last;
    if (last != null) {
      finish(last);
    }
  }

  @Override
  public void finish(Event event) {
    Work recording = event.recording;
    if (recording != null) {
      finish(recording);
    }
  }

  @Override
  public void finish(Context context) {
    for (Stream busy = backlog.busy(stream -> stream.context == context);
        busy != null;
        busy = backlog.busy(stream -> stream.context == context)) {
      finish(busy);
    }
  }

  private void finish(Work work) {
    while (!work.isDone()) {
      if (happens(temper.haste())) {
        backlog.step(random);
      } else {
        backlog.stepTowards(work, random);
      }
    }
  }

  @Override
  public void end(Stream stream) {
    // The default stream waits for the work of a stream that it no longer knows, too.
    if (stream.isBlocking()) {
      finish(stream);
    }
  }

  @Override
  public void lose(Device device) {
    backlog.drop(device);
  }
}
