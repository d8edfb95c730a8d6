package org.cuarray.driver.simulated;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.cuarray.driver.KernelCompiler;

/** Makes of every source a module that its machine loads; what kernels do, bodies say. */
final class SimulatedCompiler implements KernelCompiler {
  @Override
  public byte[] compile(String source, int architecture, List<String> options) {
    return ("// compiled by nobody\n.version 9.0\n.target sm_" + architecture + "\n")
        .getBytes(StandardCharsets.US_ASCII);
  }
}
