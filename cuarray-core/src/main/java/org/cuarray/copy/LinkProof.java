package org.cuarray.copy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.cuarray.LinkState;
import org.cuarray.MemoryKind;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverStatus;
import org.jspecify.annotations.Nullable;

/**
 * The proof that a link delivers data, on this machine and for these kinds of memory.
 *
 * <p>Machines are known that report peer access, return success and write nothing (IOMMU or ACS,
 * virtual machines, driver faults such as CUDA.jl #3112), that show the new data to the writer
 * alone (so the owner reads back, through the host), that lose only large copies (so one is large),
 * or that reach only memory mapped before the access was granted (so memory mapped after it is
 * tried too). The raw driver call is tried, never {@code copyTo}. The owner first fills the
 * destination with the complement of the pattern, so that neither old contents nor a copy that
 * never ran can pass; guard bytes around it must stay; and every size is tried twice at the same
 * addresses with fresh patterns, so that a stale copy can't pass either.
 */
final class LinkProof implements AutoCloseable {
  /** Bytes on either side of what is copied that must stay as they were. */
  private static final int GUARD = 4096;

  private static final int LARGE = 32 << 20;
  private static final int BUFFER = LARGE + 2 * GUARD;
  private static final int ROUNDS = 2;

  /** What is copied: an offset in the buffer, at least {@link #GUARD}, and a size. */
  private record Trial(int offset, int bytes) {}

  private static final List<Trial> TRIALS =
      List.of(new Trial(GUARD, 4), new Trial(GUARD + 4097, 64 << 10), new Trial(GUARD, LARGE));

  /** A buffer on each side. */
  private record Pair(ProofMemory source, ProofMemory destination) {}

  private static final System.Logger LOG = System.getLogger("org.cuarray");

  private final CudaDriver driver;
  private final LinkKey key;
  private final ProofSide source;
  private final ProofSide destination;
  private final List<Pair> pairs = new ArrayList<>();
  private final long host;
  private final ByteBuffer sent;
  private final ByteBuffer seen;
  private final SplittableRandom random = new SplittableRandom();
  private double microsecondsBefore;
  private double microseconds;

  /**
   * Takes what the proof needs, before anything is enabled or granted.
   *
   * @throws RuntimeException where memory or streams are short; the link is then not proved
   */
  LinkProof(CudaDriver driver, LinkKey key) {
    this.driver = driver;
    this.key = key;
    ProofSide from = null;
    ProofSide to = null;
    long[] address = new long[1];
    try {
      from = new ProofSide(driver, key.source(), key.sourceContext(), key.sourceKind());
      to =
          new ProofSide(driver, key.destination(), key.destinationContext(), key.destinationKind());
      DriverStatus.check(
          driver.hostMalloc(address, 2L * BUFFER), "malloc", DriverStatus.NO_DEVICE, 2L * BUFFER);
      pairs.add(new Pair(from.allocate(BUFFER), to.allocate(BUFFER)));
    } catch (RuntimeException e) {
      close(driver, from, to, address[0]);
      throw e;
    }
    source = from;
    destination = to;
    host = address[0];
    sent = driver.hostBuffer(host, BUFFER);
    seen = driver.hostBuffer(host + BUFFER, BUFFER);
  }

  /** Before the access exists: times what the driver does without it, to compare with. */
  void timeWithoutAccess() {
    Trial large = TRIALS.get(TRIALS.size() - 1);
    double unused = timed(pairs.get(0), large);
    microsecondsBefore = timed(pairs.get(0), large);
  }

  /**
   * Grants the destination's proof memory to the source's device, where it is pool memory.
   *
   * @return {@code SUCCESS}, or why the driver refused
   */
  int grant() {
    return key.destinationKind() == MemoryKind.POOL
        ? destination.grant(key.source())
        : CudaError.SUCCESS;
  }

  /**
   * Tries the link, with the memory mapped before the access existed and with memory mapped now.
   *
   * @return null where every byte arrived, else what went wrong
   */
  @Nullable String findFault() {
    pairs.add(new Pair(source.allocateMapped(BUFFER), destination.allocateMapped(BUFFER)));
    for (int i = 0; i < pairs.size(); i++) {
      String mapped = i == 0 ? "mapped before the access was granted" : "mapped after it";
      for (Trial trial : TRIALS) {
        for (int round = 0; round < ROUNDS; round++) {
          String fault = tryOnce(pairs.get(i), trial);
          if (fault != null) {
            return "%s, memory %s: %s".formatted(size(trial), mapped, fault);
          }
        }
      }
    }
    return null;
  }

  private @Nullable String tryOnce(Pair pair, Trial trial) {
    int first = trial.offset - GUARD;
    int window = trial.bytes + 2 * GUARD;
    ProofPattern pattern = ProofPattern.fresh(random);
    pattern.writeTo(sent.slice(first, window));
    pattern.writeComplementTo(seen.slice(first, window));
    destination.write(pair.destination.address() + first, host + BUFFER + first, window);
    source.write(pair.source.address() + first, host + first, window);
    microseconds = timed(pair, trial);
    // Whatever the read-back fails to overwrite must not look like an answer.
    for (int i = 0; i < Math.min(window, Long.BYTES); i++) {
      seen.put(first + i, (byte) 0);
    }
    destination.read(host + BUFFER + first, pair.destination.address() + first, window);
    return compare(trial);
  }

  /** Microseconds on the device; 0 where the driver does not say. */
  private double timed(Pair pair, Trial trial) {
    return source.timed(
        stream ->
            driver.memcpyPeerAsync(
                pair.destination.address() + trial.offset,
                key.destinationContext(),
                pair.source.address() + trial.offset,
                key.sourceContext(),
                trial.bytes,
                stream),
        trial.bytes);
  }

  private @Nullable String compare(Trial trial) {
    int end = trial.offset + trial.bytes;
    int wrong =
        seen.slice(trial.offset, trial.bytes).mismatch(sent.slice(trial.offset, trial.bytes));
    if (wrong >= 0) {
      return "the copy reported success, yet byte %d of %d at the destination is not the source's"
          .formatted(wrong, trial.bytes);
    }
    for (int i = 1; i <= GUARD; i++) {
      if (seen.get(trial.offset - i) != (byte) ~sent.get(trial.offset - i)
          || seen.get(end + i - 1) != (byte) ~sent.get(end + i - 1)) {
        return "the copy changed bytes outside its destination";
      }
    }
    return null;
  }

  private static String size(Trial trial) {
    return trial.bytes < 1024 ? trial.bytes + " B" : trial.bytes / 1024 + " KiB";
  }

  /** GB/s of the large copy; 0 where the driver did not say. */
  double gigabytesPerSecond() {
    return microseconds > 0 ? LARGE / microseconds / 1e3 : 0;
  }

  /** Whether the link is hardly faster than the driver was without the access. */
  boolean isAtStagingSpeed() {
    return microsecondsBefore > 0 && microseconds > 0 && microseconds * 1.2 > microsecondsBefore;
  }

  @Override
  public void close() {
    close(driver, source, destination, host);
  }

  private static void close(
      CudaDriver driver, @Nullable ProofSide source, @Nullable ProofSide destination, long host) {
    // Where a call failed midway, a copy of one side may still run on the memory of the other.
    if (!hasEnded(source) || !hasEnded(destination)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "what proves a peer link could not be waited for; its memory is not given back before"
              + " the process ends");
      return;
    }
    if (source != null) {
      source.close();
    }
    if (destination != null) {
      destination.close();
    }
    if (host != 0) {
      driver.hostFree(host);
    }
  }

  private static boolean hasEnded(@Nullable ProofSide side) {
    return side == null || side.hasEnded();
  }

  /** Runs a proof from beginning to end. */
  static LinkStatus run(CudaDriver driver, LinkKey key, Access access) {
    try (LinkProof proof = new LinkProof(driver, key)) {
      if (!access.exists()) {
        proof.timeWithoutAccess();
      }
      LinkStatus refused = access.obtain().get();
      if (refused != null) {
        return refused;
      }
      return proof.judge();
    }
  }

  /**
   * How the access that the proof needs comes to be.
   *
   * @param exists whether the pair has it already, in either direction
   * @param obtain makes it, or says why it can't be had
   */
  record Access(boolean exists, Supplier<@Nullable LinkStatus> obtain) {}

  private LinkStatus judge() {
    int granted = grant();
    if (granted == CudaError.TOO_MANY_PEERS) {
      return LinkStatus.forNow(
          LinkState.TOO_MANY_PEERS,
          "cuda:%d has as many peers as the driver allows; a pool of cuda:%d is one too many"
              .formatted(key.source(), key.destination()));
    }
    if (granted != CudaError.SUCCESS) {
      return LinkStatus.lasting(
          LinkState.REFUSED,
          "the driver refused access to a pool of cuda:%d for cuda:%d: %s"
              .formatted(key.destination(), key.source(), CudaError.name(granted)));
    }
    String fault = findFault();
    if (fault != null) {
      return LinkStatus.lasting(
          LinkState.QUARANTINED,
          "the link does not deliver data (%s, %s)".formatted(key.kinds(), fault));
    }
    String speed = gigabytesPerSecond() > 0 ? " at %.0f GB/s".formatted(gigabytesPerSecond()) : "";
    return isAtStagingSpeed()
        ? LinkStatus.lasting(
            LinkState.SLOW,
            "proved (%s)%s, which is no faster than without peer access"
                .formatted(key.kinds(), speed))
        : LinkStatus.lasting(LinkState.PROVED, "proved (%s)%s".formatted(key.kinds(), speed));
  }
}
