package org.cuarray.tests.docs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the documents show is what is compiled here, and what they link to is there. */
class DocumentsTest {
  private static final Path ROOT = root();
  private static final Path EXAMPLES =
      ROOT.resolve("cuarray-tests/src/test/java/org/cuarray/tests/docs");
  private static final Pattern JAVA = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#]+)(?:#[^)]*)?\\)");
  private static final Pattern ANCHOR = Pattern.compile("\\]\\(#([^)]+)\\)");

  /** Wherever in the source tree the tests were started. */
  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("cuarray-tests"))) {
      folder = requireNonNull(folder.getParent(), "the source tree");
    }
    return folder;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "docs/guide.md",
        "docs/ordering.md",
        "docs/lifetime.md",
        "docs/kernels.md",
        "docs/two-gpus.md"
      })
  void everyExampleIsCompiled(String document) throws IOException {
    List<String> blocks = find(JAVA, document);
    String compiled = compiled();

    assertThat(blocks).isNotEmpty().allSatisfy(block -> assertCompiled(block, compiled));
  }

  @Test
  void anExampleThatIsNotCompiledIsFound() throws IOException {
    String compiled = compiled();

    assertThatThrownBy(() -> assertCompiled("  a.copyTwo(b);\n", compiled))
        .isInstanceOf(AssertionError.class);
  }

  private static void assertCompiled(String block, String compiled) {
    assertThat(compiled.contains("\n" + withoutIndentation(block) + "\n")).as(block).isTrue();
  }

  private static String compiled() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      return files
          .filter(file -> !file.endsWith("DocumentsTest.java"))
          .map(file -> "\n" + withoutIndentation(read(file)) + "\n")
          .collect(Collectors.joining());
    }
  }

  private static String withoutIndentation(String code) {
    return code.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "docs/README.md",
        "docs/guide.md",
        "docs/ordering.md",
        "docs/lifetime.md",
        "docs/kernels.md",
        "docs/two-gpus.md",
        "docs/architecture.md"
      })
  void everyLinkLeadsSomewhere(String document) throws IOException {
    Path folder = ROOT.resolve(document).getParent();
    String headings = anchors(document);

    assertThat(find(LINK, document)).allMatch(link -> Files.exists(folder.resolve(link)));
    assertThat(find(ANCHOR, document))
        .allSatisfy(anchor -> assertThat(headings).contains("#" + anchor + "\n"));
  }

  /** As GitHub makes them of headings. */
  private static String anchors(String document) throws IOException {
    return Files.readString(ROOT.resolve(document))
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(java.util.Locale.ROOT))
        .map(title -> "#" + title.replaceAll("[^\\p{L}\\p{N} -]", "").replace(' ', '-') + "\n")
        .collect(Collectors.joining());
  }

  private static List<String> find(Pattern pattern, String document) throws IOException {
    return pattern
        .matcher(Files.readString(ROOT.resolve(document)))
        .results()
        .map((MatchResult result) -> result.group(1))
        .toList();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
