package org.cuarray.tests.suite;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs JUnit tests where there is no Maven, such as on a bare GPU machine.
 *
 * <p>The process ends with 0 where tests ran and none failed, with 1 where one failed or none ran,
 * and with 2 where the command line makes no sense.
 */
@Command(name = "suite", description = "Runs tests and prints what became of each.")
public final class SuiteMain implements Callable<Integer> {
  private final PrintStream out;

  @Parameters(
      paramLabel = "TESTS",
      description = "Classes, methods (CLASS#METHOD) or packages; without any: ${DEFAULT-VALUE}.",
      defaultValue = "org.cuarray")
  private List<String> selected;

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      description = "Run only tests with this tag, or one of these.")
  private List<String> tags = List.of();

  @Option(
      names = "--exclude-tag",
      paramLabel = "TAG",
      description = "Leave out tests with this tag, or any of these.")
  private List<String> excludedTags = List.of();

  @Option(names = "--help", usageHelp = true, description = "Show this and exit.")
  @SuppressWarnings("unused") // picocli looks for its annotation
  private boolean help;

  @Option(names = "--report", paramLabel = "FILE", description = "Write the outcomes as JSON.")
  private Path report;

  private SuiteMain(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs the tests that the arguments name and ends the process, whatever threads they left behind.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String... arguments) {
    System.exit(run(System.out, arguments));
  }

  /**
   * Runs the tests that the arguments name.
   *
   * @param out gets a line for each test, and a closing line
   * @param arguments see {@code --help}
   * @return the process's exit code
   */
  public static int run(PrintStream out, String... arguments) {
    return new CommandLine(new SuiteMain(out)).execute(arguments);
  }

  @Override
  public Integer call() throws IOException {
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    selected.forEach(name -> request.selectors(selector(name)));
    if (!tags.isEmpty()) {
      request.filters(TagFilter.includeTags(tags));
    }
    if (!excludedTags.isEmpty()) {
      request.filters(TagFilter.excludeTags(excludedTags));
    }
    SuiteReport outcomes = new SuiteReport(execute(request.build()));
    if (report != null) {
      outcomes.writeTo(report);
    }
    out.println(outcomes.closingLine());
    out.flush();
    return outcomes.passed() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private List<TestOutcome> execute(LauncherDiscoveryRequest request) {
    OutcomeListener listener = new OutcomeListener(out);
    LauncherFactory.create().execute(request, listener);
    return listener.outcomes();
  }

  private static DiscoverySelector selector(String name) {
    if (name.contains("#")) {
      return selectMethod(name);
    }
    try {
      return selectClass(Class.forName(name, false, SuiteMain.class.getClassLoader()));
    } catch (ClassNotFoundException e) {
      return selectPackage(name);
    }
  }
}
