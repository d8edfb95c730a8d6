/** Streams, events, and the order of operations for each range of bytes. */
@NullMarked
package org.cuarray.stream;

import org.jspecify.annotations.NullMarked;
