package org.cuarray.driver.simulated;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every live allocation by its addresses. Look-ups allocate nothing, hence no Java map. */
final class AddressMap {
  private long[] starts = new long[8];
  private @Nullable Block[] blocks = new Block[8];
  private int count;

  void add(Block block) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      blocks = Arrays.copyOf(blocks, 2 * count);
    }
    int at = -Arrays.binarySearch(starts, 0, count, block.address) - 1;
    System.arraycopy(starts, at, starts, at + 1, count - at);
    System.arraycopy(blocks, at, blocks, at + 1, count - at);
    starts[at] = block.address;
    blocks[at] = block;
    count++;
  }

  void remove(Block block) {
    int at = Arrays.binarySearch(starts, 0, count, block.address);
    count--;
    System.arraycopy(starts, at + 1, starts, at, count - at);
    System.arraycopy(blocks, at + 1, blocks, at, count - at);
    blocks[count] = null;
  }

  /** The allocation that an address lies in. */
  @Nullable Block containing(long address) {
    int at = Arrays.binarySearch(starts, 0, count, address);
    int index = at >= 0 ? at : -at - 2;
    if (index < 0) {
      return null;
    }
    Block block = blocks[index];
    return block != null && address - block.address < block.bytes ? block : null;
  }

  /** The allocation that begins at an address. */
  @Nullable Block startingAt(long address) {
    int at = Arrays.binarySearch(starts, 0, count, address);
    return at >= 0 ? blocks[at] : null;
  }

  /** All of them in order of address. */
  List<Block> all() {
    return List.of(Arrays.copyOf(blocks, count, Block[].class));
  }
}
