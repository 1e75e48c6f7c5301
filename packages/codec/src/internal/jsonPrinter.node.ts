/** Characters that are printed as they are. Nearly all text consists of them only. */
const PLAIN = new Uint8Array(128)
for (let code = 0x20; code < 0x7f; code++) PLAIN[code] = 1
for (const special of '"\\<>&') PLAIN[special.charCodeAt(0)] = 0

const ZERO = '0'.charCodeAt(0)
const MINUS = '-'.charCodeAt(0)
const BILLION = 1e9
const BILLION_DIGITS = 9
/** Maximum length of a safe integer in decimal digits, with its sign. */
const INTEGER_BYTES = 17
const QUOTE = '"'.charCodeAt(0)
const ENCODER = new TextEncoder()
/** Maximum length of a character in UTF-8, for each code unit of a string. */
const UTF8_BYTES = 3
const INITIAL_SIZE = 4_096
/** Larger buffers are not kept for the next printer. */
const KEPT_SIZE = 1_048_576

const { utf8Slice } = Buffer.prototype as Buffer & {
  utf8Slice(this: Uint8Array, start: number, end: number): string
}

let kept: Uint8Array | undefined

/** Returns the number of decimal digits of a non-negative integer. */
function digitsIn(value: number): number {
  let count = 1
  for (let above = 10; value >= above; above *= 10) count++
  return count
}

/** Collects JSON as UTF-8. Copying characters to bytes is cheaper than concatenating strings and encoding the result. */
export class JsonPrinter {
  #bytes: Uint8Array
  #length = 0

  constructor() {
    this.#bytes = kept ?? new Uint8Array(INITIAL_SIZE)
    // A getter of a printed object may create another printer.
    kept = undefined
  }

  /** Appends a token of ASCII characters, for example `{` or a number. */
  token(text: string): void {
    this.#reserve(text.length)
    for (let i = 0; i < text.length; i++) this.#bytes[this.#length++] = text.charCodeAt(i)
  }

  /** Appends a safe integer. Writing its digits is cheaper than formatting it and copying the text. */
  integer(value: number): void {
    this.#reserve(INTEGER_BYTES)
    const rest = Math.abs(value)
    if (value < 0) this.#bytes[this.#length++] = MINUS
    if (rest < BILLION) {
      this.#digits(rest, digitsIn(rest))
      return
    }
    const billions = Math.floor(rest / BILLION)
    this.#digits(billions, digitsIn(billions))
    this.#digits(rest % BILLION, BILLION_DIGITS)
  }

  /** Appends the last `count` decimal digits of a number below a billion. */
  #digits(value: number, count: number): void {
    let rest = value | 0
    for (let at = this.#length + count - 1; at >= this.#length; at--) {
      const left = (rest / 10) | 0
      this.#bytes[at] = ZERO + rest - 10 * left
      rest = left
    }
    this.#length += count
  }

  /** Appends text in quotes. `quote` quotes text with characters that are not plain ASCII. */
  string(text: string, quote: (text: string) => string): void {
    this.#reserve(text.length + 2)
    const bytes = this.#bytes
    let end = this.#length
    bytes[end++] = QUOTE
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (PLAIN[code] !== 1) {
        this.#utf8(quote(text))
        return
      }
      bytes[end++] = code
    }
    bytes[end++] = QUOTE
    this.#length = end
  }

  /** Returns the JSON as text, and ends the use of this printer. */
  text(): string {
    const text = utf8Slice.call(this.#bytes, 0, this.#length)
    this.#keep()
    return text
  }

  /** Returns the JSON as UTF-8, and ends the use of this printer. */
  bytes(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.#length)
    this.#keep()
    return bytes
  }

  #keep(): void {
    if (this.#bytes.length <= KEPT_SIZE) kept = this.#bytes
  }

  #utf8(text: string): void {
    this.#reserve(text.length * UTF8_BYTES)
    this.#length += ENCODER.encodeInto(text, this.#bytes.subarray(this.#length)).written
  }

  #reserve(count: number): void {
    const size = this.#length + count
    if (size <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(size, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
