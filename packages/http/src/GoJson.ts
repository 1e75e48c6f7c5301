import { Schema } from '@firn/rpc'
import {
  compact,
  contentEnd,
  decodeString,
  isDigit,
  isHexDigit,
  isPrintable,
  isSpace,
  quoteCharacter,
} from './internal/goJsonText.ts'

const { NumberToken } = Schema

/** A syntax error with the text of Go's decoder, which the node returns to clients. */
export class GoJsonError {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A member of the outermost object. */
export interface Member {
  readonly name: string
  readonly value: unknown
  /**
   * Returns the JSON text of the value without white space outside strings, and with Go's escapes, so that it can be sent
   * again byte for byte.
   */
  readonly text: () => string
}

/** The first JSON value of a body. */
export interface Parsed {
  /** The value. Numbers are `NumberToken`s of `@firn/rpc`, which keep their texts. */
  readonly value: unknown
  /** The wanted members of the value, if it is an object, in their order, with those that have the same name. */
  readonly members: readonly Member[]
}

/** Maximum nesting depth of Go's decoder. */
export const MAX_DEPTH = 10_000
/**
 * Maximum number of JSON values in a body. Go's decoder has no such limit, but a body of empty objects takes
 * a hundred times its size in memory.
 */
const MAX_VALUES = 1_000_000
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const ZERO = 0x30
const MINUS = 0x2d
const PLUS = 0x2b
const POINT = 0x2e
const SMALL_E = 0x65
const CAPITAL_E = 0x45
const SMALL_U = 0x75
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
/** Characters that a backslash escapes, besides `u`. */
const ESCAPABLE = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)))

/** An object that inherits no members, like one of `Object.create(null)`, which would be ten times as slow to fill. */
class Members {
  [name: string]: unknown
}
Object.setPrototypeOf(Members.prototype, null)
Reflect.deleteProperty(Members.prototype, 'constructor')

/** Numbers of one digit. They are frequent, so their tokens share texts. */
const DIGITS = Array.from({ length: 10 }, (_, digit) => new NumberToken(String(digit)))

/** An array or object that is not complete yet. */
interface Open {
  readonly container: unknown[] | Record<string, unknown>
  /** The name of the current member; unused for an array. */
  name: string
  /** Offset of the current value in the text. */
  start: number
}

/** Returned instead of a value when an array or object is still open and its next value must be read. */
const OPENED = Symbol('opened')

/**
 * Reads the first JSON value of a text in which every character is one byte (Latin-1). Open containers are
 * kept in a list, because {@link MAX_DEPTH} levels would overflow the call stack.
 */
class Reader {
  readonly #text: string
  readonly #open: Open[] = []
  readonly #members: Member[] = []
  readonly #wanted: RegExp
  #at = 0
  #values = 0

  constructor(text: string, wanted: RegExp) {
    this.#text = text
    this.#wanted = wanted
  }

  first(): Parsed {
    this.#space()
    if (this.#at >= this.#text.length) throw new GoJsonError('EOF')
    const value = this.#value()
    return { value, members: this.#members }
  }

  #space(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1
  }

  #peek(): number {
    if (this.#at >= this.#text.length) throw new GoJsonError('unexpected EOF')
    return this.#text.charCodeAt(this.#at)
  }

  #invalid(where: string): GoJsonError {
    return new GoJsonError(`invalid character ${quoteCharacter(String.fromCharCode(this.#peek()))} ${where}`)
  }

  #value(): unknown {
    for (;;) {
      const value = this.#begin()
      if (value === OPENED) continue
      const whole = this.#finish(value)
      if (whole !== OPENED) return whole
    }
  }

  /** Reads a scalar, an empty container, or the start of a container up to its first value. */
  #begin(): unknown {
    this.#values += 1
    if (this.#values > MAX_VALUES)
      throw new GoJsonError(`the request has more than ${MAX_VALUES} JSON values`)
    const code = this.#peek()
    if (code === QUOTE) return this.#string()
    if (code === MINUS || isDigit(code)) return this.#number()
    if (code === OPEN_OBJECT)
      return this.#enter({ container: new Members(), name: '', start: 0 }, CLOSE_OBJECT)
    if (code === OPEN_LIST) return this.#enter({ container: [], name: '', start: 0 }, CLOSE_LIST)
    const character = this.#text[this.#at]
    if (character === 't') return this.#literal('true', true)
    if (character === 'f') return this.#literal('false', false)
    if (character === 'n') return this.#literal('null', null)
    throw this.#invalid('looking for beginning of value')
  }

  #enter(opened: Open, end: number): unknown {
    if (this.#open.length === MAX_DEPTH) throw this.#invalid('exceeded max depth')
    this.#at += 1
    this.#space()
    if (this.#peek() === end) {
      this.#at += 1
      return opened.container
    }
    this.#open.push(opened)
    if (end === CLOSE_OBJECT) this.#key(opened)
    return OPENED
  }

  /** Reads up to the value of the next member. */
  #key(object: Open): void {
    if (this.#peek() !== QUOTE) throw this.#invalid('looking for beginning of object key string')
    object.name = this.#string()
    this.#space()
    if (this.#peek() !== COLON) throw this.#invalid('after object key')
    this.#at += 1
    this.#space()
    object.start = this.#at
  }

  /**
   * Adds a value to its container, and closes the containers that end after it. Returns the outermost value
   * when it is complete.
   */
  #finish(value: unknown): unknown {
    let whole = value
    for (;;) {
      const open = this.#open.at(-1)
      if (open === undefined) return whole
      this.#put(open, whole)
      this.#space()
      if (!this.#isEnd(open)) return OPENED
      this.#open.pop()
      whole = open.container
    }
  }

  #put({ container, name, start }: Open, value: unknown): void {
    if (Array.isArray(container)) {
      container.push(value)
      return
    }
    container[name] = value
    if (this.#open.length > 1 || !this.#wanted.test(name)) return
    const end = this.#at
    this.#members.push({ name, value, text: () => compact(this.#text.slice(start, end)) })
  }

  /**
   * Reads what follows a value. Returns true at the end of the container; otherwise stops before the next
   * value.
   */
  #isEnd(open: Open): boolean {
    const isArray = Array.isArray(open.container)
    const code = this.#peek()
    if (code === (isArray ? CLOSE_LIST : CLOSE_OBJECT)) {
      this.#at += 1
      return true
    }
    if (code !== COMMA) throw this.#invalid(isArray ? 'after array element' : 'after object key:value pair')
    this.#at += 1
    this.#space()
    if (!isArray) this.#key(open)
    return false
  }

  #string(): string {
    const start = this.#at
    let isEscaped = false
    this.#at += 1
    for (;;) {
      this.#at = contentEnd(this.#text, this.#at)
      const code = this.#peek()
      if (code === QUOTE) break
      if (code !== BACKSLASH) throw this.#invalid('in string literal')
      isEscaped = true
      this.#escape()
    }
    this.#at += 1
    const content = isEscaped ? undefined : this.#text.slice(start + 1, this.#at - 1)
    // Most names and values are as they stand, and decoding a short text takes longer than reading it.
    if (content !== undefined && isPrintable(content)) return content
    return decodeString(this.#text.slice(start, this.#at))
  }

  #escape(): void {
    this.#at += 1
    const code = this.#peek()
    if (code !== SMALL_U) {
      if (!ESCAPABLE.has(code)) throw this.#invalid('in string escape code')
      this.#at += 1
      return
    }
    this.#at += 1
    for (let digit = 0; digit < 4; digit += 1) {
      if (!isHexDigit(this.#text.charCodeAt(this.#at)))
        throw this.#invalid('in \\u hexadecimal character escape')
      this.#at += 1
    }
  }

  #number(): Schema.NumberToken {
    const start = this.#at
    if (this.#peek() === MINUS) {
      this.#at += 1
      if (!isDigit(this.#peek())) throw this.#invalid('in numeric literal')
    }
    if (this.#peek() === ZERO) this.#at += 1
    else this.#digits()
    if (this.#text.charCodeAt(this.#at) === POINT) {
      this.#at += 1
      if (!isDigit(this.#peek())) throw this.#invalid('after decimal point in numeric literal')
      this.#digits()
    }
    const code = this.#text.charCodeAt(this.#at)
    if (code === SMALL_E || code === CAPITAL_E) {
      this.#at += 1
      if (this.#peek() === PLUS || this.#peek() === MINUS) this.#at += 1
      if (!isDigit(this.#peek())) throw this.#invalid('in exponent of numeric literal')
      this.#digits()
    }
    const isDigitOnly = this.#at === start + 1
    const known = isDigitOnly ? DIGITS[this.#text.charCodeAt(start) - ZERO] : undefined
    return known ?? new NumberToken(this.#text.slice(start, this.#at))
  }

  #digits(): void {
    const text = this.#text
    let at = this.#at
    while (at < text.length && isDigit(text.charCodeAt(at))) at += 1
    this.#at = at
  }

  #literal<T>(word: string, value: T): T {
    for (const expected of word) {
      if (this.#peek() !== expected.charCodeAt(0))
        throw this.#invalid(`in literal ${word} (expecting '${expected}')`)
      this.#at += 1
    }
    return value
  }
}

/** Matches no name. */
const NONE = /(?!)/

/**
 * Reads the first JSON value of a body as Go's `json.Decoder` does, and ignores everything after it.
 * @param wanted pattern of the names of the members that are returned in their order; none by default
 * @throws GoJsonError with Go's text
 * @example
 * ```ts
 * import { GoJson } from '@firn/http'
 *
 * const { members } = GoJson.parseFirst(new TextEncoder().encode('{"id": 1.0} rest'), /^id$/i)
 * members.map(({ name, text }) => [name, text()]) // [['id', '1.0']]
 * ```
 */
export function parseFirst(body: Uint8Array, wanted: RegExp = NONE): Parsed {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
  return new Reader(text, wanted).first()
}
