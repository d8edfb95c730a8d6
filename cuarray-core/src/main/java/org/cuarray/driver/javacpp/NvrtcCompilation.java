package org.cuarray.driver.javacpp;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bytedeco.cuda.global.nvrtc;
import org.bytedeco.cuda.nvrtc._nvrtcProgram;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.SizeTPointer;

/** One source on its way through NVRTC. What came of it can be read once the run is over. */
final class NvrtcCompilation implements Runnable {
  private final String source;
  private final String name;
  private final NvrtcTarget target;

  private int status = nvrtc.NVRTC_ERROR_INTERNAL_ERROR;
  private String log = "";
  private byte[] code = {};

  NvrtcCompilation(String source, String name, NvrtcTarget target) {
    this.source = source;
    this.name = name;
    this.target = target;
  }

  /** NVRTC's. */
  int status() {
    return status;
  }

  /** What the compiler said. */
  String log() {
    return log;
  }

  /** A cubin or PTX, empty where the status is bad. */
  byte[] code() {
    return code;
  }

  @Override
  public void run() {
    _nvrtcProgram program = new _nvrtcProgram();
    try (BytePointer text = text(source);
        BytePointer title = text(name)) {
      status = nvrtc.nvrtcCreateProgram(program, text, title, 0, none(), none());
      if (status != nvrtc.NVRTC_SUCCESS) {
        return;
      }
      try {
        status = compile(program, target.options());
        log = log(program);
        if (status == nvrtc.NVRTC_SUCCESS) {
          status = takeCode(program);
        }
      } finally {
        int unused = nvrtc.nvrtcDestroyProgram(program);
      }
    } catch (RuntimeException | LinkageError e) {
      status = nvrtc.NVRTC_ERROR_INTERNAL_ERROR;
      log = "the bindings of NVRTC failed: " + e;
    }
  }

  private static int compile(_nvrtcProgram program, List<String> options) {
    BytePointer[] texts = options.stream().map(NvrtcCompilation::text).toArray(BytePointer[]::new);
    try (PointerPointer<BytePointer> array = new PointerPointer<>(texts)) {
      return nvrtc.nvrtcCompileProgram(program, texts.length, array);
    } finally {
      for (BytePointer text : texts) {
        text.close();
      }
    }
  }

  private int takeCode(_nvrtcProgram program) {
    boolean virtual = target.isVirtual();
    try (SizeTPointer size = new SizeTPointer(1)) {
      int result =
          virtual ? nvrtc.nvrtcGetPTXSize(program, size) : nvrtc.nvrtcGetCUBINSize(program, size);
      if (result != nvrtc.NVRTC_SUCCESS) {
        return result;
      }
      code = new byte[Math.toIntExact(size.get())];
      return virtual ? nvrtc.nvrtcGetPTX(program, code) : nvrtc.nvrtcGetCUBIN(program, code);
    }
  }

  private static String log(_nvrtcProgram program) {
    try (SizeTPointer size = new SizeTPointer(1)) {
      if (nvrtc.nvrtcGetProgramLogSize(program, size) != nvrtc.NVRTC_SUCCESS || size.get() <= 1) {
        return "";
      }
      byte[] text = new byte[Math.toIntExact(size.get())];
      return nvrtc.nvrtcGetProgramLog(program, text) == nvrtc.NVRTC_SUCCESS
          ? new String(text, 0, text.length - 1, StandardCharsets.UTF_8)
          : "";
    }
  }

  private static BytePointer text(String text) {
    return new BytePointer(text, StandardCharsets.UTF_8);
  }

  private static PointerPointer<Pointer> none() {
    return new PointerPointer<>((Pointer) null);
  }
}
