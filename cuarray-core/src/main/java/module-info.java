/** A multi-GPU array library: typed arrays on CUDA devices, and copies between them. */
module org.cuarray {
  requires com.google.common;
  requires transitive org.bytedeco.cuda;
  requires static com.google.gson;
  requires static info.picocli;
  requires static java.desktop;
  requires static java.management;
  requires static jdk.management;
  requires static org.jspecify;
  requires static org.junit.jupiter.api;
  requires static org.knowm.xchart;

  exports org.cuarray;
  exports org.cuarray.driver;
  exports org.cuarray.driver.javacpp;
  exports org.cuarray.driver.simulated;
  exports org.cuarray.junit;

  opens org.cuarray.cli to
      info.picocli;
  opens org.cuarray.cli.bench to
      com.google.gson;
}
