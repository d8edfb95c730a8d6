package org.cuarray.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.cuarray.CuClosedException;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.stream.StreamPolicy.Lane;
import org.junit.jupiter.api.Test;

class StreamPolicyTest {
  private final RecordingDriver recording =
      new RecordingDriver(SimulatedDriver.of(Preset.NVLINK, 2));
  private final StreamPolicy policy = new StreamPolicy(recording.driver());

  @Test
  void eachUseOfADeviceAndEachDirectionOfALinkHasItsOwnStream() {
    assertThat(policy.lane(0, Lane.COMPUTE)).isSameAs(policy.lane(0, Lane.COMPUTE));
    assertThat(policy.lane(0, Lane.UPLOAD)).isNotSameAs(policy.lane(0, Lane.DOWNLOAD));
    assertThat(policy.lane(1, Lane.COMPUTE).ordinal()).isEqualTo(1);
    assertThat(policy.departure(0, 1).ordinal()).isZero();
    assertThat(policy.departure(1, 0).ordinal()).isEqualTo(1);
    assertThat(policy.arrival(0, 1).ordinal()).isEqualTo(1);
    assertThat(policy.arrival(0, 1)).isNotSameAs(policy.departure(1, 0));
  }

  @Test
  void closingDestroysTheStreamsAndMakesNoMore() {
    OrderedStream made = policy.lane(0, Lane.COMPUTE);
    policy.close();
    assertThat(made.isClosed()).isTrue();
    assertThat(recording.calls("cuStreamDestroy")).hasSize(1);
    assertThatExceptionOfType(CuClosedException.class)
        .isThrownBy(() -> policy.lane(1, Lane.COMPUTE));
    policy.close();
    assertThat(recording.calls("cuStreamDestroy")).hasSize(1);
  }
}
