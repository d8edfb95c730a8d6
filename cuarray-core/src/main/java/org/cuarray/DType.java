package org.cuarray;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;

/**
 * The type of an array's elements: how many bytes one takes, which Java type it is, and which
 * primitive array carries many of them to and from the host.
 *
 * <p>There are the twelve constants here and no others, so {@code ==} compares them. Immutable and
 * thread-safe. The compiler checks that elements and arrays fit; since unchecked casts compile,
 * every method checks again, and throws an {@link IllegalArgumentException} that shows both sides.
 *
 * <p>The methods that move elements to and from a {@link ByteBuffer} do so in native byte order, at
 * the byte buffer's position, which they move past what was moved; a byte buffer in the other order
 * is refused. {@link HostBuffers} does the same for buffers of any kind.
 *
 * @param <T> one element
 * @param <A> the primitive array that carries elements, or their components, in order
 */
public final class DType<T, A> {
  /** True or false: one byte, 1 or 0. Any byte that is not 0 reads as true. */
  public static final DType<Boolean, boolean[]> BOOL =
      new DType<>(Kind.BOOL, 1, Carrier.BOOLEANS, ElementCodec.BOOL);

  /** Whole numbers of 8 bits, signed. */
  public static final DType<Byte, byte[]> INT8 =
      new DType<>(Kind.INT8, 1, Carrier.BYTES, ElementCodec.INT8);

  /** Whole numbers of 8 bits, unsigned. The array carries the bits. */
  public static final DType<UInt8, byte[]> UINT8 =
      new DType<>(Kind.UINT8, 1, Carrier.BYTES, ElementCodec.UINT8);

  /** Whole numbers of 16 bits, signed. */
  public static final DType<Short, short[]> INT16 =
      new DType<>(Kind.INT16, 1, Carrier.SHORTS, ElementCodec.INT16);

  /** Whole numbers of 32 bits, signed. */
  public static final DType<Integer, int[]> INT32 =
      new DType<>(Kind.INT32, 1, Carrier.INTS, ElementCodec.INT32);

  /** Whole numbers of 64 bits, signed. */
  public static final DType<Long, long[]> INT64 =
      new DType<>(Kind.INT64, 1, Carrier.LONGS, ElementCodec.INT64);

  /** IEEE 754 half precision. The array carries the bits, see {@link Float16#pack}. */
  public static final DType<Float16, short[]> FLOAT16 =
      new DType<>(Kind.FLOAT16, 1, Carrier.SHORTS, ElementCodec.FLOAT16);

  /** The upper half of a float. The array carries the bits, see {@link BFloat16#pack}. */
  public static final DType<BFloat16, short[]> BFLOAT16 =
      new DType<>(Kind.BFLOAT16, 1, Carrier.SHORTS, ElementCodec.BFLOAT16);

  /** IEEE 754 single precision. */
  public static final DType<Float, float[]> FLOAT32 =
      new DType<>(Kind.FLOAT32, 1, Carrier.FLOATS, ElementCodec.FLOAT32);

  /** IEEE 754 double precision. */
  public static final DType<Double, double[]> FLOAT64 =
      new DType<>(Kind.FLOAT64, 1, Carrier.DOUBLES, ElementCodec.FLOAT64);

  /** Two floats, the real part first. The array carries both in turn. */
  public static final DType<Complex64, float[]> COMPLEX64 =
      new DType<>(Kind.COMPLEX64, 2, Carrier.FLOATS, ElementCodec.COMPLEX64);

  /** Two doubles, the real part first. The array carries both in turn. */
  public static final DType<Complex128, double[]> COMPLEX128 =
      new DType<>(Kind.COMPLEX128, 2, Carrier.DOUBLES, ElementCodec.COMPLEX128);

  private static final ImmutableList<DType<?, ?>> ALL =
      ImmutableList.of(
          BOOL,
          INT8,
          UINT8,
          INT16,
          INT32,
          INT64,
          FLOAT16,
          BFLOAT16,
          FLOAT32,
          FLOAT64,
          COMPLEX64,
          COMPLEX128);

  /** HotSpot refuses arrays that are longer than this, or up to seven elements longer. */
  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final Kind kind;
  private final String name;
  private final int components;
  private final Carrier<A> carrier;
  private final ElementCodec<T> codec;

  private DType(Kind kind, int components, Carrier<A> carrier, ElementCodec<T> codec) {
    this.kind = kind;
    this.name = kind.name().toLowerCase(Locale.ROOT);
    this.components = components;
    this.carrier = carrier;
    this.codec = codec;
  }

  /** One constant for each dtype, for {@code switch}. */
  public enum Kind {
    /** {@link DType#BOOL}. */
    BOOL,
    /** {@link DType#INT8}. */
    INT8,
    /** {@link DType#UINT8}. */
    UINT8,
    /** {@link DType#INT16}. */
    INT16,
    /** {@link DType#INT32}. */
    INT32,
    /** {@link DType#INT64}. */
    INT64,
    /** {@link DType#FLOAT16}. */
    FLOAT16,
    /** {@link DType#BFLOAT16}. */
    BFLOAT16,
    /** {@link DType#FLOAT32}. */
    FLOAT32,
    /** {@link DType#FLOAT64}. */
    FLOAT64,
    /** {@link DType#COMPLEX64}. */
    COMPLEX64,
    /** {@link DType#COMPLEX128}. */
    COMPLEX128
  }

  /**
   * All dtypes.
   *
   * @return the twelve constants, in the order of {@link Kind}; unmodifiable
   */
  public static List<DType<?, ?>> all() {
    return ALL;
  }

  /**
   * Which dtype this is, for {@code switch}.
   *
   * @return its constant
   */
  public Kind kind() {
    return kind;
  }

  /**
   * The name, in NumPy's spelling.
   *
   * @return such as {@code float32}
   */
  public String name() {
    return name;
  }

  /**
   * The size of one element.
   *
   * @return bytes
   */
  public int byteSize() {
    return components * carrier.componentBytes;
  }

  /**
   * The element that holds a number, from the number's exact value.
   *
   * <ul>
   *   <li>{@code bool} takes 0 and 1.
   *   <li>Integers take whole numbers within their range, of any kind of number: 3.0 too, 3.5 not.
   *   <li>Floats take every number and round it once, to the nearest value and ties to even; a
   *       finite number that would become infinite is refused. Infinities and NaN stay what they
   *       are.
   *   <li>Complex numbers take a real part by the rule for floats; the imaginary part is 0.
   * </ul>
   *
   * @param number a boxed primitive, {@link java.math.BigInteger}, {@link java.math.BigDecimal}, or
   *     any other kind whose {@code toString()} is a decimal number
   * @return the element
   * @throws IllegalArgumentException if an element can't hold the number
   */
  public T of(Number number) {
    checkNotNull(number, "number");
    return codec.converter().apply(number, name);
  }

  /**
   * An element's value as a double: {@code bool} is 0 or 1, {@code int64} past 2^53 rounds to the
   * nearest.
   *
   * @param element the element
   * @return its value
   * @throws ArithmeticException if it is complex with an imaginary part that is not 0
   */
  double toDouble(T element) {
    return codec.toDouble().applyAsDouble(requireElement(element));
  }

  /**
   * An element's value as a long, exactly: {@code bool} is 0 or 1.
   *
   * @param element the element
   * @return its value
   * @throws ArithmeticException if it is not a whole number of 64 bits, or complex with an
   *     imaginary part that is not 0
   */
  long toLong(T element) {
    return codec.toLong().applyAsLong(requireElement(element));
  }

  /**
   * Puts one element's bytes.
   *
   * @param element the element
   * @param destination in native byte order, with {@link #byteSize()} bytes remaining
   * @throws IllegalArgumentException if the destination is in the other order or too short
   */
  void encode(T element, ByteBuffer destination) {
    requireRoom(destination, 1);
    codec.writer().accept(destination, requireElement(element));
  }

  /**
   * Takes one element's bytes.
   *
   * @param source in native byte order, with {@link #byteSize()} bytes remaining
   * @return the element
   * @throws IllegalArgumentException if the source is in the other order or too short
   */
  T decode(ByteBuffer source) {
    requireRoom(source, 1);
    return codec.reader().apply(source);
  }

  /**
   * A new array to carry elements, all 0.
   *
   * @param elements how many
   * @return the array; twice as long for complex dtypes
   * @throws IllegalArgumentException if no Java array is that long, or the number is negative
   */
  A newArray(long elements) {
    if (elements < 0 || elements > LONGEST_ARRAY / components) {
      throw new IllegalArgumentException(
          elements
              + " elements of "
              + name
              + " into a "
              + carrier.arrayType.getSimpleName()
              + ", which carries 0 to "
              + LONGEST_ARRAY / components
              + ": take slices, or a HostArray");
    }
    return carrier.allocate((int) elements * components);
  }

  /**
   * How many elements an array carries.
   *
   * @param array the array
   * @return its length; half of it for complex dtypes
   * @throws IllegalArgumentException if it is another kind of array, or one of odd length for a
   *     complex dtype
   */
  long arrayLength(A array) {
    checkNotNull(array, "array");
    if (!carrier.arrayType.isInstance(array)) {
      throw new IllegalArgumentException(
          name
              + " is carried by "
              + carrier.arrayType.getSimpleName()
              + ", not by "
              + array.getClass().getSimpleName());
    }
    int length = carrier.length(array);
    if (length % components != 0) {
      throw new IllegalArgumentException(
          name
              + " is carried by pairs of real and imaginary parts, not by an array of length "
              + length);
    }
    return length / components;
  }

  /**
   * Copies elements of an array to bytes, in bulk.
   *
   * @param source the array
   * @param from the first element
   * @param count how many elements
   * @param destination at least that many elements' bytes, in native byte order
   * @throws IndexOutOfBoundsException if the array does not have those elements
   * @throws IllegalArgumentException if the destination is in the other order or too short
   */
  void arrayToBytes(A source, long from, long count, ByteBuffer destination) {
    requireRange(from, count, arrayLength(source));
    requireRoom(destination, count);
    carrier.arrayToBytes(source, (int) from * components, (int) count * components, destination);
  }

  /**
   * Copies bytes to elements of an array, in bulk.
   *
   * @param source at least that many elements' bytes, in native byte order
   * @param destination the array
   * @param from the first element to be written
   * @param count how many elements
   * @throws IndexOutOfBoundsException if the array does not have those elements
   * @throws IllegalArgumentException if the source is in the other order or too short
   */
  void bytesToArray(ByteBuffer source, A destination, long from, long count) {
    requireRange(from, count, arrayLength(destination));
    requireRoom(source, count);
    carrier.bytesToArray(source, destination, (int) from * components, (int) count * components);
  }

  /**
   * Refuses any dtype but this one.
   *
   * @param given the dtype that a caller gave
   * @param holder what has this dtype, for the message
   * @throws IllegalArgumentException if they differ
   */
  void requireSame(DType<?, ?> given, Object holder) {
    checkNotNull(given, "dtype");
    if (given != this) {
      throw new IllegalArgumentException(
          holder + " has elements of " + name + ", not of " + given.name);
    }
  }

  /** The name, in NumPy's spelling. */
  @Override
  public String toString() {
    return name;
  }

  private T requireElement(T element) {
    checkNotNull(element, "element");
    if (!codec.type().isInstance(element)) {
      throw new IllegalArgumentException(
          "elements of "
              + name
              + " are "
              + codec.type().getSimpleName()
              + ", not "
              + element.getClass().getSimpleName()
              + " ("
              + element
              + ")");
    }
    return element;
  }

  Carrier<A> carrier() {
    return carrier;
  }

  void requireRange(long from, long count, long length) {
    if (from < 0 || count < 0 || from > length - count) {
      throw new IndexOutOfBoundsException(
          count + " elements of " + name + " from " + from + " on, of " + length);
    }
  }

  void requireRoom(ByteBuffer bytes, long elements) {
    if (!bytes.order().equals(ByteOrder.nativeOrder())) {
      throw new IllegalArgumentException(
          "bytes in " + bytes.order() + " order, native is " + ByteOrder.nativeOrder());
    }
    if (elements > bytes.remaining() / byteSize()) {
      throw new IllegalArgumentException(
          elements
              + " elements of "
              + name
              + ", "
              + byteSize()
              + " bytes each, and "
              + bytes.remaining()
              + " bytes remain");
    }
  }
}
