/**
 * What every {@link org.cuarray.driver.CudaDriver} must answer, the real one and the simulated one:
 * a test a fact, tagged {@code documented} or {@code observed}.
 */
package org.cuarray.tests.conformance;
