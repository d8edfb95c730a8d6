package org.cuarray.driver.simulated;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Collects what a kernel does to memory, which nobody knows before it has run, and hands it to the
 * checker at its end.
 */
final class KernelWatch implements KernelLaunch.Watch {
  private final Stream stream;
  private final Submission submission;
  private final CheckedSchedule checker;
  private final Map<Block, EnumMap<Access.Mode, RangeSet<Long>>> touched = new LinkedHashMap<>();

  KernelWatch(Stream stream, Submission submission, CheckedSchedule checker) {
    this.stream = stream;
    this.submission = submission;
    this.checker = checker;
  }

  Stream stream() {
    return stream;
  }

  @Override
  public void touches(Block block, long from, long bytes, Access.Mode mode) {
    touched
        .computeIfAbsent(block, any -> new EnumMap<>(Access.Mode.class))
        .computeIfAbsent(mode, any -> TreeRangeSet.create())
        .add(Range.closedOpen(from, from + bytes));
  }

  @Override
  public void ended() {
    checker.ended(this);
    touched.forEach(
        (block, modes) ->
            modes.forEach(
                (mode, ranges) -> {
                  for (Range<Long> range : ranges.asRanges()) {
                    long from = range.lowerEndpoint();
                    checker.access(
                        block, new Access(submission, from, range.upperEndpoint(), mode));
                  }
                }));
  }
}
