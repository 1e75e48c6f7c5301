/**
 * Matches printable ASCII without characters to escape. Nearly all strings match, and this test is cheaper
 * than escaping.
 */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/

/** Collects JSON as a string. Appending to one string is cheaper than joining parts at each level. */
export class JsonPrinter {
  #text = ''

  /** Appends a token of ASCII characters, for example `{` or a number. */
  token(text: string): void {
    this.#text += text
  }

  /** Appends a safe integer. */
  integer(value: number): void {
    this.#text += value
  }

  /** Appends text in quotes. `quote` quotes text with characters that are not plain ASCII. */
  string(text: string, quote: (text: string) => string): void {
    this.#text += PLAIN.test(text) ? `"${text}"` : quote(text)
  }

  /** Returns the JSON as text, and ends the use of this printer. */
  text(): string {
    return this.#text
  }

  /** Returns the JSON as UTF-8, and ends the use of this printer. */
  bytes(): Uint8Array {
    return new TextEncoder().encode(this.#text)
  }
}
