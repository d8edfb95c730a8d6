package org.cuarray.kernel;

/** Code that was compiled beforehand, the same for every device. */
public final class FixedImage implements ModuleImage {
  private final byte[] image;

  /**
   * Code as it stands in a file.
   *
   * @throws IllegalArgumentException where it is empty
   */
  public FixedImage(byte[] ptxCubinOrFatbin) {
    if (ptxCubinOrFatbin.length == 0) {
      throw new IllegalArgumentException(
          "a module of 0 bytes; give it PTX, a cubin or a fatbin, or compile a source");
    }
    this.image = ptxCubinOrFatbin.clone();
  }

  @Override
  public byte[] of(int ordinal) {
    return image;
  }
}
