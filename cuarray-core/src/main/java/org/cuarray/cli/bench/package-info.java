/**
 * What is measured, how, and what it is compared with. Printing is for the room above; nothing here
 * knows of a terminal.
 */
@NullMarked
package org.cuarray.cli.bench;

import org.jspecify.annotations.NullMarked;
