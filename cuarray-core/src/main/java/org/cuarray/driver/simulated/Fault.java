package org.cuarray.driver.simulated;

/** The {@code nth} call of a kind, from 1, does nothing and returns {@code code}. */
record Fault(String call, long nth, int code) {}
