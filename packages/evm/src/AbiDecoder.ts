import { Hex } from '@firn/codec'
import { arrayOf, type Parameter, placeOf } from './internal/abiParameters.ts'

/**
 * A decoded value: a `bigint` for integers, text for `string` (with U+FFFD for invalid UTF-8), bytes for `address`,
 * `function`, `bytes` and `bytesN`, and an array for arrays and tuples. An indexed `string`, `bytes`, array or tuple is a hash
 * (32 bytes), because the topic contains no more.
 */
export type Value = bigint | boolean | string | Uint8Array | readonly Value[]

/** Decoded values. */
export interface Decoded {
  readonly values: readonly Value[]
  /** Number of bytes after the last value, without its padding. Compilers write none. */
  readonly extraBytes: number
}

/** Why data cannot be decoded. */
export interface Undecodable {
  /** The reason in words, such as `parameter to: the value does not fit address`. */
  readonly reason: string
}

const WORD = 32
/** Size of a `function` in bytes: an address and a selector. */
const FUNCTION = 24
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Decodes the arguments of a call, or the data of an event, strictly: integers, addresses and fixed bytes must fit their
 * types. Time and memory are bounded by the size of the data, because values may not overlap in it. Returns the reason if
 * the data cannot be decoded.
 * @param parameters the parameters in order
 * @param data the bytes after the selector of a call, or the data of a log
 * @example
 * ```ts
 * import { AbiDecoder } from '@firn/evm'
 *
 * const decoded = AbiDecoder.decode([{ name: 'amount', type: 'uint256' }], new Uint8Array(32))
 * console.log('values' in decoded ? decoded.values : decoded.reason) // [ 0n ]
 * ```
 */
export function decode(parameters: readonly Parameter[], data: Uint8Array): Decoded | Undecodable {
  const reader: Reader = { data, left: data.length / WORD, end: 0 }
  let [place, head] = [0, 0]
  try {
    const values = parameters.map((parameter, i) => {
      place = i
      const value = readMember(reader, parameter, 0, head)
      head += headSize(parameter)
      return value
    })
    return { values, extraBytes: Math.max(0, data.length - Math.ceil(reader.end / WORD) * WORD) }
  } catch (error) {
    return { reason: `${placeOf(parameters[place], place)}: ${reasonOf(error)}` }
  }
}

/**
 * Decodes a value from one word, such as the topic of an indexed parameter. The type must be elementary, of at most 32
 * bytes.
 * @example
 * ```ts
 * import { AbiDecoder } from '@firn/evm'
 *
 * AbiDecoder.decodeWord('bool', new Uint8Array(32)) // { values: [false], extraBytes: 0 }
 * ```
 */
export function decodeWord(type: string, word: Uint8Array): Decoded | Undecodable {
  try {
    return { values: [readWord(type, word)], extraBytes: 0 }
  } catch (error) {
    return { reason: reasonOf(error) }
  }
}

/** Thrown while data are decoded that do not fit. */
class Misfit {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Misfit ? error.reason : 'the data cannot be read'
}

interface Reader {
  readonly data: Uint8Array
  /**
   * Number of words that may still be read. Values whose offsets overlap could otherwise be expanded without limit.
   */
  left: number
  /** End of the last part of the data that was read. */
  end: number
}

/** Reads a member of a tuple that starts at `start`, whose head is at `head`. */
function readMember(reader: Reader, parameter: Parameter, start: number, head: number): Value {
  return read(reader, parameter, isDynamic(parameter) ? start + lengthAt(reader, head, 'offset') : head)
}

/** Reads values from the encoding of a tuple that starts at an offset. */
function readAll(reader: Reader, parameters: readonly Parameter[], start: number): readonly Value[] {
  let head = start
  return parameters.map((parameter) => {
    const value = readMember(reader, parameter, start, head)
    head += headSize(parameter)
    return value
  })
}

function read(reader: Reader, parameter: Parameter, at: number): Value {
  const { type, components = [] } = parameter
  const array = arrayOf(type)
  if (array !== undefined) {
    const element = { ...parameter, type: array.type }
    const length = array.length ?? lengthAt(reader, at, 'length')
    if (length * headSize(element) > reader.data.length)
      throw new Misfit(`an array of ${length} elements does not fit in the data`)
    return readAll(
      reader,
      new Array<Parameter>(length).fill(element),
      array.length === undefined ? at + WORD : at,
    )
  }
  if (type === 'tuple') return readAll(reader, components, at)
  if (type !== 'bytes' && type !== 'string') return readWord(type, wordAt(reader, at))
  const length = lengthAt(reader, at, 'length')
  const bytes = take(reader, at + WORD, length).slice()
  return type === 'bytes' ? bytes : utf8.decode(bytes)
}

function readWord(type: string, word: Uint8Array): Value {
  const [, kind, size = ''] = /^([a-z]+)(\d*)$/.exec(type) ?? []
  const misfit = () => new Misfit(`the value does not fit ${type}`)
  const isZero = (from: number, to: number) => word.subarray(from, to).every((byte) => byte === 0)
  if (kind === 'address') {
    if (!isZero(0, 12)) throw misfit()
    return word.slice(12)
  }
  if (kind === 'bytes' || kind === 'function') {
    const length = kind === 'bytes' ? Number(size) : FUNCTION
    if (!isZero(length, WORD)) throw misfit()
    return word.slice(0, length)
  }
  const value = BigInt(Hex.encode(word))
  if (kind === 'bool' && value < 2n) return value === 1n
  if (kind === 'uint' && value < 1n << BigInt(size)) return value
  const signed = BigInt.asIntN(256, value)
  if (kind === 'int' && BigInt.asIntN(Number(size), signed) === signed) return signed
  throw misfit()
}

function isDynamic({ type, components = [], ...rest }: Parameter): boolean {
  const array = arrayOf(type)
  if (array === undefined) return type === 'bytes' || type === 'string' || components.some(isDynamic)
  return array.length === undefined || isDynamic({ ...rest, type: array.type, components })
}

/** Returns the number of bytes of a value, or of its offset, in the head of a tuple. */
function headSize(parameter: Parameter): number {
  if (isDynamic(parameter)) return WORD
  const { type, components = [] } = parameter
  const array = arrayOf(type)
  if (array !== undefined) return (array.length ?? 0) * headSize({ ...parameter, type: array.type })
  return type === 'tuple' ? components.reduce((sum, member) => sum + headSize(member), 0) : WORD
}

/** Returns a part of the data, and counts it as read. */
function take(reader: Reader, at: number, length: number): Uint8Array {
  const end = at + length
  if (end > reader.data.length) throw new Misfit('the data end before the end of the value')
  reader.left -= length / WORD
  if (reader.left < 0) throw new Misfit('values overlap in the data')
  reader.end = Math.max(reader.end, end)
  return reader.data.subarray(at, end)
}

function wordAt(reader: Reader, at: number): Uint8Array {
  return take(reader, at, WORD)
}

/** Reads an offset or a length, which is at most the size of the data. */
function lengthAt(reader: Reader, at: number, what: 'offset' | 'length'): number {
  const value = BigInt(Hex.encode(wordAt(reader, at)))
  if (value > reader.data.length) throw new Misfit(`the ${what} is beyond the end of the data`)
  return Number(value)
}
