/** A multi-GPU array library: typed arrays on CUDA devices, and copies between them. */
module org.cuarray {
  requires com.google.common;
  requires transitive org.bytedeco.cuda;
  requires static info.picocli;
  requires static org.jspecify;

  exports org.cuarray;
  exports org.cuarray.driver;
  exports org.cuarray.driver.javacpp;
  exports org.cuarray.driver.simulated;

  opens org.cuarray.cli to
      info.picocli;
}
