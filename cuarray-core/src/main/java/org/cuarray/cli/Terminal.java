package org.cuarray.cli;

import java.io.Console;
import java.util.Optional;

/** Whether somebody is watching. */
final class Terminal {
  private Terminal() {}

  /**
   * Whether standard input and output are a terminal.
   *
   * <p>Before JDK 22 there is a console on a terminal only; since then there may be one anywhere,
   * and {@code isTerminal}, which JDK 17 does not have, tells.
   */
  static boolean isStandardOutput() {
    return Optional.ofNullable(System.console()).map(Terminal::isTerminal).orElse(false);
  }

  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }
}
