import { binaryByteas } from '../arrays.ts'

/** Header of PostgreSQL's binary COPY format: the signature, no flags and no extension. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
/** Field count that marks the end of the rows. */
const END = -1
const NULL = -1
/** Base of the digits of a numeric. */
const BASE = 10_000
/** Sign field of a negative numeric. */
const NEGATIVE = 0x4000
/**
 * Base of a chunk of three digits, each in base {@link BASE}. A chunk fits into a number, and dividing numbers is
 * faster than dividing bigints.
 */
const CHUNK = 1_000_000_000_000n
const CHUNK_DIGITS = 3
/** Maximum length of bytes that are copied one by one, which is faster than a call of the platform. */
const SHORT = 32

/** Writes one value of a column, prefixed with its length. */
export type Field = (rows: CopyRows, value: never) => void

/** Builds rows in PostgreSQL's binary COPY format. */
export class CopyRows {
  #bytes = Buffer.allocUnsafeSlow(1 << 16)
  #view = new DataView(this.#bytes.buffer)
  #length = HEADER.copy(this.#bytes)

  /** Returns all rows, followed by the end marker. */
  finish(): Uint8Array {
    this.i16(END)
    return this.#bytes.subarray(0, this.#length)
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length
  }

  /** Returns the bytes after an offset. The view is valid until the next write. */
  since(length: number): Uint8Array {
    return this.#bytes.subarray(length, this.#length)
  }

  /** Starts a row with the given number of fields. */
  row(fields: number): void {
    this.i16(fields)
  }

  null(): void {
    this.#i32(NULL)
  }

  bytea(value: Uint8Array): void {
    this.#i32(value.length)
    this.#reserve(value.length)
    if (value.length > SHORT) this.#bytes.set(value, this.#length)
    else for (let i = 0; i < value.length; i++) this.#bytes[this.#length + i] = value[i] as number
    this.#length += value.length
  }

  byteas(values: readonly Uint8Array[]): void {
    this.bytea(binaryByteas(values))
  }

  text(value: string): void {
    const size = Buffer.byteLength(value)
    this.#i32(size)
    this.#reserve(size)
    this.#bytes.write(value, this.#length)
    this.#length += size
  }

  bool(value: boolean): void {
    this.#i32(1)
    this.#reserve(1)
    this.#bytes[this.#length++] = value ? 1 : 0
  }

  int4(value: number): void {
    this.#i32(4)
    this.#i32(value)
  }

  int8(value: bigint): void {
    this.#i32(8)
    this.#reserve(8)
    this.#view.setBigInt64(this.#length, value)
    this.#length += 8
  }

  /** Writes an integer of any size as a numeric. */
  numeric(value: bigint): void {
    const count = readDigits(value < 0n ? -value : value)
    // Trailing zero digits are not stored, because the weight of the first digit implies them.
    let zeros = 0
    while (zeros < count && digits[zeros] === 0) zeros++
    const kept = count - zeros
    this.#reserve(12 + 2 * kept)
    const view = this.#view
    let at = this.#length
    view.setInt32(at, 8 + 2 * kept)
    view.setInt16(at + 4, kept)
    view.setInt16(at + 6, count === 0 ? 0 : count - 1)
    view.setInt16(at + 8, value < 0n ? NEGATIVE : 0)
    view.setInt16(at + 10, 0)
    at += 12
    for (let i = count - 1; i >= zeros; i--, at += 2) view.setInt16(at, digits[i] as number)
    this.#length = at
  }

  i16(value: number): void {
    this.#reserve(2)
    this.#view.setInt16(this.#length, value)
    this.#length += 2
  }

  #i32(value: number): void {
    this.#reserve(4)
    this.#view.setInt32(this.#length, value)
    this.#length += 4
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + count))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}

/** The base-10,000 digits of the last number that {@link readDigits} read, last digit first. */
const digits: number[] = []

/** Reads the base-10,000 digits of a number without leading zeros into {@link digits}. Returns their number. */
function readDigits(value: bigint): number {
  let count = 0
  let left = value
  let rest = Number(left)
  for (; rest > Number.MAX_SAFE_INTEGER; rest = Number(left)) {
    let chunk = Number(left % CHUNK)
    for (let i = 0; i < CHUNK_DIGITS; i++, chunk = Math.floor(chunk / BASE)) digits[count++] = chunk % BASE
    left /= CHUNK
  }
  for (; rest > 0; rest = Math.floor(rest / BASE)) digits[count++] = rest % BASE
  return count
}
