import * as Bytes from '../Bytes.ts'
import { MAX_SLICE_LENGTH, readLength } from './ByteStrings.ts'
import { type Codec, create } from './Codec.ts'
import { at, Fault, type Reader } from './Reader.ts'
import { type Writer, writeU32 } from './Writer.ts'

/** An entry of a map. */
export interface Entry<K, V> {
  readonly key: K
  readonly value: V
}

/**
 * Creates a codec of a list of at most `max` items with a u32 count prefix.
 *
 * @example
 * ```ts
 * import { Codec, Hex } from '@firn/codec'
 *
 * const Indices = Codec.array(Codec.u32, { max: 10 })
 * Hex.encode(Indices.encode([1, 2])) // '0x000000020000000100000002'
 * ```
 */
export function array<T>(item: Codec<T>, options: { readonly max?: number } = {}): Codec<readonly T[]> {
  const max = options.max ?? MAX_SLICE_LENGTH
  const check = (values: readonly T[]): readonly T[] => {
    if (!Array.isArray(values)) throw new Fault('CODEC_VALUE', `expected an array, got ${typeof values}`)
    if (values.length > max)
      throw new Fault('CODEC_LENGTH', `expected at most ${max} items, got ${values.length}`)
    if (values.length > 0 && item.fixedSize === 0)
      throw new Fault('CODEC_LENGTH', 'expected no items, since each has 0 bytes')
    return values
  }
  return create({
    minSize: 4,
    fixedSize: undefined,
    size(values) {
      check(values)
      return 4 + (item.fixedSize === undefined ? sum(values, item) : item.fixedSize * values.length)
    },
    read: (reader) => readItems(reader, item, readCount(reader, max, item.minSize)),
    write(writer, values) {
      writeU32(writer, values.length)
      writeItems(writer, item, values)
    },
    json: (values, context) => mapItems(values, (value) => item.json(value, context)),
    unjson: (json, context) => check(mapItems(asArray(json), (value) => item.unjson(value, context))),
    arbitrary: (fc, open) =>
      fc.array(item.arbitrary(fc, open), { maxLength: item.fixedSize === 0 ? 0 : Math.min(max, 5) }),
  })
}

/**
 * Creates a codec of exactly `length` items, without a count prefix (Go's `[N]T`).
 *
 * @example
 * ```ts
 * import { Codec, Hex } from '@firn/codec'
 *
 * const Point = Codec.tuple(Codec.u16, 2)
 * Hex.encode(Point.encode([1, 2])) // '0x00010002'
 * ```
 */
export function tuple<T>(item: Codec<T>, length: number): Codec<readonly T[]> {
  const check = (values: readonly T[]): readonly T[] => {
    if (Array.isArray(values) && values.length === length) return values
    throw new Fault(
      'CODEC_VALUE',
      `expected ${length} items, got ${Array.isArray(values) ? values.length : typeof values}`,
    )
  }
  return create({
    minSize: item.minSize * length,
    fixedSize: item.fixedSize === undefined ? undefined : item.fixedSize * length,
    size: (values) => sum(check(values), item),
    read: (reader) => readItems(reader, item, length),
    write(writer, values) {
      writeItems(writer, item, check(values))
    },
    json: (values, context) => mapItems(values, (value) => item.json(value, context)),
    unjson: (json, context) => check(mapItems(asArray(json), (value) => item.unjson(value, context))),
    arbitrary: (fc, open) => fc.array(item.arbitrary(fc, open), { minLength: length, maxLength: length }),
  })
}

/**
 * Creates a codec of a map with a u32 count prefix. Keys must be strictly ascending by their encoded bytes.
 *
 * @example
 * ```ts
 * import { Codec, ShortId } from '@firn/codec'
 *
 * const Balances = Codec.map(Codec.shortId, Codec.u64)
 * const bytes = Balances.encode([{ key: ShortId.EMPTY, value: 1_000n }])
 * bytes.length // 32
 * ```
 */
export function map<K, V>(key: Codec<K>, value: Codec<V>): Codec<readonly Entry<K, V>[]> {
  return create({
    minSize: 4,
    fixedSize: undefined,
    size: (entries) => {
      const keys = entries.map((entry) => entry.key)
      const values = entries.map((entry) => entry.value)
      return 4 + sum(keys, key) + sum(values, value)
    },
    read: (reader) => readEntries(reader, key, value),
    write(writer, entries) {
      writeEntries(writer, key, value, entries)
    },
    json: (entries, context) =>
      entries.map((entry) => ({
        key: key.json(entry.key, context),
        value: value.json(entry.value, context),
      })),
    unjson: (json, context) =>
      mapItems(asArray(json), (entry) => {
        const { key: k, value: v } = asEntry(entry)
        return { key: key.unjson(k, context), value: value.unjson(v, context) }
      }),
    arbitrary: (fc, open) =>
      fc
        .uniqueArray(fc.record({ key: key.arbitrary(fc, open), value: value.arbitrary(fc, open) }), {
          maxLength: 5,
          selector: (entry) => key.encode(entry.key).join(),
        })
        .map((entries) => entries.toSorted((a, b) => Bytes.compare(key.encode(a.key), key.encode(b.key)))),
  })
}

function readEntries<K, V>(reader: Reader, key: Codec<K>, value: Codec<V>): Entry<K, V>[] {
  const count = readCount(reader, MAX_SLICE_LENGTH, key.minSize + value.minSize)
  const entries: Entry<K, V>[] = []
  let previous: Uint8Array | undefined
  for (let i = 0; i < count; i++) {
    const start = reader.offset
    const read = readEntry(reader, key, i)
    const encoded = reader.bytes.subarray(start, reader.offset)
    assertAscending(previous, encoded, i, start)
    previous = encoded
    entries.push({ key: read, value: value.read(reader) })
  }
  return entries
}

function writeEntries<K, V>(
  writer: Writer,
  key: Codec<K>,
  value: Codec<V>,
  entries: readonly Entry<K, V>[],
): void {
  writeU32(writer, entries.length)
  let previous: Uint8Array | undefined
  entries.forEach((entry, i) => {
    const start = writer.offset
    key.write(writer, entry.key)
    const encoded = writer.bytes.subarray(start, writer.offset)
    assertAscending(previous, encoded, i)
    previous = encoded
    value.write(writer, entry.value)
  })
}

/**
 * Reads a count of items. It may exceed what the remaining bytes can hold: like the node, decoding then fails at the
 * first item that is malformed or incomplete. No memory is allocated in advance.
 */
function readCount(reader: Reader, max: number, minSize: number): number {
  const count = readLength(reader, max)
  if (count === 0 || minSize > 0) return count
  const expectation = `expected no items, since each has 0 bytes, got ${count} items`
  throw new Fault('CODEC_LENGTH', expectation, reader.offset - 4)
}

function readItems<T>(reader: Reader, item: Codec<T>, count: number): T[] {
  const values: T[] = []
  let i = 0
  try {
    for (; i < count; i++) values.push(item.read(reader))
  } catch (error) {
    throw at(error, i)
  }
  return values
}

function readEntry<K>(reader: Reader, key: Codec<K>, index: number): K {
  try {
    return key.read(reader)
  } catch (error) {
    throw at(error, index)
  }
}

function writeItems<T>(writer: Writer, item: Codec<T>, values: readonly T[]): void {
  let i = 0
  try {
    for (; i < values.length; i++) item.write(writer, values[i] as T)
  } catch (error) {
    throw at(error, i)
  }
}

function sum<T>(values: readonly T[], item: Codec<T>): number {
  let size = 0
  let i = 0
  try {
    for (; i < values.length; i++) size += item.size(values[i] as T)
  } catch (error) {
    throw at(error, i)
  }
  return size
}

function mapItems<T, R>(values: readonly T[], work: (value: T) => R): R[] {
  const results: R[] = []
  try {
    for (const value of values) results.push(work(value))
  } catch (error) {
    throw at(error, results.length)
  }
  return results
}

function asArray(json: unknown): readonly never[] {
  if (json === null) return []
  if (!Array.isArray(json)) throw new Fault('CODEC_VALUE', `expected an array, got ${typeof json}`)
  return json as never[]
}

function asEntry(json: unknown): Entry<never, never> {
  if (typeof json === 'object' && json !== null && 'key' in json && 'value' in json)
    return json as Entry<never, never>
  throw new Fault('CODEC_VALUE', 'expected an object with the members key and value')
}

function assertAscending(
  previous: Uint8Array | undefined,
  next: Uint8Array,
  index: number,
  offset?: number,
): void {
  if (previous !== undefined && Bytes.compare(previous, next) >= 0) {
    throw new Fault('CODEC_ORDER', `expected key ${index} to be above the previous key`, offset)
  }
}
