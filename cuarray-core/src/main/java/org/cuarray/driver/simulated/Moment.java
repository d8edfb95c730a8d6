package org.cuarray.driver.simulated;

/** Work that takes no time: a wait that is over, memory handed out or taken back. */
final class Moment extends Work implements Freeing {
  private final Runnable action;

  Moment(Stream stream, Runnable action) {
    super(stream);
    this.action = action;
  }

  @Override
  boolean advance() {
    action.run();
    return true;
  }

  @Override
  public boolean isKnownToHost() {
    return isDone();
  }

  @Override
  public boolean hasHappened() {
    return isDone();
  }

  @Override
  public boolean isOn(Stream other) {
    return other == stream;
  }

  @Override
  public boolean isBefore(Stream other) {
    return isDone() || isOn(other);
  }
}
