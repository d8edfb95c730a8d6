package org.cuarray;

/**
 * An array, a view of one, a stream, a module or a runtime that was used after it was closed.
 *
 * <p>The use did nothing: no stale bytes are ever read. A view is closed when its owner is.
 */
public class CuClosedException extends CuException {
  /**
   * A use after closing.
   *
   * @param what what was closed, as a sentence and with where it was closed if that is known, such
   *     as {@code "array float32 [3, 4] on cuda:0 was closed at ..."}
   */
  public CuClosedException(String what) {
    super(what);
  }
}
