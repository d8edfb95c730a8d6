package org.cuarray.cli.bench;

import java.time.Duration;

/**
 * How long to measure one thing.
 *
 * @param warmUp passes before the first sample counts
 * @param measuring passes until the last
 * @param leastRounds every way gets this many samples, however long that takes
 */
record Pace(Duration warmUp, Duration measuring, int leastRounds) {}
