package org.cuarray.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.INVALID_CONTEXT;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.NOT_FOUND;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.MemoryType;
import org.cuarray.driver.PointerAttribute;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the driver tells about pointers of each kind. */
abstract class PointerFacts extends DriverFacts {
  /** No allocation lies in the first page of any process. */
  private static final long UNKNOWN = 0x1234;

  private static final int[] ALL = {
    PointerAttribute.CONTEXT,
    PointerAttribute.MEMORY_TYPE,
    PointerAttribute.DEVICE_ORDINAL,
    PointerAttribute.MEMPOOL_HANDLE
  };

  @Test
  @Tag(DOCUMENTED)
  void classicMemoryKnowsItsContextAndDeviceAndNoPool() {
    long pointer = rig.classic(device, 4 * KIB);
    assertThat(all(pointer)).containsExactly(rig.context(device), MemoryType.DEVICE, device, 0);
    assertThat(all(pointer + 100))
        .containsExactly(rig.context(device), MemoryType.DEVICE, device, 0);
  }

  @Test
  @Tag(OBSERVED)
  void poolMemoryHasNoContextButADeviceAndAPool() {
    long pool = rig.pool(device);
    long pointer = rig.pooled(device, pool, 4 * KIB);
    assertThat(all(pointer)).containsExactly(0, MemoryType.DEVICE, device, pool);
    assertThat(all(pointer + 100)).containsExactly(0, MemoryType.DEVICE, device, pool);
  }

  @Test
  @Tag(OBSERVED)
  void pinnedMemoryKnowsTheContextThatPinnedIt() {
    long pointer = rig.pinned(device, 4 * KIB);
    assertThat(all(pointer)).containsExactly(rig.context(device), MemoryType.HOST, device, 0);
  }

  @Test
  @Tag(OBSERVED)
  void managedMemoryKnowsTheContextThatAllocatedIt() {
    long[] pointer = new long[1];
    rig.use(device);
    ok(driver.memAllocManaged(pointer, 4 * KIB, DriverFlags.MEM_ATTACH_GLOBAL));
    assertThat(attribute(PointerAttribute.CONTEXT, pointer[0])).isEqualTo(rig.context(device));
    assertThat(attribute(PointerAttribute.DEVICE_ORDINAL, pointer[0])).isEqualTo(device);
    assertThat(attribute(PointerAttribute.MEMPOOL_HANDLE, pointer[0])).isZero();
    assertThat(attribute(PointerAttribute.IS_MANAGED, pointer[0])).isEqualTo(1);
    ok(driver.memFree(pointer[0]));
  }

  @Test
  @Tag(DOCUMENTED)
  void aPointerThatIsNotCudasHasNoAttribute() {
    long pageable = rig.pageable(4 * KIB);
    rig.use(0);
    for (int attribute : ALL) {
      expect(INVALID_VALUE, attributeStatus(attribute, pageable));
      expect(INVALID_VALUE, attributeStatus(attribute, UNKNOWN));
    }
  }

  @Test
  @Tag(DOCUMENTED)
  void severalAttributesOfAPointerThatIsNotCudasAreZeros() {
    int[] attributes = {PointerAttribute.CONTEXT, PointerAttribute.MEMPOOL_HANDLE};
    long[] values = {-1, -1};
    rig.use(0);
    ok(driver.pointerGetAttributes(attributes.length, attributes, values, UNKNOWN));
    assertThat(values).containsOnly(0);
  }

  @Test
  @Tag(DOCUMENTED)
  void severalAttributesAreTheSameAsOneByOne() {
    long pointer = rig.classic(0, 4 * KIB);
    long[] values = new long[ALL.length];
    ok(driver.pointerGetAttributes(ALL.length, ALL, values, pointer));
    assertThat(values).isEqualTo(all(pointer));
  }

  @Test
  @Tag(DOCUMENTED)
  void theRangeOfAnInteriorPointerIsItsAllocations() {
    long pointer = rig.classic(0, 4 * MIB);
    assertThat(attribute(PointerAttribute.RANGE_START_ADDR, pointer + 100)).isEqualTo(pointer);
    assertThat(attribute(PointerAttribute.RANGE_SIZE, pointer + 100)).isEqualTo(4 * MIB);
  }

  @Test
  @Tag(DOCUMENTED)
  void theBufferIdOfAFreedAllocationIsNotGivenAgain() {
    long first = rig.classic(0, 4 * KIB);
    long id = attribute(PointerAttribute.BUFFER_ID, first);
    ok(driver.memFree(first));
    rig.forget(first);
    long second = rig.classic(0, 4 * KIB);
    assertThat(attribute(PointerAttribute.BUFFER_ID, second)).isNotEqualTo(id);
  }

  @Test
  @Tag(DOCUMENTED)
  void anAddressRangeNeedsACurrentContext() {
    long pointer = rig.classic(0, 4 * KIB);
    rig.useNone();
    expect(INVALID_CONTEXT, driver.memGetAddressRange(new long[1], new long[1], pointer));
  }

  @Test
  @Tag(OBSERVED)
  void anAddressRangeIsToldOnlyOfTheCurrentContextsDevice() {
    long[] base = new long[1];
    long[] bytes = new long[1];
    long pointer = rig.classic(1, 4 * MIB);
    rig.use(0);
    expect(NOT_FOUND, driver.memGetAddressRange(base, bytes, pointer));
    rig.use(1);
    ok(driver.memGetAddressRange(base, bytes, pointer + 100));
    assertThat(base[0]).isEqualTo(pointer);
    assertThat(bytes[0]).isEqualTo(4 * MIB);
  }

  private long[] all(long pointer) {
    long[] values = new long[ALL.length];
    for (int i = 0; i < ALL.length; i++) {
      values[i] = attribute(ALL[i], pointer);
    }
    return values;
  }
}
