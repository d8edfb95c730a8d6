/** For tests of code that uses the library. Needs JUnit Jupiter, which does not come along. */
@NullMarked
package org.cuarray.junit;

import org.jspecify.annotations.NullMarked;
