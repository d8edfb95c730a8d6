package org.cuarray.tests.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.INT32;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.HostArray;
import org.jspecify.annotations.Nullable;

/**
 * A random sequence of operations on arrays of all devices of a runtime, each of which is mirrored
 * on a model. A seed gives the same program again. Confined to one thread at a time; several
 * programs may run on one runtime at once.
 */
final class RandomProgram {
  private static final int MOST_ARRAYS = 12;
  private static final int LONGEST = 3000;
  private static final int MANY_PARTS = 100;

  private final CuRuntime cuda;
  private final @Nullable ForeignWork others;
  private final SplittableRandom random;
  private final List<ModelArray> arrays = new ArrayList<>();
  private final List<HostArray<Integer>> hostArrays = new ArrayList<>();
  private final List<int[]> hostModels = new ArrayList<>();
  private final Map<CuDevice, CuStream> streams = new HashMap<>();

  /**
   * A program.
   *
   * @param others null where nobody but the library works on the machine
   */
  RandomProgram(CuRuntime cuda, @Nullable ForeignWork others, long seed) {
    this.cuda = cuda;
    this.others = others;
    this.random = new SplittableRandom(seed);
  }

  /** One operation. */
  void step() {
    if (arrays.isEmpty()) {
      allocate();
      return;
    }
    switch (random.nextInt(25)) {
      case 0, 1 -> allocate();
      case 2 -> upload();
      case 3 -> fill();
      case 4, 5, 6, 7, 8 -> copy();
      case 9 -> overlap();
      case 10 -> slice();
      case 11 -> retain();
      case 12 -> setOne();
      case 13 -> getOne();
      case 14 -> toHostArray();
      case 15 -> fromHostArray();
      case 16 -> any().check("in the middle");
      case 17 -> close();
      case 18 -> to();
      case 19 -> leased();
      case 20 -> launched();
      case 21 -> download();
      case 22 -> speckle();
      default -> copySlices();
    }
  }

  /** Checks every array that is left, and closes all. */
  void finish() {
    for (ModelArray array : arrays) {
      if (array.isClosed()) {
        array.checkRefusesUse();
      } else {
        array.check("at the end");
      }
    }
    for (int i = 0; i < hostArrays.size(); i++) {
      assertThat(hostArrays.get(i).toArray(INT32)).isEqualTo(hostModels.get(i));
    }
    arrays.forEach(array -> array.array().close());
    hostArrays.forEach(HostArray::close);
    streams.values().forEach(CuStream::close);
  }

  private CuDevice device() {
    CuDevice device = cuda.device(random.nextInt(Math.min(4, cuda.devices().size())));
    if (random.nextInt(3) == 0) {
      return device.using(AllocatorKind.CLASSIC);
    }
    return device;
  }

  private int[] values(int length) {
    int[] values = new int[length];
    for (int i = 0; i < length; i++) {
      values[i] = random.nextInt();
    }
    return values;
  }

  private void keep(ModelArray array) {
    if (arrays.size() < MOST_ARRAYS) {
      arrays.add(array);
      return;
    }
    int place = random.nextInt(MOST_ARRAYS);
    ModelArray old = arrays.set(place, array);
    // Views of it go on being tried: they must refuse.
    old.array().close();
  }

  private void allocate() {
    int length = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(LONGEST);
    int[] values = values(length);
    CuArray<Integer> array;
    if (random.nextBoolean()) {
      array = device().array(INT32, values);
    } else {
      int value = random.nextInt(3) - 1;
      array = device().full(INT32, value, length);
      Arrays.fill(values, value);
    }
    keep(new ModelArray(array, values, 0, length));
  }

  /** An array that can be used; there is always one, since closed ones give way here. */
  private ModelArray any() {
    ModelArray array = arrays.get(random.nextInt(arrays.size()));
    if (!array.isClosed()) {
      return array;
    }
    array.checkRefusesUse();
    arrays.remove(array);
    if (arrays.stream().allMatch(ModelArray::isClosed)) {
      arrays.clear();
      allocate();
    }
    return any();
  }

  private void upload() {
    ModelArray array = any();
    int[] values = values(array.length());
    array.array().copyFrom(INT32, values);
    // The upload has taken its values, so what happens to the caller's array now must not matter.
    array.setAll(values);
    Arrays.fill(values, -7);
  }

  private void fill() {
    ModelArray array = any();
    int value = random.nextInt();
    array.array().fill(value);
    for (int i = 0; i < array.length(); i++) {
      array.set(i, value);
    }
  }

  private void copy() {
    ModelArray source = any();
    ModelArray destination = any();
    int length = Math.min(source.length(), destination.length());
    copy(source.slice(0, length), destination.slice(0, length));
  }

  private void copySlices() {
    ModelArray source = any();
    ModelArray destination = any();
    int length = random.nextInt(Math.min(source.length(), destination.length()) + 1);
    int from = random.nextInt(source.length() - length + 1);
    int to = random.nextInt(destination.length() - length + 1);
    copy(source.slice(from, from + length), destination.slice(to, to + length));
  }

  private void overlap() {
    ModelArray array = any();
    int length = random.nextInt(array.length() + 1);
    int from = random.nextInt(array.length() - length + 1);
    int to = random.nextInt(array.length() - length + 1);
    copy(array.slice(from, from + length), array.slice(to, to + length));
  }

  private static void copy(ModelArray source, ModelArray destination) {
    int[] values = source.values();
    source.array().copyTo(destination.array());
    destination.setAll(values);
  }

  private void slice() {
    ModelArray array = any();
    int from = random.nextInt(array.length() + 1);
    int to = from + random.nextInt(array.length() - from + 1);
    ModelArray slice = array.slice(from, to);
    keep(random.nextBoolean() && slice.length() > 0 ? slice.reshapedAndBack() : slice);
  }

  private void retain() {
    keep(any().retain());
  }

  private void setOne() {
    ModelArray array = any();
    if (array.length() > 0) {
      int index = random.nextInt(array.length());
      int value = random.nextInt();
      array.array().set(value, index);
      array.set(index, value);
    }
  }

  private void getOne() {
    ModelArray array = any();
    if (array.length() > 0) {
      int index = random.nextInt(array.length());
      assertThat(array.array().get(index)).isEqualTo(array.get(index));
    }
  }

  private void toHostArray() {
    ModelArray array = any();
    HostArray<Integer> host = cuda.device(0).hostArray(INT32, array.length());
    array.array().copyTo(host);
    if (random.nextBoolean()) {
      host.synchronize();
      IntBuffer seen = host.asByteBuffer(0, array.length()).asIntBuffer();
      assertThat(seen).isEqualTo(IntBuffer.wrap(array.values()));
    }
    keepHost(host, array.values());
  }

  private void keepHost(HostArray<Integer> host, int[] values) {
    hostArrays.add(host);
    hostModels.add(values);
    if (hostArrays.size() > 3) {
      // Closed with copies from and to it in flight.
      hostArrays.remove(0).close();
      hostModels.remove(0);
    }
  }

  private void fromHostArray() {
    ModelArray array = any();
    int[] values = values(array.length());
    HostArray<Integer> host = cuda.device(0).hostArray(INT32, array.length());
    host.copyFrom(INT32, values);
    array.array().copyFrom(host);
    array.setAll(values);
    if (random.nextBoolean() && array.length() > 0) {
      // Must wait for the copy that still reads it.
      host.set(42, 0);
      values[0] = 42;
    }
    keepHost(host, values);
  }

  private void download() {
    ModelArray array = any();
    IntBuffer buffer = IntBuffer.allocate(array.length());
    array.array().copyTo(buffer);
    assertThat(buffer.array()).isEqualTo(array.values());
  }

  /** Another array on the same device, which shares no bytes with it; null where there is none. */
  private @Nullable ModelArray neighbour(ModelArray array) {
    for (ModelArray other : arrays) {
      if (!other.isClosed()
          && other.length() > 0
          && !other.sharesWith(array)
          && other.array().device().equals(array.array().device())) {
        return other;
      }
    }
    return null;
  }

  private void leased() {
    ModelArray to = any();
    ModelArray from = neighbour(to);
    if (others != null && from != null && to.length() > 0) {
      CuStream stream = streams.computeIfAbsent(to.array().device(), CuDevice::stream);
      int length = 1 + random.nextInt(Math.min(to.length(), from.length()));
      Consumer<CuStream> between = random.nextInt(3) == 0 ? CuStream::synchronize : untouched -> {};
      others.copyThenFill(to, from, length, random.nextInt(), stream, between);
      if (random.nextInt(4) == 0) {
        // Closed with what was leased still in flight.
        streams.remove(to.array().device()).close();
      }
    }
  }

  private void launched() {
    ModelArray to = any();
    ModelArray from = neighbour(to);
    if (others != null && from != null && to.length() > 0) {
      int length = 1 + random.nextInt(Math.min(to.length(), from.length()));
      others.add(to.slice(0, length), from.slice(0, length));
    }
  }

  /**
   * Now and then, more parts of an array than its order tells apart, each with a use of its own.
   */
  private void speckle() {
    if (random.nextInt(4) != 0) {
      return;
    }
    ModelArray array = any();
    ModelArray other = any();
    int length = Math.min(array.length(), other.length());
    for (int i = 0; i < Math.min(length, MANY_PARTS); i++) {
      int position = random.nextInt(length);
      ModelArray part = array.slice(position, position + 1);
      switch (random.nextInt(3)) {
        case 0 -> {
          part.array().fill((Integer) i);
          part.set(0, i);
        }
        case 1 -> {
          part.array().set(i, 0);
          part.set(0, i);
        }
        default -> copy(part, other.slice(position, position + 1));
      }
    }
  }

  private void close() {
    any().array().close();
  }

  private void to() {
    ModelArray array = any();
    int[] values = array.values();
    keep(new ModelArray(array.array().to(device()), values, 0, values.length));
  }
}
