/** From a pointer to its device and that device's context. */
@NullMarked
package org.cuarray.registry;

import org.jspecify.annotations.NullMarked;
