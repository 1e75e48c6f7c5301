import { CodecError, type CodecErrorCode } from '../CodecError.ts'

/** A cursor over untrusted bytes. Every length is checked against the remaining bytes. */
export interface Reader {
  readonly bytes: Uint8Array
  /**
   * View for reading 64-bit numbers, created when the first one is read. Many structures contain no 64-bit
   * number, and creating a DataView costs more than decoding the rest of a small structure.
   */
  view: DataView | undefined
  offset: number
  /** Union types that enclose the current position. None of them may be nested in itself. */
  readonly open: unknown[]
}

/**
 * What was being read when the bytes ended: a number, the length of a list or of bytes, the type id of a union, or a
 * string. Plain bytes have no name.
 */
export type Reading = 'u8' | 'u16' | 'u32' | 'u64' | 'length' | 'type id' | 'string'

/** Further properties of a {@link Fault}. */
export interface FaultOptions {
  readonly cause?: unknown
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * An error that stops decoding or encoding. The public functions of the codec convert it to a CodecError with
 * its path. It has no stack trace, so it is cheap to throw.
 */
export class Fault {
  readonly code: CodecErrorCode
  readonly expectation: string
  readonly offset: number | undefined
  /** Field names and indices, from the innermost to the outermost. */
  readonly path: (string | number)[] = []
  readonly cause: unknown
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: CodecErrorCode, expectation: string, offset?: number, options: FaultOptions = {}) {
    this.code = code
    this.expectation = expectation
    this.offset = offset
    this.cause = options.cause
    this.details = options.details ?? {}
  }
}

/** Creates a reader at the first byte of `bytes`. */
export function create(bytes: Uint8Array): Reader {
  return { bytes, view: undefined, offset: 0, open: [] }
}

/** Advances by `count` bytes and returns the offset before advancing. `reading` is for the error. */
export function take(reader: Reader, count: number, reading?: Reading): number {
  const start = reader.offset
  const left = reader.bytes.length - start
  if (count > left) {
    const details = reading === undefined ? {} : { reading }
    throw new Fault('CODEC_TRUNCATED', `expected ${count} bytes, got ${left}`, start, { details })
  }
  reader.offset = start + count
  return start
}

/** Reads a byte. */
export function readU8(reader: Reader): number {
  return reader.bytes[take(reader, 1, 'u8')] as number
}

/** Reads a big-endian u16. */
export function readU16(reader: Reader, reading: Reading = 'u16'): number {
  const at = take(reader, 2, reading)
  const { bytes } = reader
  return ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
}

/** Reads a big-endian u32. */
export function readU32(reader: Reader, reading: Reading = 'u32'): number {
  const at = take(reader, 4, reading)
  const { bytes } = reader
  const high = ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
  return high * 0x1_0000 + (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number))
}

/** Returns the DataView over the reader's bytes, and creates it at the first call. */
export function viewOf(reader: Reader): DataView {
  const { bytes } = reader
  reader.view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return reader.view
}

/**
 * Prepends a field name or index to the path of a fault. A CodecError from a string inside a structure
 * becomes a fault at that place.
 */
export function at(error: unknown, place: string | number): unknown {
  const fault =
    error instanceof CodecError ? new Fault(error.code, error.message, undefined, { cause: error }) : error
  if (fault instanceof Fault) fault.path.push(place)
  return fault
}

/** Formats the field path of a fault from the outermost to the innermost field: `outputs[3].amount`. */
export function formatPath(path: readonly (string | number)[]): string {
  let text = ''
  for (const place of path.toReversed()) {
    if (typeof place === 'number') text += `[${place}]`
    else text += text === '' ? place : `.${place}`
  }
  return text
}
