package org.cuarray.tests.random;

/** Random programs on machines whose streams have done their work when a call returns. */
class RandomProgramsTest extends ProgramsOnEveryMachine {
  RandomProgramsTest() {
    super("cuarray.randomPrograms", Soak::eager);
  }
}
