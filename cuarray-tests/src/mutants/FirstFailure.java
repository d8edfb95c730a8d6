import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs test classes one after the other, and ends the process with 1 at the first failure. */
public final class FirstFailure {
  private FirstFailure() {}

  /**
   * The entry point.
   *
   * @param classes their names
   */
  public static void main(String[] classes) {
    for (String name : List.of(classes)) {
      System.out.println("CLASS " + name);
      long start = System.nanoTime();
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(DiscoverySelectors.selectClass(name))
              .build();
      LauncherFactory.create().execute(request, new Halt());
      System.out.printf("PASSED %s %.1f s%n", name, (System.nanoTime() - start) / 1e9);
    }
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private static final class Halt implements TestExecutionListener {
    private static final Pattern CLASS = Pattern.compile("\\[class:(?:[^\\]]*\\.)?([^\\].]*)\\]");
    private static final Pattern METHOD =
        Pattern.compile("\\[(?:method|test-template):([^\\](]*)");

    private static String part(Pattern pattern, String id) {
      Matcher matcher = pattern.matcher(id);
      return matcher.find() ? matcher.group(1) : "";
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        String id = test.getUniqueId();
        System.out.println("FAILED " + part(CLASS, id) + " " + part(METHOD, id));
        result.getThrowable().ifPresent(failure -> failure.printStackTrace(System.out));
        System.out.flush();
        Runtime.getRuntime().halt(1);
      }
    }
  }
}
