/** What kernels do on real GPUs. */
package org.cuarray.tests.kernel;
