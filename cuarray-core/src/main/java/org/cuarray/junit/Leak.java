package org.cuarray.junit;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Something that a test left open.
 *
 * @param subject what it is
 * @param how what became of it, as the end of a sentence
 * @param site where it was made
 */
record Leak(String subject, String how, Throwable site) {
  /** Whose frames say nothing about where the user's code made it. */
  private static final Set<String> LIBRARY =
      Set.of("org.cuarray", "org.cuarray.junit", "org.cuarray.memory");

  /** Names all of them; the whole stack traces are suppressed in it. */
  static AssertionError failure(List<Leak> leaks) {
    String lines = leaks.stream().map(Leak::toString).collect(Collectors.joining("\n  "));
    AssertionError failure =
        new AssertionError("the test left %d open:%n  %s".formatted(leaks.size(), lines));
    leaks.forEach(leak -> failure.addSuppressed(leak.site));
    return failure;
  }

  @Override
  public String toString() {
    return "%s %s, made at %s".formatted(subject, how, place());
  }

  private String place() {
    return Stream.of(site.getStackTrace())
        .filter(frame -> !LIBRARY.contains(packageOf(frame.getClassName())))
        .findFirst()
        .map(StackTraceElement::toString)
        .orElse("an unknown place");
  }

  private static String packageOf(String className) {
    int dot = className.lastIndexOf('.');
    return dot < 0 ? "" : className.substring(0, dot);
  }
}
