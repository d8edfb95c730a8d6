package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparseMemoryTest {
  private static final long GIB = 1L << 30;
  private static final byte POISON = (byte) 0xA5;

  private final CudaDriver driver =
      SimulatedDriver.builder().preset(Preset.NVLINK).devices(2).memoryPerDevice(1L << 40).build();
  private final DriverRig rig = new DriverRig(driver);

  @AfterEach
  void giveBack() {
    rig.close();
  }

  @Test
  void memoryOfMoreBytesThanAnyHostHasIsFilledAndCopied() {
    Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), this::copyHundredGibibytes);
  }

  private void copyHundredGibibytes() {
    long bytes = 100 * GIB;
    long from = rig.classic(0, bytes);
    long to = rig.pooled(1, bytes);
    ok(driver.memsetD32Async(from, 0x01020304, bytes / 4, rig.stream(0)));
    rig.write(0, from + bytes - 1, (byte) 99);
    rig.write(0, from + 50 * GIB, (byte) 98);
    ok(driver.memcpyPeerAsync(to, 0, from, 0, bytes, rig.stream(0)));
    assertThat(rig.read(1, to, 5)).containsExactly(4, 3, 2, 1, 4);
    assertThat(rig.read(1, to + 50 * GIB - 1, 3)).containsExactly(1, 98, 3);
    assertThat(rig.read(1, to + bytes - 2, 2)).containsExactly(2, 99);
  }

  @Test
  void anAllocationMayBeAsLargeAsTheDevice() {
    long all = rig.classic(0, 1L << 40);
    rig.write(0, all + (1L << 40) - 1, (byte) 1);
    assertThat(rig.read(0, all + (1L << 40) - 2, 2)).containsExactly(POISON, 1);
  }

  @Test
  void copiesThatSharePagesPartWhenEitherSideIsWritten() {
    int bytes = 1 << 18;
    long one = rig.classic(0, bytes);
    long other = rig.classic(1, bytes);
    rig.write(0, one, new byte[bytes]);
    ok(driver.memcpyPeerAsync(other, 0, one, 0, bytes, rig.stream(0)));
    rig.write(0, one + 70_000, (byte) 1);
    rig.write(1, other + 140_000, (byte) 2);
    assertThat(rig.read(0, one + 70_000, 1)).containsExactly(1);
    assertThat(rig.read(1, other + 70_000, 1)).containsExactly(0);
    assertThat(rig.read(0, one + 140_000, 1)).containsExactly(0);
    assertThat(rig.read(1, other + 140_000, 1)).containsExactly(2);
  }

  @Test
  void freshMemoryIsNotZero() {
    assertThat(rig.read(0, rig.classic(0, 3), 3)).containsOnly(POISON);
    assertThat(rig.read(0, rig.pooled(0, 1 << 20), 3)).containsOnly(POISON);
  }

  @Test
  void memoryHandedOutAgainDoesNotShowWhatWasThere() {
    long first = rig.classic(0, 64);
    rig.fill(0, first, 1, 64);
    ok(driver.memFree(first));
    rig.forget(first);
    long second = rig.classic(0, 64);
    assertThat(second).isEqualTo(first);
    assertThat(rig.read(0, second, 64)).containsOnly(POISON);
  }

  /** Against plain arrays, over sizes around a page of 64 KiB. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void randomFillsAndCopiesAreThoseOfPlainArrays(long seed) {
    Random random = new Random(seed);
    int size = (1 << 16) * (1 + random.nextInt(4)) + random.nextInt(3) - 1;
    long[] memory = {rig.classic(0, size), rig.pooled(0, size), rig.classic(1, size)};
    byte[][] model = new byte[3][size];
    for (byte[] array : model) {
      Arrays.fill(array, POISON);
    }
    for (int step = 0; step < 200; step++) {
      int to = random.nextInt(3);
      int from = (to + 1 + random.nextInt(2)) % 3;
      int count = length(random, size);
      int at = place(random, size - count);
      int start = random.nextInt(4) == 0 ? Math.min(at, size - count) : place(random, size - count);
      switch (random.nextInt(4)) {
        case 0 -> fill(random, to == 2 ? 1 : 0, memory[to], model[to], at / 4 * 4, count / 4);
        case 1 -> write(random, to == 2 ? 1 : 0, memory[to], model[to], at, count);
        default -> {
          long target = memory[to] + at;
          ok(driver.memcpyPeerAsync(target, 0, memory[from] + start, 0, count, stream(to)));
          System.arraycopy(model[from], start, model[to], at, count);
        }
      }
    }
    for (int i = 0; i < 3; i++) {
      assertThat(rig.read(i == 2 ? 1 : 0, memory[i], size)).isEqualTo(model[i]);
    }
  }

  private void fill(Random random, int device, long memory, byte[] model, int at, int count) {
    int value = random.nextBoolean() ? random.nextInt() : 0x07070707;
    ok(driver.memsetD32Async(memory + at, value, count, rig.stream(device)));
    for (int i = at; i < at + 4 * count; i++) {
      model[i] = (byte) (value >>> (8 * (i % 4)));
    }
  }

  /** From the host: noise, the same word over and over, or that with one byte out of step. */
  private void write(Random random, int device, long memory, byte[] model, int at, int count) {
    if (count == 0) {
      return;
    }
    byte[] bytes = new byte[count];
    if (random.nextInt(3) == 0) {
      random.nextBytes(bytes);
    } else {
      int word = random.nextBoolean() ? random.nextInt() : 0;
      for (int i = 0; i < count; i++) {
        bytes[i] = (byte) (word >>> (8 * (i % 4)));
      }
      bytes[random.nextInt(count)] += (byte) random.nextInt(2);
    }
    rig.write(device, memory + at, bytes);
    System.arraycopy(bytes, 0, model, at, count);
  }

  /** A host-staged copy of 5 GiB of zeros once took 5 GiB of heap on the other side. */
  @Test
  void whatIsUniformStaysCheapOnItsWayThroughTheHost() {
    long bytes = 2 * GIB;
    int piece = 8 << 20;
    long from = rig.classic(0, bytes);
    long to = rig.pooled(1, bytes + piece);
    long host = rig.pinned(0, piece);
    ok(driver.memsetD32Async(from, 0x01020304, bytes / 4, rig.stream(0)));
    byte[] noise = new byte[1000];
    new Random(1).nextBytes(noise);
    rig.write(0, from + GIB + 1, noise);
    long before = usedHeap();
    for (long position = 0; position < bytes; position += piece) {
      ok(driver.memcpyDtoHAsync(host, from + position, piece, rig.stream(0)));
      ok(driver.streamSynchronize(rig.stream(0)));
      // Not on a page of the other side.
      ok(driver.memcpyHtoDAsync(to + position + 77, host, piece, rig.stream(1)));
      ok(driver.streamSynchronize(rig.stream(1)));
    }
    assertThat(usedHeap() - before).isLessThan(64L << 20);
    assertThat(rig.read(1, to + 76, 5)).containsExactly(POISON, 4, 3, 2, 1);
    assertThat(rig.read(1, to + 77 + GIB + 1, noise.length)).isEqualTo(noise);
    assertThat(rig.read(1, to + 77 + bytes - 1, 2)).containsExactly(1, POISON);
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private long stream(int memory) {
    return rig.stream(memory == 2 ? 1 : 0);
  }

  /** Whole pages as often as odd lengths. */
  private static int length(Random random, int size) {
    return random.nextBoolean() ? random.nextInt(size + 1) : Math.min(size, 1 << 16);
  }

  /** Page boundaries as often as odd offsets. */
  private static int place(Random random, int bound) {
    int place = random.nextInt(bound + 1);
    return random.nextBoolean() ? place : place & -(1 << 16);
  }
}
