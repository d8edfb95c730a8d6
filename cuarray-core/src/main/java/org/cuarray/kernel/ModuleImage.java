package org.cuarray.kernel;

/** The code of a module, for whichever device asks. Thread-safe. */
@FunctionalInterface
public interface ModuleImage {
  /**
   * The code for a device. May take seconds, so it is called under no array's lock.
   *
   * @param ordinal the device
   * @return a cubin, a fatbin or PTX; not to be changed
   */
  byte[] of(int ordinal);
}
