package org.cuarray.tests.examples;

import static org.bytedeco.cuda.global.cublas.CUBLAS_OP_N;
import static org.bytedeco.cuda.global.cublas.CUBLAS_STATUS_SUCCESS;
import static org.bytedeco.cuda.global.cublas.cublasCreate_v2;
import static org.bytedeco.cuda.global.cublas.cublasDestroy_v2;
import static org.bytedeco.cuda.global.cublas.cublasSetStream_v2;
import static org.bytedeco.cuda.global.cublas.cublasSgemm_v2;

import org.bytedeco.cuda.cublas.cublasContext;
import org.bytedeco.javacpp.FloatPointer;
import org.cuarray.Access;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuLease;
import org.cuarray.CuStream;
import org.cuarray.driver.javacpp.JavaCpp;

/**
 * Products by cuBLAS, on a stream and with a handle of their own.
 *
 * <p>cuBLAS takes matrices to be column-major. What is row-major here is to it the transpose, and
 * {@code cᵀ = panelᵀ · aᵀ}: so the factors change places, and nothing is moved.
 */
final class CublasProduct implements PanelProduct {
  private final CuDevice device;
  private final CuStream stream;
  private final cublasContext handle = new cublasContext();
  private final FloatPointer one = new FloatPointer(1f);
  private final FloatPointer betaPointer = new FloatPointer(1);

  CublasProduct(CuDevice device) {
    this.device = device;
    this.stream = device.stream("cublas", 0);
    // The handle is for the device whose context is current when it is made.
    check("cublasCreate", device.callInContext(() -> cublasCreate_v2(handle)));
  }

  @Override
  public void multiply(
      CuArray<Float> a, long firstColumn, CuArray<Float> panel, float beta, CuArray<Float> c) {
    int m = (int) c.shape()[0];
    int n = (int) c.shape()[1];
    int k = (int) panel.shape()[0];
    int columnsOfA = (int) a.shape()[1];
    betaPointer.put(beta);
    Access result = beta == 0 ? Access.write(c) : Access.readWrite(c);
    try (CuLease lease = stream.lease(Access.read(a), Access.read(panel), result)) {
      check("cublasSetStream", cublasSetStream_v2(handle, JavaCpp.stream(lease)));
      check(
          "cublasSgemm",
          cublasSgemm_v2(
              handle,
              CUBLAS_OP_N,
              CUBLAS_OP_N,
              n,
              m,
              k,
              one,
              JavaCpp.pointer(lease, panel, FloatPointer.class),
              n,
              JavaCpp.pointer(lease, a, FloatPointer.class).position(firstColumn),
              columnsOfA,
              betaPointer,
              JavaCpp.pointer(lease, c, FloatPointer.class),
              n));
    }
  }

  private static void check(String call, int status) {
    if (status != CUBLAS_STATUS_SUCCESS) {
      throw new IllegalStateException(call + " gave status " + status);
    }
  }

  @Override
  public void close() {
    stream.close();
    int unused = device.callInContext(() -> cublasDestroy_v2(handle));
    one.close();
    betaPointer.close();
  }
}
