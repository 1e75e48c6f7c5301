import { goQuote } from '../goQuote.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const ZERO = 0x30
const NINE = 0x39

/**
 * Returns the offset of the first character of a string that needs a check: a quote, a backslash or a control
 * character. Returns the length of the text if there is none.
 */
export function contentEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || code === BACKSLASH || code < 0x20) return at
  }
  return text.length
}

/** Returns whether a character is white space in JSON. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d
}

/** Returns whether a character is a hex digit of any case. */
export function isHexDigit(code: number): boolean {
  const lower = code | 0x20
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x66)
}

/** Returns whether a character is a decimal digit. */
export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/**
 * Quotes a character in an error text as Go's `quoteChar` does: with single quotes and Go's string escapes.
 */
export function quoteCharacter(character: string): string {
  if (character === "'") return `'\\''`
  if (character === '"') return `'"'`
  return `'${goQuote(character).slice(1, -1)}'`
}

/** Decodes a JSON string in a Latin-1 text. Invalid UTF-8 and lone surrogates become U+FFFD. */
export function decodeString(latin1: string): string {
  return (JSON.parse(utf8(latin1)) as string).toWellFormed()
}

function utf8(latin1: string): string {
  return isPrintable(latin1) ? latin1 : Buffer.from(latin1, 'latin1').toString('utf8')
}

/** Returns whether a text needs no decoding from UTF-8. */
export function isPrintable(latin1: string): boolean {
  return !/[^\x20-\x7e]/.test(latin1)
}

/**
 * Removes white space from JSON text and escapes it as Go's encoder does. Strings are scanned character by
 * character, because a regular expression for a whole string overflows the stack on long strings.
 */
export function compact(latin1: string): string {
  const parts: string[] = []
  for (let at = 0; at < latin1.length; ) {
    const quote = latin1.indexOf('"', at)
    const end = quote < 0 ? latin1.length : quote
    parts.push(latin1.slice(at, end).replace(/[ \t\r\n]+/g, ''))
    at = quote < 0 ? end : stringEnd(latin1, quote)
    parts.push(latin1.slice(end, at))
  }
  let text = utf8(parts.join(''))
  // A function for each character would take ten times as long.
  for (const [character, escaped] of ESCAPED) text = text.replaceAll(character, escaped)
  return text
}

/** The characters that Go's encoder escapes in valid JSON. */
const ESCAPED = [...'<>&\u2028\u2029'].map(
  (character) => [character, `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`] as const,
)

/** Returns the end of the string that starts at `quote`. The string must be valid. */
function stringEnd(latin1: string, quote: number): number {
  let at = quote + 1
  while (latin1.charCodeAt(at) !== QUOTE) at += latin1.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at + 1
}
