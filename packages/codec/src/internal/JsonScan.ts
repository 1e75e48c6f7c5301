import { codeUnits } from '#text'
import { CodecError } from '../CodecError.ts'

/** Bounds of a JSON text. */
export interface JsonLimits {
  /** Levels of nested arrays and objects. */
  readonly depth: number
  /** Values, including arrays, objects and everything in them. */
  readonly values: number
  /** Members of all objects together. */
  readonly keys: number
  /** Characters of a number, with its sign and exponent. */
  readonly digits: number
  /** Characters of a string as it is written, with escapes but without its quotes. */
  readonly length: number
}

/** Integers to find: all, only those that a `number` cannot hold, or none. */
export type WantedIntegers = 'all' | 'unsafe' | 'none'

const EXPECTED: Readonly<Record<keyof JsonLimits, readonly [before: string, after: string]>> = {
  depth: ['JSON of at most', 'nesting levels'],
  values: ['JSON of at most', 'values'],
  keys: ['JSON of at most', 'object members'],
  digits: ['a number of at most', 'characters'],
  length: ['a string of at most', 'characters'],
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const ZERO = 0x30
const NINE = 0x39
const MINUS = 0x2d
const PLUS = 0x2b
const POINT = 0x2e
const SMALL_E = 0x65
const CAPITAL_E = 0x45
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
const CLOSE_LIST = 0x5d
const CLOSE_OBJECT = 0x7d
/** First letters of `true`, `false` and `null`, which have none of the other first letters. */
const TRUE = 0x74
const FALSE = 0x66
const NULL = 0x6e

/** Integers with fewer digits are safe. */
const UNSAFE_DIGITS = 16
const INTEGER = /^-?(?:0|[1-9]\d*)$/
const REST_OF_NUMBER = /[-+.\deE]*/y

/** From this length on, the platform's search finds the end of a string faster than a loop. */
const LONG_STRING = 128
const WINDOW = 16_384
/** The part of the text that is being scanned. A scan calls nothing that could start another one. */
const units = new Uint16Array(WINDOW)

/**
 * Checks the bounds of a JSON text in one pass, and finds its integers. The syntax is not checked: a text that is not
 * JSON gives some result, and must be refused by the parser.
 */
export class JsonScan {
  /** Start and end offset of each found integer. */
  readonly #integers: number[] = []
  readonly #text: string
  readonly #limits: JsonLimits
  readonly #wanted: WantedIntegers
  #depth = 0
  #values = 0
  #keys = 0
  /** Offset of the last string. */
  #string = 0
  #inString = false
  /** Offsets of the first quote and the first backslash behind an offset that was searched before. */
  #quote = 0
  #backslash = 0

  constructor(text: string, limits: JsonLimits, integers: WantedIntegers) {
    this.#text = text
    this.#limits = limits
    this.#wanted = integers
  }

  /**
   * Returns the start and the end offset of each of the integers, one after the other.
   * @throws CodecError `CODEC_JSON` with the bound that the text exceeds
   */
  run(): readonly number[] {
    for (let start = 0; start < this.#text.length; )
      start = this.#scan(start, codeUnits(this.#text, start, units))
    return this.#integers
  }

  /** Scans the tokens that start in the window of `size` units from `start` on. Returns the offset of the next one. */
  #scan(start: number, size: number): number {
    const window = units
    let at = this.#inString ? this.#endOfString(start, 0, size) : 0
    while (at < size) {
      const code = window[at] as number
      if (code <= NINE) {
        if (code === COMMA) at++
        else if (code === QUOTE) {
          this.#string = start + at
          this.#value(start + at)
          at = this.#endOfString(start, at + 1, size)
        } else if (code >= MINUS) at = this.#endOfNumber(start, at, size)
        else at++
      } else {
        if (code === COLON) this.#colon(start + at)
        else if (code === OPEN_LIST || code === OPEN_OBJECT) this.#open(start + at)
        else if (code === CLOSE_LIST || code === CLOSE_OBJECT) this.#depth--
        else if (code === TRUE || code === FALSE || code === NULL) this.#value(start + at)
        at++
      }
    }
    return start + at
  }

  #value(at: number): void {
    if (++this.#values > this.#limits.values) throw this.#refuse('values', at)
  }

  /** The last string was the key of a member, and not a value. */
  #colon(at: number): void {
    this.#values--
    if (++this.#keys > this.#limits.keys) throw this.#refuse('keys', at)
  }

  #open(at: number): void {
    this.#value(at)
    if (++this.#depth > this.#limits.depth) throw this.#refuse('depth', at)
  }

  /**
   * Scans the content of a string in the window that starts at `start`, from `from` on. Returns the offset behind the
   * string, or the offset of the rest of the string if this is in a later window.
   */
  #endOfString(start: number, from: number, size: number): number {
    const window = units
    let at = from
    while (at < size) {
      let hasEscape = false
      for (const loopEnd = Math.min(at + LONG_STRING, size); at < loopEnd; at++) {
        const code = window[at] as number
        if (code === BACKSLASH) {
          hasEscape = true
          at++
        } else if (code === QUOTE) return this.#close(start, at)
      }
      if (!hasEscape) at = this.#nextMark(start + at) - start
    }
    this.#inString = true
    return at
  }

  #close(start: number, at: number): number {
    this.#inString = false
    if (start + at - this.#string > this.#limits.length + 1) throw this.#refuse('length', this.#string)
    return at + 1
  }

  /** Returns the offset of the first quote or backslash from `from` on. `from` never decreases. */
  #nextMark(from: number): number {
    if (this.#quote < from) this.#quote = indexOrEnd(this.#text, '"', from)
    if (this.#backslash < from) this.#backslash = indexOrEnd(this.#text, '\\', from)
    return Math.max(from, Math.min(this.#quote, this.#backslash))
  }

  #endOfNumber(start: number, from: number, size: number): number {
    this.#value(start + from)
    const window = units
    let isInteger = true
    let end = from + 1
    for (; end < size; end++) {
      const code = window[end] as number
      if (code >= ZERO && code <= NINE) continue
      if (code !== POINT && code !== SMALL_E && code !== CAPITAL_E && code !== PLUS && code !== MINUS) break
      isInteger = false
    }
    if (end === size) {
      REST_OF_NUMBER.lastIndex = start + end
      REST_OF_NUMBER.test(this.#text)
      end = REST_OF_NUMBER.lastIndex - start
    }
    if (end - from > this.#limits.digits) throw this.#refuse('digits', start + from)
    if (isInteger && (end - from >= UNSAFE_DIGITS || this.#wanted === 'all'))
      this.#integer(start + from, start + end)
    return end
  }

  #integer(start: number, end: number): void {
    if (this.#wanted === 'none') return
    const text = this.#text.slice(start, end)
    if (!INTEGER.test(text) || text === '-0') return
    if (this.#wanted !== 'all' && Number.isSafeInteger(Number(text))) return
    this.#integers.push(start, end)
  }

  #refuse(bound: keyof JsonLimits, at: number): CodecError {
    const [before, after] = EXPECTED[bound]
    const limit = this.#limits[bound]
    return new CodecError(
      'CODEC_JSON',
      `expected ${before} ${limit} ${after}, got more (at character ${at})`,
      {
        details: { bound, limit, at },
      },
    )
  }
}

function indexOrEnd(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from)
  return at < 0 ? text.length : at
}
