package org.cuarray;

/**
 * CUDA C++ that did not compile. The message ends with what the compiler said, with the lines of
 * the source that it complained about.
 */
public class CuCompilationException extends CuException {
  /** As the compiler wrote it. */
  private final String log;

  /**
   * A source that was refused.
   *
   * @param what what failed, such as {@code "compiling kernel.cu for sm_90 failed"}
   * @param log what the compiler said, several lines; may be empty
   */
  public CuCompilationException(String what, String log) {
    super(log.isBlank() ? what : what + ":\n" + log.stripTrailing());
    this.log = log;
  }

  /**
   * What the compiler said.
   *
   * @return several lines, or an empty text
   */
  public String log() {
    return log;
  }
}
