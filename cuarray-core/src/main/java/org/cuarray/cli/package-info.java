/** The command: demonstration, list of devices, benchmarks. */
@NullMarked
package org.cuarray.cli;

import org.jspecify.annotations.NullMarked;
