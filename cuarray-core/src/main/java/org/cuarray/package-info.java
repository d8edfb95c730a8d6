/**
 * Typed arrays that live on CUDA devices, and copies between them.
 *
 * <p>A {@link org.cuarray.CuRuntime} has devices; a {@link org.cuarray.CuDevice} makes arrays; a
 * {@link org.cuarray.CuArray} lives on one device and copies its elements to wherever another array
 * lives: the same device, a peer device, or through the host.
 *
 * <pre>{@code
 * import static org.cuarray.DType.FLOAT32;
 *
 * try (CuRuntime cuda = CuRuntime.open()) {
 *   CuDevice gpu0 = cuda.device(0), gpu1 = cuda.device(1);
 *   try (CuArray<Float> a = gpu0.array(FLOAT32, new float[] {1, 2, 3, 4});
 *       CuArray<Float> b = gpu1.zeros(FLOAT32, 4)) {
 *     a.copyTo(b);
 *     float[] back = b.toArray(FLOAT32);
 *   }
 * }
 * }</pre>
 *
 * <p>What holds everywhere:
 *
 * <ul>
 *   <li>A copy that returns and is later read gives the source's bytes, or an exception. A link
 *       between two devices is used only after it has delivered test patterns on this machine.
 *   <li>Operations are asynchronous to the host and ordered by the bytes that they touch, whatever
 *       thread, device or stream submitted them. The host waits only where it needs a value.
 *   <li>Any thread may use any array. No thread needs a current device, and its current CUDA
 *       context is the same after a call as before it; a {@link org.cuarray.CuLease} alone makes a
 *       context current for as long as it is open.
 *   <li>Arrays own their memory until they are closed; views borrow it.
 *   <li>Nothing here computes. Other libraries and kernels work on the arrays under a {@link
 *       org.cuarray.CuLease}.
 * </ul>
 *
 * <p>Where a program has no GPU, {@link org.cuarray.CuRuntime#open} throws a {@link
 * org.cuarray.CuUnavailableException} that says what is missing. {@link
 * org.cuarray.driver.simulated.SimulatedDriver} is a machine of GPUs for tests without any.
 */
@NullMarked
package org.cuarray;

import org.jspecify.annotations.NullMarked;
