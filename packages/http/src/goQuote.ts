const NAMED: Readonly<Record<string, string>> = {
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
/** Printable ASCII characters without quotes and backslashes. They are not changed. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/
const PRINTABLE = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u
/** Maximum length of a quoted text. The node quotes texts of any length, which costs a caller nothing and the server a lot. */
export const MAX_QUOTED = 65_536

/**
 * Returns a text as Go's `%q` prints it. A text that is longer than {@link MAX_QUOTED} is cut and ends with `…`.
 * @example
 * ```ts
 * import { goQuote } from '@firn/http'
 *
 * goQuote('a\tb') // "a\\tb" with its quotes
 * ```
 */
export function goQuote(text: string): string {
  if (text.length > MAX_QUOTED) return goQuote(`${text.slice(0, MAX_QUOTED - 1)}…`)
  if (PLAIN.test(text)) return `"${text}"`
  let quoted = ''
  for (const character of text) quoted += NAMED[character] ?? quoteRune(character)
  return `"${quoted}"`
}

function quoteRune(character: string): string {
  const code = character.codePointAt(0) as number
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`
  if (code < 0x7f || PRINTABLE.test(character)) return character
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}
