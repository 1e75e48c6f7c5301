import { NumberToken } from './schema.ts'

/** A syntax error in the words of Go's decoder, which the node shows to its callers. */
export class GoJsonError {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A parsed value and where its text stands, so that it can be repeated byte for byte. */
export interface Parsed {
  readonly value: unknown
  /** Of the members of a top-level object: their text without white space outside strings. */
  readonly raw: ReadonlyMap<string, string>
}

/** Go's decoder goes down to 10,000; no request needs it, and the call stack here would not bear it. */
const MAX_DEPTH = 1_000
const SPACE = ' \t\r\n'

/** Reads the first JSON value of a text in which every character is one byte (Latin-1). */
class Reader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  first(): Parsed {
    this.#space()
    if (this.#at >= this.#text.length) throw new GoJsonError('EOF')
    const raw = new Map<string, string>()
    return { value: this.#value(raw), raw }
  }

  #space(): void {
    while (this.#at < this.#text.length && SPACE.includes(this.#text[this.#at] as string)) this.#at += 1
  }

  #peek(): string {
    const character = this.#text[this.#at]
    if (character === undefined) throw new GoJsonError('unexpected EOF')
    return character
  }

  #invalid(where: string): GoJsonError {
    return new GoJsonError(`invalid character ${quoteCharacter(this.#peek())} ${where}`)
  }

  #value(raw?: Map<string, string>): unknown {
    const character = this.#peek()
    if (character === '{') return this.#nested(() => this.#object(raw))
    if (character === '[') return this.#nested(() => this.#array())
    if (character === '"') return this.#string()
    if (character === '-' || isDigit(character)) return this.#number()
    if (character === 't') return this.#literal('true', true)
    if (character === 'f') return this.#literal('false', false)
    if (character === 'n') return this.#literal('null', null)
    throw this.#invalid('looking for beginning of value')
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new GoJsonError('exceeded max depth')
    this.#at += 1
    this.#space()
    const value = read()
    this.#depth -= 1
    return value
  }

  #object(raw?: Map<string, string>): Record<string, unknown> {
    const value: Record<string, unknown> = Object.create(null)
    if (this.#peek() === '}') return this.#close(value)
    for (;;) {
      if (this.#peek() !== '"') throw this.#invalid('looking for beginning of object key string')
      const name = this.#string()
      this.#space()
      if (this.#peek() !== ':') throw this.#invalid('after object key')
      this.#at += 1
      this.#space()
      const start = this.#at
      value[name] = this.#value()
      raw?.set(name, compact(this.#text.slice(start, this.#at)))
      this.#space()
      if (this.#peek() === '}') return this.#close(value)
      if (this.#peek() !== ',') throw this.#invalid('after object key:value pair')
      this.#at += 1
      this.#space()
    }
  }

  #array(): unknown[] {
    const value: unknown[] = []
    if (this.#peek() === ']') return this.#close(value)
    for (;;) {
      value.push(this.#value())
      this.#space()
      if (this.#peek() === ']') return this.#close(value)
      if (this.#peek() !== ',') throw this.#invalid('after array element')
      this.#at += 1
      this.#space()
    }
  }

  #close<T>(value: T): T {
    this.#at += 1
    return value
  }

  #string(): string {
    const start = this.#at
    this.#at += 1
    while (this.#peek() !== '"') {
      if ((this.#peek() as string) < ' ') throw this.#invalid('in string literal')
      if (this.#peek() === '\\') this.#escape()
      else this.#at += 1
    }
    this.#at += 1
    return decodeString(this.#text.slice(start, this.#at))
  }

  #escape(): void {
    this.#at += 1
    if (this.#peek() !== 'u') {
      if (!'"\\/bfnrt'.includes(this.#peek())) throw this.#invalid('in string escape code')
      this.#at += 1
      return
    }
    this.#at += 1
    for (let digit = 0; digit < 4; digit += 1) {
      if (!/[0-9a-fA-F]/.test(this.#peek())) throw this.#invalid('in \\u hexadecimal character escape')
      this.#at += 1
    }
  }

  #number(): NumberToken {
    const start = this.#at
    if (this.#peek() === '-') {
      this.#at += 1
      if (!isDigit(this.#peek())) throw this.#invalid('in numeric literal')
    }
    if (this.#peek() === '0') this.#at += 1
    else this.#digits()
    if (this.#text[this.#at] === '.') {
      this.#at += 1
      if (!isDigit(this.#peek())) throw this.#invalid('after decimal point in numeric literal')
      this.#digits()
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at += 1
      if (this.#peek() === '+' || this.#peek() === '-') this.#at += 1
      if (!isDigit(this.#peek())) throw this.#invalid('in exponent of numeric literal')
      this.#digits()
    }
    return new NumberToken(this.#text.slice(start, this.#at))
  }

  #digits(): void {
    while (isDigit(this.#text[this.#at])) this.#at += 1
  }

  #literal<T>(word: string, value: T): T {
    for (const expected of word) {
      if (this.#peek() !== expected) throw this.#invalid(`in literal ${word} (expecting '${expected}')`)
      this.#at += 1
    }
    return value
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}

/** Go's quoteChar: single quotes around a Go string escape. */
function quoteCharacter(character: string): string {
  if (character === "'") return `'\\''`
  if (character === '"') return `'"'`
  return `'${goQuote(character).slice(1, -1)}'`
}

/** Returns a text as Go's `%q` prints it. */
export function goQuote(text: string): string {
  const named: Readonly<Record<string, string>> = {
    '\x07': '\\a',
    '\b': '\\b',
    '\f': '\\f',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
    '\\': '\\\\',
    '"': '\\"',
  }
  let quoted = ''
  for (const character of text) {
    const code = character.codePointAt(0) as number
    if (named[character] !== undefined) quoted += named[character]
    else if (code < 0x20 || code === 0x7f) quoted += `\\x${code.toString(16).padStart(2, '0')}`
    else if (code < 0x7f || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)) quoted += character
    else
      quoted +=
        code > 0xffff
          ? `\\U${code.toString(16).padStart(8, '0')}`
          : `\\u${code.toString(16).padStart(4, '0')}`
  }
  return `"${quoted}"`
}

/** Returns the text of a JSON string whose bytes are Latin-1 characters; bad UTF-8 and lone surrogates become U+FFFD. */
function decodeString(latin1: string): string {
  return (JSON.parse(utf8(latin1)) as string).toWellFormed()
}

function utf8(latin1: string): string {
  return /^[\x20-\x7e]*$/.test(latin1) ? latin1 : Buffer.from(latin1, 'latin1').toString('utf8')
}

/** Go's encoder compacts what it repeats, and escapes in it as in all it writes. */
function compact(latin1: string): string {
  return utf8(latin1)
    .replace(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g, (_, quoted: string | undefined) => quoted ?? '')
    .replace(
      /[<>&\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
}

/** Returns the first JSON value of a body, numbers as {@link NumberToken}. @throws GoJsonError with Go's text */
export function parseFirst(body: Uint8Array): Parsed {
  return new Reader(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')).first()
}
