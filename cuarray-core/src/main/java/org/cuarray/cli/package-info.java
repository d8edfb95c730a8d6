/** The command: a demonstration that checks every byte, and the devices with their links. */
@NullMarked
package org.cuarray.cli;

import org.jspecify.annotations.NullMarked;
