package org.cuarray.driver;

import java.util.List;
import org.cuarray.CuCompilationException;
import org.cuarray.CuUnavailableException;

/**
 * Turns CUDA C++ into code that {@link CudaDriver#moduleLoadDataEx} loads. Needs no device and no
 * context. Thread-safe.
 */
public interface KernelCompiler {
  /**
   * Compiles a source for one architecture.
   *
   * @param source CUDA C++; kernels declared {@code extern "C"} keep their names
   * @param architecture the compute capability of the device, 10 × major + minor, so 90 is 9.0
   * @param options for the compiler, one each, such as {@code --use_fast_math}; one that names an
   *     architecture takes the place of {@code architecture}
   * @return machine code (a cubin), or PTX where the compiler does not know the architecture or an
   *     option asks for a virtual one
   * @throws CuCompilationException the compiler refused the source, with what it said
   * @throws CuUnavailableException there is no compiler, with how to get one
   */
  byte[] compile(String source, int architecture, List<String> options);
}
