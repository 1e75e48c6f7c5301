import { Address, CheckedHex, type FirnError, Hex, Id, type Json, NodeId } from '@firn/codec'
import type { AddressParts, Height, Shape } from '../Layout.ts'
import { define, mismatch, NumberToken, type Schema } from './schema.ts'

export type { AddressParts, Encoding, Height } from '../Layout.ts'

// The schemas are marked as pure, so that bundlers leave out those that a program doesn't use.

const U64_MAX = 0xffffffffffffffffn
/** Converting a long text takes more than linear time. */
const U64_DIGITS = 20
const CANONICAL = /^(?:0|[1-9][0-9]*)$/
const DIGITS = /^[0-9]+$/

/**
 * Returns the schema of a bounded integer that is written as a decimal string. `accept` also allows a bare
 * number and leading zeros.
 */
function decimal<T extends number | bigint>(
  name: 'u64' | 'u32' | 'u16' | 'u8',
  max: bigint,
  convert: (value: bigint) => T,
): Schema<T> {
  const read = (json: unknown, path: string, text: string | undefined, pattern: RegExp): T => {
    if (text === undefined || text.length > 40 || !pattern.test(text))
      throw mismatch(`a ${name} as a decimal string`, json, path)
    const value = BigInt(text)
    if (value > max) throw mismatch(`a ${name} of at most ${max}`, json, path)
    return convert(value)
  }
  return define<T>({
    shape: { kind: name },
    parse: (json, path) => read(json, path, typeof json === 'string' ? json : undefined, CANONICAL),
    accept: (json, path) => read(json, path, typeof json === 'string' ? json : numberText(json), DIGITS),
    format: (value, path) => {
      if (!isIntegerUpTo(value, max)) throw mismatch(`a ${name}`, value, path)
      return value.toString()
    },
    zero: () => convert(0n),
  })
}

function isIntegerUpTo(value: number | bigint, max: bigint): boolean {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return false
  return value >= 0 && BigInt(value) <= max
}

function numberText(json: unknown): string | undefined {
  if (json instanceof NumberToken) return json.text
  return typeof json === 'number' || typeof json === 'bigint' ? json.toString() : undefined
}

/** u64 as a decimal string: `"18446744073709551615"` ↔ bigint. */
export const u64: Schema<bigint> = /* @__PURE__ */ decimal('u64', U64_MAX, (value) => value)
/** u32 as a decimal string: `"12345"` ↔ number. */
export const u32: Schema<number> = /* @__PURE__ */ decimal('u32', 0xffffffffn, Number)
/** u16 as a decimal string ↔ number. */
export const u16: Schema<number> = /* @__PURE__ */ decimal('u16', 0xffffn, Number)
/** u8 as a decimal string ↔ number. */
export const u8: Schema<number> = /* @__PURE__ */ decimal('u8', 0xffn, Number)

/** A string that contains a number with exactly four decimals, such as `"98.1250"` ↔ number. */
export const fixed4: Schema<number> = /* @__PURE__ */ define({
  shape: { kind: 'fixed4' },
  parse: (json, path) => {
    if (typeof json !== 'string' || !/^-?[0-9]+\.[0-9]{4}$/.test(json))
      throw mismatch('a string with a number that has four decimals', json, path)
    return Number(json)
  },
  format: (value) => (isTie(value) ? evenTie(value) : value).toFixed(4),
  zero: () => 0,
})

/**
 * Returns whether a value lies exactly halfway between two numbers with four decimals. Such values are the odd
 * multiples of 1/32. Go rounds them to the even neighbour, and JavaScript to the greater one.
 */
function isTie(value: number): boolean {
  return Math.abs(value * 32) % 2 === 1
}

function evenTie(value: number): number {
  const below = Math.floor(value * 10_000)
  return (below % 2 === 0 ? below : below + 1) / 10_000
}

/** A JSON integer up to 2^53 − 1 ↔ number. */
export const integer: Schema<number> = /* @__PURE__ */ define({
  shape: { kind: 'integer' },
  parse: (json, path) => {
    const value = json instanceof NumberToken && CANONICAL.test(json.text) ? Number(json.text) : json
    if (!Number.isSafeInteger(value)) throw mismatch('an integer', json, path)
    return value as number
  },
  format: (value, path) => {
    if (!Number.isSafeInteger(value)) throw mismatch('an integer', value, path)
    return value
  },
  zero: () => 0,
})

/** An unquoted JSON integer of up to 64 bits ↔ bigint. */
export const bigInteger: Schema<bigint> = /* @__PURE__ */ define({
  shape: { kind: 'bigInteger' },
  parse: (json, path) => {
    const text = numberText(json)
    if (text === undefined || text.length > U64_DIGITS || !CANONICAL.test(text) || BigInt(text) > U64_MAX)
      throw mismatch('a u64 number', json, path)
    return BigInt(text)
  },
  format: (value) => value,
  zero: () => 0n,
})

/** Any string. */
export const string: Schema<string> = /* @__PURE__ */ define({
  shape: { kind: 'string' },
  parse: (json, path) => {
    if (typeof json !== 'string') throw mismatch('a string', json, path)
    return json
  },
  format: (value) => value,
  zero: () => '',
})

/** A boolean. */
export const boolean: Schema<boolean> = /* @__PURE__ */ define({
  shape: { kind: 'boolean' },
  parse: (json, path) => {
    if (typeof json !== 'boolean') throw mismatch('true or false', json, path)
    return json
  },
  format: (value) => value,
  zero: () => false,
})

/** Any JSON, returned as parsed. Numbers beyond 2^53 are bigint. */
export const json: Schema<Json.Json> = /* @__PURE__ */ define({
  shape: { kind: 'json' },
  parse: (value, path) => {
    if (value === undefined) throw mismatch('a JSON value', value, path)
    return value as Json.Json
  },
  format: (value) => value,
  zero: () => null,
})

const TIME =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})$/

/**
 * An RFC 3339 time with up to nine decimals. The value is the unchanged string, so that the node's time zone
 * and precision are kept. `Date.parse` can parse it.
 */
export const time: Schema<string> = /* @__PURE__ */ define({
  shape: { kind: 'time' },
  parse: (json, path) => {
    if (typeof json !== 'string' || !TIME.test(json)) throw mismatch('an RFC 3339 time', json, path)
    return json
  },
  format: (value) => value,
  zero: () => '0001-01-01T00:00:00Z',
})

/**
 * Returns the schema of a string that encodes a value. If the codec throws, the error becomes `RPC_SCHEMA`
 * with the path of the value.
 */
function text<T>(
  shape: Shape,
  name: string,
  read: (text: string) => T,
  write: (value: T) => string,
  zero: () => T,
): Schema<T> {
  return define({
    shape,
    parse: (json, path) => {
      if (typeof json !== 'string') throw mismatch(name, json, path)
      try {
        return read(json)
      } catch (cause) {
        throw Object.assign(mismatch(`${name} (${(cause as FirnError).message})`, json, path), { cause })
      }
    },
    format: (value, path) => {
      try {
        return write(value)
      } catch (cause) {
        throw Object.assign(mismatch(`${name} (${(cause as FirnError).message})`, value, path), { cause })
      }
    },
    zero,
  })
}

/** A cb58 id ↔ 32 bytes. A missing argument gives the zero id. */
export const id: Schema<Uint8Array> = /* @__PURE__ */ text(
  { kind: 'id' },
  'a cb58 id',
  (value) => Id.parse(value),
  (value) => Id.format(value),
  () => new Uint8Array(32),
)

/** `NodeID-…` ↔ 20 bytes. */
export const nodeId: Schema<Uint8Array> = /* @__PURE__ */ text(
  { kind: 'nodeId' },
  'a NodeID',
  (value) => NodeId.parse(value),
  (value) => NodeId.format(value),
  () => new Uint8Array(20),
)

/**
 * Returns the schema of `0x` followed by lowercase hex without a checksum ↔ bytes. `length` fixes the number
 * of bytes.
 * @example
 * ```ts
 * import { Schema } from '@firn/rpc'
 *
 * Schema.hex(2).parse('0x0102') // the bytes 1 and 2
 * ```
 */
export function hex(length?: number): Schema<Uint8Array> {
  const sized = (bytes: Uint8Array, path: string): Uint8Array => {
    if (length !== undefined && bytes.length !== length)
      throw mismatch(`${length} bytes`, Hex.encode(bytes), path)
    return bytes
  }
  const any = text(
    { kind: 'hex', length },
    '0x-hex',
    Hex.decode,
    Hex.encode,
    () => new Uint8Array(length ?? 0),
  )
  return {
    shape: any.shape,
    parse: (json, path = '$') => sized(any.parse(json, path), path),
    accept: (json, path = '$') => sized(any.accept(json, path), path),
    format: (value, path = '$') => any.format(sized(value, path), path),
  }
}

/** `0x` followed by hex that ends with a checksum of four bytes ↔ bytes. */
export const checkedHex: Schema<Uint8Array> = /* @__PURE__ */ text(
  { kind: 'checkedHex' },
  'hex with 0x and a checksum',
  (value) => CheckedHex.decode(value),
  (value) => CheckedHex.encode(value),
  () => new Uint8Array(0),
)

/** An address such as `P-avax1…` ↔ chain alias, human-readable part and 20 bytes. */
export const address: Schema<AddressParts> = /* @__PURE__ */ text(
  { kind: 'address' },
  'a bech32 address',
  (value) => Address.parse(value),
  (value) => Address.format(value),
  () => ({
    chain: '',
    hrp: '',
    payload: new Uint8Array(20),
  }),
)

/**
 * Returns the schema of a string that is one of the given words.
 * @example
 * ```ts
 * import { Schema } from '@firn/rpc'
 *
 * Schema.oneOf('hex', 'json').parse('hex') // 'hex'
 * ```
 */
export function oneOf<const W extends string>(...words: readonly [W, ...W[]]): Schema<W> {
  const expected = `one of ${words.join(', ')}`
  return define<W>({
    shape: { kind: 'oneOf', words },
    parse: (json, path) => {
      if (!words.includes(json as W)) throw mismatch(expected, json, path)
      return json as W
    },
    format: (value, path) => {
      if (!words.includes(value)) throw mismatch(expected, value, path)
      return value
    },
    zero: () => words[0],
  })
}

/**
 * A P-chain height as a decimal string, or `"proposed"` ↔ bigint or 'proposed'. The node represents "proposed" as
 * 2^64 − 1 internally, so `accept` rejects that number.
 */
export const height: Schema<Height> = /* @__PURE__ */ define<Height>({
  shape: { kind: 'height' },
  parse: (json, path) => (json === 'proposed' ? 'proposed' : u64.parse(json, path)),
  accept: (json, path) => {
    const value = json === 'proposed' ? 'proposed' : u64.accept(json, path)
    if (value === U64_MAX) throw mismatch('a height below 2^64 - 1', json, path)
    return value
  },
  format: (value, path) => (value === 'proposed' ? value : u64.format(value, path)),
  zero: () => 0n,
})
