package org.cuarray.tests.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.DeviceRegistry;
import org.cuarray.HostArray;
import org.cuarray.MemoryKind;
import org.cuarray.PointerInfo;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.registry.PointerTable;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From a pointer to its device and context, for memory of the library and of anybody else. */
class DeviceRegistryTest {
  private static final long BYTES = 1 << 20;

  private SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK, 2);

  /** What the application does by itself. */
  private DriverRig application;

  private CuRuntime cuda;
  private DeviceRegistry registry;

  @BeforeEach
  void open() {
    open(machine);
  }

  private void open(SimulatedDriver driver) {
    machine = driver;
    application = new DriverRig(machine);
    cuda = CuRuntime.open(machine);
    registry = cuda.registry();
  }

  @AfterEach
  void theThreadHasNoContextAndNothingIsLeft() {
    assertThat(currentContext()).isZero();
    cuda.close();
    application.close();
    assertThat(machine.findings()).isEmpty();
  }

  private long currentContext() {
    long[] current = new long[1];
    ok(machine.ctxGetCurrent(current));
    return current[0];
  }

  private PointerInfo resolved(
      long pointer, int device, MemoryKind kind, long base, long size, PointerInfo.Owner owner) {
    PointerInfo info = registry.resolve(pointer);
    assertThat(info.device()).isEqualTo(cuda.device(device));
    assertThat(info.memoryKind()).isEqualTo(kind);
    assertThat(info.base()).isEqualTo(base);
    assertThat(info.size()).isEqualTo(size);
    assertThat(info.owner()).isEqualTo(owner);
    assertThat(currentContext()).as("context after resolving").isZero();
    return info;
  }

  @Test
  void arraysOfTheLibraryResolveFromAnyOfTheirAddresses() {
    for (CuDevice device : cuda.devices()) {
      for (AllocatorKind kind : AllocatorKind.values()) {
        try (CuArray<Byte> array = device.using(kind).zeros(DType.INT8, BYTES)) {
          MemoryKind expected =
              kind == AllocatorKind.CLASSIC ? MemoryKind.CLASSIC : MemoryKind.POOL;
          for (long offset : new long[] {0, 1, BYTES / 2 + 3, BYTES - 1}) {
            PointerInfo info =
                resolved(
                    array.pointer() + offset,
                    device.ordinal(),
                    expected,
                    array.pointer(),
                    BYTES,
                    PointerInfo.Owner.CUARRAY);
            assertThat(info.context()).isEqualTo(registry.contextOf(device)).isNotZero();
          }
        }
      }
    }
  }

  @Test
  void classicMemoryOfOthersResolvesToItsContext() {
    long pointer = application.classic(1, BYTES);
    PointerInfo info =
        resolved(pointer + 77, 1, MemoryKind.CLASSIC, pointer, BYTES, PointerInfo.Owner.FOREIGN);
    assertThat(info.context()).isEqualTo(application.context(1));
  }

  /** The driver's context attribute is NULL for pool memory; the device's own context stands in. */
  @Test
  void poolMemoryOfOthersResolvesToItsDevicesContext() {
    long pointer = application.pooled(1, BYTES);
    for (long offset : new long[] {0, 1, BYTES - 1}) {
      PointerInfo info =
          resolved(
              pointer + offset,
              1,
              MemoryKind.FOREIGN_POOL,
              pointer,
              BYTES,
              PointerInfo.Owner.FOREIGN);
      assertThat(info.context()).isEqualTo(registry.contextOf(cuda.device(1))).isNotZero();
    }
  }

  @Test
  void memoryOfTheDefaultPoolIsAForeignPools() {
    long[] pool = new long[1];
    ok(machine.deviceGetDefaultMemPool(pool, 0));
    long pointer = application.pooled(0, pool[0], BYTES);
    resolved(pointer, 0, MemoryKind.FOREIGN_POOL, pointer, BYTES, PointerInfo.Owner.FOREIGN);
  }

  @Test
  void pinnedMemoryResolvesToTheDeviceWhoseContextPinnedIt() {
    long pointer = application.pinned(1, BYTES);
    resolved(pointer + 5, 1, MemoryKind.PINNED_HOST, pointer, BYTES, PointerInfo.Owner.FOREIGN);
    try (HostArray<Byte> own = cuda.device(1).hostArray(DType.INT8, BYTES)) {
      resolved(
          own.pointer() + 5,
          1,
          MemoryKind.PINNED_HOST,
          own.pointer(),
          BYTES,
          PointerInfo.Owner.CUARRAY);
    }
  }

  @Test
  void managedMemoryResolvesToTheDeviceThatAllocatedIt() {
    application.use(1);
    long[] pointer = new long[1];
    ok(machine.memAllocManaged(pointer, BYTES, 1));
    application.useNone();
    PointerInfo info =
        resolved(
            pointer[0] + 9, 1, MemoryKind.MANAGED, pointer[0], BYTES, PointerInfo.Owner.FOREIGN);
    assertThat(info.context()).isEqualTo(application.context(1));
    ok(machine.memFree(pointer[0]));
  }

  @Test
  void memoryOfAContextThatSomebodyMadeResolvesToThatContext() {
    long[] context = new long[1];
    ok(machine.ctxCreate(context, 0, 1));
    long[] pointer = new long[1];
    ok(machine.memAlloc(pointer, BYTES));
    ok(machine.ctxSetCurrent(0));
    PointerInfo info =
        resolved(pointer[0], 1, MemoryKind.CLASSIC, pointer[0], BYTES, PointerInfo.Owner.FOREIGN);
    assertThat(info.context())
        .isEqualTo(context[0])
        .isNotEqualTo(registry.contextOf(cuda.device(1)));
    ok(machine.memFree(pointer[0]));
    ok(machine.ctxDestroy(context[0]));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 0x1234_5678L, -1, Long.MAX_VALUE, Long.MIN_VALUE})
  void anAddressThatCudaDoesNotKnowIsRefusedInHexadecimal(long pointer) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry.resolve(pointer))
        .withMessageContaining("0x" + Long.toHexString(pointer) + " is not an address that CUDA");
  }

  @Test
  void pageableHostMemoryIsNotCudas() {
    long pageable = application.pageable(BYTES);
    assertThatIllegalArgumentException().isThrownBy(() -> registry.resolve(pageable));
  }

  @Test
  void aFreedArrayResolvesNoMore() {
    CuArray<Byte> array = cuda.device(0).zeros(DType.INT8, BYTES);
    long pointer = array.pointer();
    array.close();
    assertThatIllegalArgumentException().isThrownBy(() -> registry.resolve(pointer));
  }

  @ParameterizedTest
  @EnumSource(AllocatorKind.class)
  void aFreedArrayLeavesNothingInTheTable(AllocatorKind kind) {
    CuArray<Byte> array = cuda.device(0).using(kind).zeros(DType.INT8, BYTES);
    PointerTable table = PointerTable.of(machine);
    long pointer = array.pointer();
    assertThat(table.find(pointer)).isNotNull();
    array.close();
    assertThat(table.find(pointer)).isNull();
  }

  @Test
  void theAddressJustPastAnArrayIsNotTheArrays() {
    try (CuArray<Byte> array =
        cuda.device(0).using(AllocatorKind.CLASSIC).zeros(DType.INT8, BYTES)) {
      long end = array.pointer() + BYTES;
      assertThatIllegalArgumentException().isThrownBy(() -> registry.resolve(end));
    }
  }

  @Test
  void anAddressThatAnotherDeviceWasGivenResolvesToThatDevice() {
    cuda.close();
    application.close();
    open(SimulatedDriver.builder().devices(2).reuseAddressesAcrossDevices().build());
    Set<Integer> devices = new HashSet<>();
    Set<Long> addresses = new HashSet<>();
    for (int i = 0; i < 8; i++) {
      CuDevice device = cuda.device(i % 2).using(AllocatorKind.CLASSIC);
      try (CuArray<Byte> array = device.full(DType.INT8, (Byte) (byte) i, BYTES)) {
        addresses.add(array.pointer());
        devices.add(registry.resolve(array.pointer()).device().ordinal());
        resolved(
            array.pointer() + 3,
            i % 2,
            MemoryKind.CLASSIC,
            array.pointer(),
            BYTES,
            PointerInfo.Owner.CUARRAY);
        assertThat(array.get(BYTES - 1)).isEqualTo((byte) i);
      }
      while (device.memoryUsage().used() > 0) {
        Thread.onSpinWait();
      }
    }
    assertThat(devices).containsExactlyInAnyOrder(0, 1);
    assertThat(addresses).as("addresses that were used more than once").hasSizeLessThan(8);
  }

  @Test
  void aForeignAddressThatIsFreedAndGivenToAnotherDeviceIsAskedForAnew() {
    cuda.close();
    application.close();
    open(SimulatedDriver.builder().devices(2).reuseAddressesAcrossDevices().build());
    long first = application.classic(0, BYTES);
    assertThat(registry.resolve(first).device()).isEqualTo(cuda.device(0));
    ok(machine.memFree(first));
    application.forget(first);
    long second = application.classic(1, BYTES);
    assertThat(second).isEqualTo(first);
    assertThat(registry.resolve(second).device()).isEqualTo(cuda.device(1));
  }

  @Test
  void resolvingLeavesTheThreadsContextCurrent() {
    long foreign = application.pooled(1, BYTES);
    application.use(0);
    try (CuArray<Byte> own = cuda.device(1).zeros(DType.INT8, BYTES)) {
      for (long pointer : List.of(foreign, own.pointer())) {
        assertThat(registry.resolve(pointer).device()).isEqualTo(cuda.device(1));
        assertThat(currentContext()).isEqualTo(application.context(0));
      }
      assertThatIllegalArgumentException().isThrownBy(() -> registry.resolve(1));
      assertThat(currentContext()).isEqualTo(application.context(0));
    }
    application.useNone();
  }

  @Test
  void theContextOfADeviceIsItsPrimaryOne() {
    assertThat(registry.contextOf(cuda.device(1))).isEqualTo(application.context(1));
  }

  @Test
  void aContextIsBoundBeforeTheFirstUseOrNotAtAll() {
    long[] context = new long[1];
    ok(machine.ctxCreate(context, 0, 1));
    ok(machine.ctxSetCurrent(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry.bind(cuda.device(0), context[0]))
        .withMessageContaining("belongs to cuda:1 and can't be bound to cuda:0");
    registry.bind(cuda.device(1), context[0]);
    registry.bind(cuda.device(1), context[0]);
    assertThat(registry.contextOf(cuda.device(1))).isEqualTo(context[0]);
    try (CuArray<Byte> array =
        cuda.device(1).using(AllocatorKind.CLASSIC).zeros(DType.INT8, BYTES)) {
      assertThat(registry.resolve(array.pointer()).context()).isEqualTo(context[0]);
    }
    long primary = application.context(0);
    assertThat(registry.contextOf(cuda.device(0))).isEqualTo(primary);
    long[] another = new long[1];
    ok(machine.ctxCreate(another, 0, 0));
    ok(machine.ctxSetCurrent(0));
    assertThatIllegalStateException()
        .isThrownBy(() -> registry.bind(cuda.device(0), another[0]))
        .withMessageContaining("already used through context 0x" + Long.toHexString(primary));
    cuda.close();
    ok(machine.ctxDestroy(another[0]));
    ok(machine.ctxDestroy(context[0]));
  }

  @Test
  void devicesOfAnotherRuntimeAreRefused() {
    try (CuRuntime other = CuRuntime.open(machine)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> registry.contextOf(other.device(0)))
          .withMessageContaining("another runtime");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> registry.bind(other.device(0), 1))
          .withMessageContaining("another runtime");
    }
  }
}
