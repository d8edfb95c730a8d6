package org.cuarray.cli;

import java.util.Optional;
import java.util.OptionalDouble;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuException;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.LinkState;

/** One copy of random bytes, timed and checked byte by byte at its destination. */
final class CopyTrial {
  private final CuRuntime cuda;
  private final ByteSize size;
  private final int timedCopies;

  /**
   * A kind of trial.
   *
   * @param size of the arrays
   * @param timedCopies how many copies in a row are timed; 0 for one that is not
   */
  CopyTrial(CuRuntime cuda, ByteSize size, int timedCopies) {
    this.cuda = cuda;
    this.size = size;
    this.timedCopies = timedCopies;
  }

  /**
   * What came of it.
   *
   * @param strategy how the bytes went; empty where there was no copy
   * @param link what is known of the link by now; empty within a device
   * @param gigabytesPerSecond empty where it was not measured
   * @param fault what is wrong; empty where every byte is right
   */
  record Outcome(
      Optional<CopyStrategy> strategy,
      Optional<LinkState> link,
      OptionalDouble gigabytesPerSecond,
      Optional<String> fault) {
    boolean isRight() {
      return fault.isEmpty();
    }
  }

  /** Copies and compares; a failure of CUDA is an outcome too. */
  Outcome run(Transfer transfer, RandomContents contents) {
    try (CuArray<Byte> source = transfer.from().device().empty(DType.INT8, size.bytes());
        CuArray<Byte> destination = transfer.to().device().empty(DType.INT8, size.bytes())) {
      contents.writeTo(source);
      // What the destination held before must not look like an answer.
      destination.fill((byte) 0x5A);
      CopyStrategy strategy = source.planCopyTo(destination).strategy();
      source.copyTo(destination);
      OptionalDouble speed = timedCopies == 0 ? OptionalDouble.empty() : time(source, destination);
      long wrong = contents.findWrongByte(destination);
      return new Outcome(
          Optional.of(strategy),
          transfer.link(cuda.topology()),
          speed,
          wrong < 0 ? Optional.empty() : Optional.of("WRONG at byte " + wrong));
    } catch (CuException e) {
      return new Outcome(
          Optional.empty(),
          transfer.link(cuda.topology()),
          OptionalDouble.empty(),
          Optional.of("FAILED: " + Failures.message(e)));
    }
  }

  private OptionalDouble time(CuArray<Byte> source, CuArray<Byte> destination) {
    destination.synchronize();
    long start = System.nanoTime();
    for (int i = 0; i < timedCopies; i++) {
      source.copyTo(destination);
    }
    destination.synchronize();
    return OptionalDouble.of(
        (double) timedCopies * size.bytes() / Math.max(1, System.nanoTime() - start));
  }
}
