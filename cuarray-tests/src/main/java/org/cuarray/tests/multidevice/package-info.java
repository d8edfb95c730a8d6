/**
 * The multi-device suite: copies between all devices of a machine, real or simulated, held to right
 * bytes and to the driver calls that were made.
 */
package org.cuarray.tests.multidevice;
