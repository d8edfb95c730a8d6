package org.cuarray.driver.simulated;

/** A free in the order of a stream, as it matters to whoever wants the memory next. */
interface Freeing {
  /** One that everybody comes after. */
  Freeing PAST =
      new Freeing() {
        @Override
        public boolean isKnownToHost() {
          return true;
        }

        @Override
        public boolean hasHappened() {
          return true;
        }

        @Override
        public boolean isOn(Stream stream) {
          return false;
        }

        @Override
        public boolean isBefore(Stream stream) {
          return true;
        }
      };

  /** Whether the host has waited for it: everybody may have the memory. */
  boolean isKnownToHost();

  /** Whether it has happened, whoever knows. */
  boolean hasHappened();

  /** Whether it was given to a stream. */
  boolean isOn(Stream stream);

  /** Whether what is submitted to a stream next comes after it. */
  boolean isBefore(Stream stream);
}
