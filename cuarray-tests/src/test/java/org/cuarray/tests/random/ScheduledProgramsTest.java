package org.cuarray.tests.random;

/** Random programs on machines whose streams work late and in an odd order, which is checked. */
class ScheduledProgramsTest extends ProgramsOnEveryMachine {
  ScheduledProgramsTest() {
    super("cuarray.scheduledPrograms", Soak::scheduled);
  }
}
