package org.cuarray.driver.simulated;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schedule on which it is checked that every two accesses to the same bytes, one of them writing,
 * have an order, and that memory is used between its allocation and its free.
 *
 * <p>What gives order is what the driver promises: a stream's work follows itself, a wait follows
 * the event as it was recorded, the default stream and the blocking streams of its context follow
 * each other, reused pool memory follows its free, and everything submitted later follows what the
 * host has waited for, or was told to be complete. What merely happened earlier is no order, so
 * faults are found whatever the schedule, and this holds for eager streams as well.
 *
 * <p>What one thread has waited for counts for all threads from then on: how they pass that on
 * among themselves, no driver can see. So a thread that relies on a wait of another without having
 * been told of it goes unnoticed; nothing that is in order is reported. Java's own reads and writes
 * of host memory go unseen too.
 */
final class CheckedSchedule implements Schedule {
  private final Machine machine;
  private final Schedule schedule;
  private final Lanes lanes = new Lanes();

  /** What the host has waited for. */
  private final Clock host = new Clock();

  /** Kernels that have not run: accesses may still be met by theirs, and cannot be forgotten. */
  private final List<KernelWatch> kernels = new ArrayList<>();

  CheckedSchedule(Machine machine, Schedule schedule) {
    this.machine = machine;
    this.schedule = schedule;
  }

  @Override
  public void call() {
    schedule.call();
  }

  // ---- work for streams ------------------------------------------------------------------------

  /** Gives a stream its next position, after all that it has to come after. */
  private void advance(Stream stream) {
    if (stream.lane < 0) {
      stream.lane = lanes.take(host);
    }
    stream.clock.join(host);
    Context context = stream.context;
    if (stream.isDefault()) {
      for (Stream other : context.streams) {
        if (other.isBlocking()) {
          stream.clock.join(other.clock);
        }
      }
    } else if (stream.isBlocking()) {
      stream.clock.join(context.defaultStream.clock);
    }
    stream.position = lanes.next(stream.lane);
    stream.clock.reach(stream.lane, stream.position);
  }

  private Submission submission(Stream stream) {
    advance(stream);
    return Submission.to(stream, machine.gate.call(), machine.trace());
  }

  /** Judges an access, and remembers it for those to come. */
  void access(Block block, Access access) {
    judge(block, access);
    if (kernels.isEmpty()) {
      block.accesses.add(access, host);
    } else {
      block.accesses.addBeside(access);
    }
  }

  private void judge(Block block, Access access) {
    Submission allocation = block.allocation;
    if (allocation != null && !allocation.isBefore(access.by().clock)) {
      machine.findings.beforeReady(block, allocation, access.by(), access.toString());
    }
    Access earlier = block.accesses.unorderedWith(access);
    if (earlier != null) {
      machine.findings.unordered(block, earlier, access);
    }
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
    if (blocking == HostBlocking.UNTIL_READ) {
      host.join(stream.clock);
    }
    Submission submission = submission(stream);
    Access read = new Access(submission, start, start + bytes, Access.Mode.READS);
    if (blocking == HostBlocking.UNTIL_READ) {
      judge(from, read);
    } else {
      access(from, read);
    }
    access(to, new Access(submission, at, at + bytes, Access.Mode.WRITES));
    schedule.copy(stream, passage, to, at, from, start, bytes, blocking);
    if (blocking == HostBlocking.UNTIL_COMPLETE) {
      host.join(stream.clock);
    }
  }

  @Override
  public void fill(Stream stream, Passage passage, Block to, long at, long bytes, int pattern) {
    access(to, new Access(submission(stream), at, at + bytes, Access.Mode.WRITES));
    schedule.fill(stream, passage, to, at, bytes, pattern);
  }

  @Override
  public int launch(Stream stream, KernelLaunch launch) {
    Submission submission = submission(stream);
    KernelWatch watch = new KernelWatch(stream, submission, this);
    kernels.add(watch);
    for (Block block : launch.given()) {
      access(block, new Access(submission, 0, block.bytes, Access.Mode.KNOWS));
    }
    launch.watchedBy(watch);
    return schedule.launch(stream, launch);
  }

  /** A kernel has run. */
  void ended(KernelWatch kernel) {
    kernels.remove(kernel);
  }

  @Override
  public void record(Stream stream, Event event) {
    advance(stream);
    event.clock = stream.clock.snapshot();
    schedule.record(stream, event);
  }

  @Override
  public void await(Stream stream, Event event) {
    if (event.clock != null) {
      stream.clock.join(event.clock);
    }
    schedule.await(stream, event);
  }

  @Override
  public void allocate(Stream stream, Block block, List<Freeing> after) {
    List<Freeing> inner = new ArrayList<>(after.size());
    for (Freeing freeing : after) {
      if (freeing instanceof CheckedFreeing checked) {
        stream.clock.join(checked.submission.clock);
        inner.add(checked.freeing);
      }
    }
    block.allocation = submission(stream);
    schedule.allocate(stream, block, inner);
  }

  @Override
  public Freeing free(Stream stream, Block block) {
    Submission submission = submission(stream);
    judgeFree(block, submission);
    return new CheckedFreeing(stream, submission, schedule.free(stream, block));
  }

  private void judgeFree(Block block, Submission free) {
    Submission allocation = block.allocation;
    if (allocation != null && !allocation.isBefore(free.clock)) {
      machine.findings.beforeReady(block, allocation, free, free.toString());
    }
    Access inFlight = block.accesses.notBefore(free.clock);
    if (inFlight != null) {
      machine.findings.inFlight(block, inFlight, free);
    }
  }

  private final class CheckedFreeing implements Freeing {
    private final Stream stream;
    private final Submission submission;
    private final Freeing freeing;

    CheckedFreeing(Stream stream, Submission submission, Freeing freeing) {
      this.stream = stream;
      this.submission = submission;
      this.freeing = freeing;
    }

    @Override
    public boolean isKnownToHost() {
      return submission.isBefore(host);
    }

    @Override
    public boolean hasHappened() {
      return freeing.hasHappened();
    }

    @Override
    public boolean isOn(Stream other) {
      return other == stream;
    }

    @Override
    public boolean isBefore(Stream other) {
      return submission.isBefore(other.clock);
    }
  }

  // ---- what the host does ----------------------------------------------------------------------

  @Override
  public void free(Block block) {
    judgeFree(block, Submission.atOnce(machine.gate.call(), host, machine.trace()));
    schedule.free(block);
  }

  @Override
  public boolean isDone(Stream stream) {
    boolean done = schedule.isDone(stream);
    if (done) {
      host.join(stream.clock);
    }
    return done;
  }

  @Override
  public boolean isDone(Event event) {
    boolean done = schedule.isDone(event);
    if (done) {
      learn(event.clock);
    }
    return done;
  }

  private void learn(@Nullable Clock point) {
    if (point != null) {
      host.join(point);
    }
  }

  @Override
  public void finish(Stream stream) {
    schedule.finish(stream);
    host.join(stream.clock);
  }

  @Override
  public void finish(Event event) {
    schedule.finish(event);
    learn(event.clock);
  }

  @Override
  public void finish(Context context) {
    schedule.finish(context);
    learnAllOf(context);
  }

  private void learnAllOf(Context context) {
    for (Stream stream : context.streams) {
      host.join(stream.clock);
    }
    host.join(context.defaultStream.clock);
    host.join(context.destroyedStreams);
  }

  @Override
  public void end(Stream stream) {
    schedule.end(stream);
    Context context = stream.context;
    context.destroyedStreams.join(stream.clock);
    if (stream.isBlocking()) {
      context.defaultStream.clock.join(stream.clock);
    }
    if (stream.lane >= 0) {
      lanes.retire(stream.lane);
    }
  }

  @Override
  public void lose(Device device) {
    schedule.lose(device);
    // Nothing of it runs any more.
    device.contexts.forEach(this::learnAllOf);
    kernels.removeIf(kernel -> kernel.stream().device() == device);
  }
}
