/**
 * A machine of N GPUs in plain Java, behind {@link org.cuarray.driver.CudaDriver}: for tests
 * without a GPU, for faults that no lab can order and for machines nobody here has.
 *
 * <p>What it answers was read off real GPUs; the list and its sources are in the project's {@code
 * driver-facts.md}, and the conformance suite holds both drivers to it. {@link
 * org.cuarray.driver.simulated.SimulatedDriver} is the way in, {@link
 * org.cuarray.driver.simulated.Preset} the choice of machines.
 */
@NullMarked
package org.cuarray.driver.simulated;

import org.jspecify.annotations.NullMarked;
