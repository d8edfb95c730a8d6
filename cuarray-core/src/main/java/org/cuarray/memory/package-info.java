/** Blocks of memory, their owners and allocators, pinned staging, and reports of leaks. */
@NullMarked
package org.cuarray.memory;

import org.jspecify.annotations.NullMarked;
