package org.cuarray.tests.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cuarray.CuException;
import org.cuarray.CuRuntime;
import org.cuarray.driver.CudaError;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The rooms of the library and the one direction in which they depend on each other.
 *
 * <p>Every room may use the vocabulary: the exceptions, enums and value types of {@code
 * org.cuarray}, which themselves depend on no room.
 */
class RoomsTest {
  private static final String COMMAND = "org.cuarray.cli..";
  private static final String FACE = "org.cuarray";

  /** From the top down: each may use those after it. */
  private static final List<String> ROOMS =
      List.of(
          COMMAND,
          "org.cuarray.junit",
          FACE,
          "org.cuarray.copy",
          "org.cuarray.kernel",
          "org.cuarray.memory",
          "org.cuarray.stream",
          "org.cuarray.registry",
          "org.cuarray.driver");

  private static final String REAL_DRIVER = "org.cuarray.driver.javacpp";
  private static final String SIMULATED_DRIVER = "org.cuarray.driver.simulated";

  /** Hands what a lease lends to other libraries, so it knows leases; nobody here uses it. */
  private static final String BRIDGE = REAL_DRIVER + ".JavaCpp";

  private static final JavaClasses LIBRARY =
      new ClassFileImporter()
          .importUrl(CuRuntime.class.getProtectionDomain().getCodeSource().getLocation());

  private static final Set<JavaClass> VOCABULARY = vocabulary();

  /** The largest set of classes of the face that use only each other and the error codes. */
  private static Set<JavaClass> vocabulary() {
    Set<JavaClass> words = new HashSet<>();
    for (JavaClass each : LIBRARY) {
      if (each.getPackageName().equals(FACE)) {
        words.add(each);
      }
    }
    while (words.removeIf(word -> !projectClassesUsedBy(word).allMatch(words::contains))) {
      // Until nothing is left that uses something else.
    }
    return words;
  }

  private static Stream<JavaClass> projectClassesUsedBy(JavaClass user) {
    return user.getDirectDependenciesFromSelf().stream()
        .map(dependency -> dependency.getTargetClass().getBaseComponentType())
        .filter(used -> used.getPackageName().startsWith(FACE))
        .filter(used -> !used.isEquivalentTo(CudaError.class));
  }

  private static DescribedPredicate<JavaClass> vocabularyWord() {
    return DescribedPredicate.describe("belong to the vocabulary", VOCABULARY::contains);
  }

  private static DescribedPredicate<JavaClass> outsideTheProject() {
    return DescribedPredicate.not(resideInAPackage("org.cuarray.."));
  }

  @TestFactory
  Stream<DynamicTest> everyRoomUsesOnlyRoomsBelowAndTheVocabulary() {
    return ROOMS.stream()
        .map(
            room ->
                DynamicTest.dynamicTest(
                    room,
                    () ->
                        classes()
                            .that()
                            .resideInAPackage(room)
                            .should()
                            .onlyDependOnClassesThat(
                                resideInAnyPackage(roomAndThoseBelow(room))
                                    .or(vocabularyWord())
                                    .or(outsideTheProject())
                                    .or(driversFor(room)))
                            .check(LIBRARY)));
  }

  private static String[] roomAndThoseBelow(String room) {
    return ROOMS.subList(ROOMS.indexOf(room), ROOMS.size()).toArray(String[]::new);
  }

  /** The face and the command choose a driver; who does so in the face has a test of its own. */
  private static DescribedPredicate<JavaClass> driversFor(String room) {
    return ROOMS.indexOf(room) <= ROOMS.indexOf(FACE)
        ? resideInAnyPackage(REAL_DRIVER, SIMULATED_DRIVER)
        : DescribedPredicate.alwaysFalse();
  }

  @Test
  void theDriversUseTheDriverRoomAndTheVocabularyAndNotEachOther() {
    for (String driver : List.of(REAL_DRIVER, SIMULATED_DRIVER)) {
      classes()
          .that()
          .resideInAPackage(driver)
          .and()
          .doNotHaveFullyQualifiedName(BRIDGE)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(driver, "org.cuarray.driver")
                  .or(vocabularyWord())
                  .or(outsideTheProject()))
          .check(LIBRARY);
    }
  }

  @Test
  void onlyTheChoiceOfTheDriverAndTheCommandKnowTheDrivers() {
    noClasses()
        .that()
        .resideOutsideOfPackages(REAL_DRIVER, SIMULATED_DRIVER, COMMAND)
        .and()
        .doNotHaveFullyQualifiedName("org.cuarray.DriverChoice")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(REAL_DRIVER, SIMULATED_DRIVER)
        .check(LIBRARY);
  }

  @Test
  void nobodyUsesTheBridgeToOtherLibraries() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(BRIDGE)
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName(BRIDGE)
        .check(LIBRARY);
  }

  @Test
  void onlyTheRealDriverKnowsThePresets() {
    noClasses()
        .that()
        .resideOutsideOfPackage(REAL_DRIVER)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.bytedeco..")
        .check(LIBRARY);
  }

  @Test
  void everyExceptionAndEnumOfTheFaceBelongsToTheVocabulary() {
    Set<String> words = VOCABULARY.stream().map(JavaClass::getFullName).collect(Collectors.toSet());
    Set<String> exceptionsAndEnums =
        LIBRARY.stream()
            .filter(each -> each.getPackageName().equals(FACE) && !each.isMemberClass())
            .filter(each -> each.isAssignableTo(CuException.class) || each.isEnum())
            .map(JavaClass::getFullName)
            .collect(Collectors.toSet());
    assertThat(exceptionsAndEnums).hasSizeGreaterThan(10);
    assertThat(words)
        .containsAll(exceptionsAndEnums)
        .contains("org.cuarray.DType", "org.cuarray.UInt8", "org.cuarray.Complex64")
        .doesNotContain("org.cuarray.CuArray", "org.cuarray.CuRuntime", "org.cuarray.CuDevice");
  }

  @Test
  void everyClassStandsInARoom() {
    classes()
        .should()
        .resideInAnyPackage(
            Stream.concat(ROOMS.stream(), Stream.of(REAL_DRIVER, SIMULATED_DRIVER))
                .toArray(String[]::new))
        .check(LIBRARY);
  }

  @Test
  void messagesGoThroughThePlatformsLoggerAndOnlyTheCommandPrints() {
    CompositeArchRule.of(
            noClasses().should().dependOnClassesThat().resideInAPackage("java.util.logging"))
        .and(noClasses().that().resideOutsideOfPackage(COMMAND).should(ACCESS_STANDARD_STREAMS))
        .check(LIBRARY);
  }

  @Test
  void nothingInternalOfTheJdkIsUsed() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("sun..", "jdk.internal..")
        .check(LIBRARY);
  }
}
