import { Hex } from '@firn/codec'
import type { Log } from './Block.ts'
import { arrayOf, type EventAbi, type Parameter } from './EventAbi.ts'

/**
 * A decoded value: a `bigint` for integers, text for `string` (with U+FFFD for invalid UTF-8), bytes for `address`,
 * `bytes` and `bytesN`, and an array for arrays and tuples. An indexed `string`, `bytes`, array or tuple is a hash
 * (32 bytes), because the topic contains no more.
 */
export type Value = bigint | boolean | string | Uint8Array | readonly Value[]

const WORD = 32
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Returns the values of an event's parameters in a log. Returns undefined if the log is not an event of this kind:
 * if its number of topics differs, its data are too short, or a value does not fit its type.
 * @param log a log whose topic 0 is the event's
 * @example
 * ```ts
 * import { type EventAbi, EventDecoder, type Log } from '@firn/evm'
 *
 * declare const event: EventAbi.EventAbi
 * declare const log: Log
 * const values = EventDecoder.decode(event, log)
 * ```
 */
export function decode(
  { inputs }: EventAbi,
  { topics, data }: Pick<Log, 'topics' | 'data'>,
): readonly Value[] | undefined {
  const indexed = inputs.filter((input) => input.indexed)
  if (topics.length !== indexed.length + 1) return undefined
  try {
    const reader: Reader = { data, left: data.length / WORD }
    const unindexed = readAll(
      reader,
      inputs.filter((input) => !input.indexed),
      0,
    )
    let [topic, word] = [1, 0]
    return inputs.map((input) =>
      input.indexed ? readTopic(input, topics[topic++] as Uint8Array) : (unindexed[word++] as Value),
    )
  } catch {
    return undefined
  }
}

/**
 * Returns whether only a hash of the value is a topic if the parameter is indexed.
 * @example
 * ```ts
 * import { EventDecoder } from '@firn/evm'
 *
 * EventDecoder.isHashed({ name: 'text', type: 'string' }) // true
 * ```
 */
export function isHashed({ type }: Parameter): boolean {
  return type === 'string' || type === 'bytes' || type === 'tuple' || arrayOf(type) !== undefined
}

/** Thrown while a log is decoded that does not fit. */
const MISFIT = Symbol('misfit')

interface Reader {
  readonly data: Uint8Array
  /**
   * Number of words that may still be read. Values whose offsets overlap could otherwise be expanded without limit.
   */
  left: number
}

function readTopic(input: Parameter, topic: Uint8Array): Value {
  return isHashed(input) ? topic : readWord(input.type, topic)
}

/** Reads values from the encoding of a tuple that starts at an offset. */
function readAll(reader: Reader, parameters: readonly Parameter[], start: number): readonly Value[] {
  let head = start
  return parameters.map((parameter) => {
    const at = isDynamic(parameter) ? start + lengthAt(reader, head) : head
    head += headSize(parameter)
    return read(reader, parameter, at)
  })
}

function read(reader: Reader, parameter: Parameter, at: number): Value {
  const { type, components = [] } = parameter
  const array = arrayOf(type)
  if (array !== undefined) {
    const element = { ...parameter, type: array.type }
    const length = array.length ?? lengthAt(reader, at)
    if (length * headSize(element) > reader.data.length) throw MISFIT
    return readAll(
      reader,
      new Array<Parameter>(length).fill(element),
      array.length === undefined ? at + WORD : at,
    )
  }
  if (type === 'tuple') return readAll(reader, components, at)
  if (type !== 'bytes' && type !== 'string') return readWord(type, wordAt(reader, at))
  const length = lengthAt(reader, at)
  const bytes = reader.data.slice(at + WORD, at + WORD + length)
  if (bytes.length < length) throw MISFIT
  return type === 'bytes' ? bytes : utf8.decode(bytes)
}

function readWord(type: string, word: Uint8Array): Value {
  const [, kind, size = ''] = /^([a-z]+)(\d*)$/.exec(type) ?? []
  if (kind === 'address') return zeros(word, 0, 12) && word.slice(12)
  if (kind === 'bytes') return zeros(word, Number(size), WORD) && word.slice(0, Number(size))
  const value = BigInt(Hex.encode(word))
  if (kind === 'bool') return value < 2n ? value === 1n : misfit()
  if (kind === 'uint') return value < 1n << BigInt(size) ? value : misfit()
  const signed = BigInt.asIntN(256, value)
  return BigInt.asIntN(Number(size), signed) === signed ? signed : misfit()
}

/** Checks that a part of a word is zero. */
function zeros(word: Uint8Array, from: number, to: number): true {
  return word.subarray(from, to).every((byte) => byte === 0) || misfit()
}

function misfit(): never {
  throw MISFIT
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

function wordAt(reader: Reader, at: number): Uint8Array {
  const word = reader.data.subarray(at, at + WORD)
  reader.left -= 1
  return word.length === WORD && reader.left >= 0 ? word : misfit()
}

/** Reads an offset or a length, which is below the size of the data. */
function lengthAt(reader: Reader, at: number): number {
  const value = BigInt(Hex.encode(wordAt(reader, at)))
  return value <= reader.data.length ? Number(value) : misfit()
}
