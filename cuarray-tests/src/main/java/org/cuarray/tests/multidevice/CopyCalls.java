package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;

import com.google.common.collect.ImmutableSet;
import java.util.Comparator;
import java.util.List;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.RecordingDriver.Call;

/**
 * The driver calls that one copy made, held to its strategy: what the calls say, not what the plan
 * says.
 */
final class CopyCalls {
  private static final String PEER = "cuMemcpyPeerAsync";
  private static final String WITHIN_DEVICE = "cuMemcpyDtoDAsync";
  private static final String TO_HOST = "cuMemcpyDtoHAsync";
  private static final String FROM_HOST = "cuMemcpyHtoDAsync";
  private static final ImmutableSet<String> TRANSFERS =
      ImmutableSet.of(
          PEER,
          WITHIN_DEVICE,
          TO_HOST,
          FROM_HOST,
          "cuMemcpyAsync",
          "cuMemcpyDtoH",
          "cuMemcpyHtoD",
          "cuMemsetD8Async",
          "cuMemsetD16Async",
          "cuMemsetD32Async");

  private static final ImmutableSet<String> CONTEXT_SWITCHES =
      ImmutableSet.of("cuCtxGetCurrent", "cuCtxSetCurrent", "cuCtxPushCurrent", "cuCtxPopCurrent");

  private final CudaDriver driver;
  private final CuRuntime cuda;
  private final List<Call> transfers;

  /**
   * The calls of one copy.
   *
   * @param driver to ask for the contexts of streams
   * @param cuda the runtime that copied
   * @param calls everything that was recorded meanwhile
   */
  CopyCalls(CudaDriver driver, CuRuntime cuda, List<Call> calls) {
    this.driver = driver;
    this.cuda = cuda;
    this.transfers = transfers(calls);
  }

  /** The calls that move bytes. */
  static List<Call> transfers(List<Call> calls) {
    return calls.stream().filter(call -> TRANSFERS.contains(call.name())).toList();
  }

  /** All calls but those that look at the current context or change it. */
  static List<Call> besidesContextSwitches(List<Call> calls) {
    return calls.stream().filter(call -> !CONTEXT_SWITCHES.contains(call.name())).toList();
  }

  /** All calls but those that a thread of the runtime makes when staging memory has been idle. */
  static List<Call> besidesTidying(List<Call> calls) {
    return calls.stream().filter(call -> !call.name().equals("cuMemFreeHost")).toList();
  }

  /** The calls that a copy of a strategy is made of. */
  static ImmutableSet<String> namesOf(CopyStrategy strategy) {
    return switch (strategy) {
      case PEER -> ImmutableSet.of(PEER);
      case SAME_DEVICE -> ImmutableSet.of(WITHIN_DEVICE);
      case HOST_STAGED -> ImmutableSet.of(TO_HOST, FROM_HOST);
    };
  }

  void assertMade(CopyStrategy strategy, CuArray<?> source, CuArray<?> destination) {
    assertThat(transfers).allMatch(call -> call.status() == CudaError.SUCCESS);
    switch (strategy) {
      case PEER -> assertOnePeerCopy(source, destination);
      case SAME_DEVICE -> assertOneCopyWithinTheDevice(source, destination);
      case HOST_STAGED -> assertStagedInPairs(source, destination);
    }
  }

  private void assertOnePeerCopy(CuArray<?> source, CuArray<?> destination) {
    assertThat(transfers).extracting(Call::name).containsExactly(PEER);
    Call copy = transfers.get(0);
    assertThat(copy.argument(0)).as("destination").isEqualTo(destination.pointer());
    assertThat(copy.argument(1)).as("its context").isEqualTo(context(destination));
    assertThat(copy.argument(2)).as("source").isEqualTo(source.pointer());
    assertThat(copy.argument(3)).as("its context").isEqualTo(context(source));
    assertThat(copy.argument(4)).as("bytes").isEqualTo(source.byteSize());
    assertThat(contextOfStream(copy.argument(5))).as("of the stream").isEqualTo(context(source));
  }

  private void assertOneCopyWithinTheDevice(CuArray<?> source, CuArray<?> destination) {
    assertThat(transfers).extracting(Call::name).containsExactly(WITHIN_DEVICE);
    Call copy = transfers.get(0);
    assertThat(copy.argument(0)).as("destination").isEqualTo(destination.pointer());
    assertThat(copy.argument(1)).as("source").isEqualTo(source.pointer());
    assertThat(copy.argument(2)).as("bytes").isEqualTo(source.byteSize());
    assertThat(contextOfStream(copy.argument(3))).as("of the stream").isEqualTo(context(source));
  }

  /** Every byte once down and once up, piece by piece, through the same host memory. */
  private void assertStagedInPairs(CuArray<?> source, CuArray<?> destination) {
    assertThat(transfers).extracting(Call::name).containsOnly(TO_HOST, FROM_HOST);
    List<Call> down = inOrderOf(TO_HOST, 1);
    List<Call> up = inOrderOf(FROM_HOST, 0);
    assertThat(down).hasSameSizeAs(up);
    long position = 0;
    for (int i = 0; i < down.size(); i++) {
      Call read = down.get(i);
      Call write = up.get(i);
      assertThat(read.argument(1)).as("read from").isEqualTo(source.pointer() + position);
      assertThat(write.argument(0)).as("written to").isEqualTo(destination.pointer() + position);
      assertThat(write.argument(1)).as("through").isEqualTo(read.argument(0));
      assertThat(write.argument(2)).as("bytes").isEqualTo(read.argument(2)).isPositive();
      assertThat(contextOfStream(read.argument(3))).isEqualTo(context(source));
      assertThat(contextOfStream(write.argument(3))).isEqualTo(context(destination));
      position += read.argument(2);
    }
    assertThat(position).as("all bytes").isEqualTo(source.byteSize());
  }

  private List<Call> inOrderOf(String name, int address) {
    return transfers.stream()
        .filter(call -> call.name().equals(name))
        .sorted(Comparator.comparingLong(call -> call.argument(address)))
        .toList();
  }

  private long context(CuArray<?> array) {
    return cuda.registry().contextOf(array.device());
  }

  private long contextOfStream(long stream) {
    long[] context = new long[1];
    ok(driver.streamGetCtx(stream, context));
    return context[0];
  }
}
