/** The copy planner, its three strategies, and the peer links with their proof. */
@NullMarked
package org.cuarray.copy;

import org.jspecify.annotations.NullMarked;
