package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.SUCCESS;

import java.util.Arrays;
import org.cuarray.driver.KernelCompiler;

/** The calls about modules and kernels. */
abstract class ModuleCalls extends StreamCalls {
  private final KernelCompiler compiler = new SimulatedCompiler();

  ModuleCalls(MachineSpec spec) {
    super(spec);
  }

  @Override
  public KernelCompiler compiler() {
    return compiler;
  }

  @Override
  public int moduleLoadDataEx(long[] module, byte[] image, byte[] errorLog) {
    int refusal = gate.enter("cuModuleLoadDataEx");
    try {
      return refusal == SUCCESS ? parts.modules.load(module, image, errorLog) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int moduleUnload(long module) {
    int refusal = gate.enter("cuModuleUnload");
    try {
      return refusal == SUCCESS ? parts.modules.unload(module) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int moduleGetFunction(long[] function, long module, String name) {
    int refusal = gate.enter("cuModuleGetFunction");
    try {
      return refusal == SUCCESS ? parts.modules.function(function, module, name) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int funcLoad(long function) {
    int refusal = gate.enter("cuFuncLoad");
    try {
      return refusal == SUCCESS ? parts.modules.finishLoading(function) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int funcGetAttribute(int[] value, int attribute, long function) {
    int refusal = gate.enter("cuFuncGetAttribute");
    try {
      return refusal == SUCCESS ? parts.modules.attribute(value, attribute, function) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int funcSetAttribute(long function, int attribute, int value) {
    int refusal = gate.enter("cuFuncSetAttribute");
    try {
      return refusal == SUCCESS ? parts.modules.setAttribute(function, attribute, value) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int funcGetParamInfo(long function, long index, long[] offset, long[] bytes) {
    int refusal = gate.enter("cuFuncGetParamInfo");
    try {
      return refusal == SUCCESS ? parts.modules.parameter(function, index, offset, bytes) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int launchKernel(
      long function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      long stream,
      byte[] parameters,
      int parameterBytes) {
    int refusal = gate.enter("cuLaunchKernel");
    try {
      return refusal == SUCCESS
          ? parts.modules.launch(
              function,
              new int[] {gridX, gridY, gridZ},
              new int[] {blockX, blockY, blockZ},
              sharedBytes,
              stream,
              Arrays.copyOf(parameters, parameterBytes))
          : refusal;
    } finally {
      gate.leave();
    }
  }
}
