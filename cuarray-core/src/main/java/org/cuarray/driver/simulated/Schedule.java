package org.cuarray.driver.simulated;

import java.util.List;

/**
 * When the work is done that streams are given. Everything was checked before it comes here: what
 * is submitted, succeeds. Called with the machine's lock held.
 */
interface Schedule {

  /** A driver call begins. */
  void call();

  // ---- work for streams ------------------------------------------------------------------------

  /**
   * Copies.
   *
   * @param passage how the bytes travel
   * @param to written
   * @param at offset in it
   * @param from read
   * @param start offset in it
   * @param bytes how many
   * @param blocking how far the copy has come when this returns
   */
  void copy(
      Stream stream,
      Passage passage,
      Block to,
      long at,
      Block from,
      long start,
      long bytes,
      HostBlocking blocking);

  /** Fills; see {@link Passage#fill}. */
  void fill(Stream stream, Passage passage, Block to, long at, long bytes, int pattern);

  /**
   * Runs a kernel.
   *
   * @return {@code SUCCESS} where it did not fail by now
   */
  int launch(Stream stream, KernelLaunch launch);

  /** Lets an event stand for all that a stream was given so far. */
  void record(Stream stream, Event event);

  /** Lets a stream wait for an event as it was last recorded. */
  void await(Stream stream, Event event);

  /**
   * Hands out pool memory.
   *
   * @param after the frees that its addresses come from
   */
  void allocate(Stream stream, Block block, List<Freeing> after);

  /** Takes memory back in the order of a stream. */
  Freeing free(Stream stream, Block block);

  // ---- what the host does ----------------------------------------------------------------------

  /** Takes memory back at once. */
  void free(Block block);

  /** Whether a stream has done all its work, as far as the host is told. */
  boolean isDone(Stream stream);

  /** Whether an event has been passed, as far as the host is told. */
  boolean isDone(Event event);

  /** Waits until a stream has done all its work. */
  void finish(Stream stream);

  /** Waits until an event has been passed. */
  void finish(Event event);

  /** Waits until all streams of a context have done all their work. */
  void finish(Context context);

  /** A stream was destroyed: what it still has to do is done. */
  void end(Stream stream);

  /** A device is lost, and its work with it. */
  void lose(Device device);
}
