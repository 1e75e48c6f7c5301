/** A request's id, and the rest of its text. */
export interface SplitRequest {
  /** The id as JSON: a number, or a string without escapes. */
  readonly id: string
  /** The text around the id. A NUL, which never occurs in JSON, replaces the id. */
  readonly key: string
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const STRING = /^"[\x20\x21\x23-\x25\x27-\x3b\x3d\x3f-\x5b\x5d-\x7e]*"$/
/** Maximum length in bytes of a request that is split. Longer requests are rare and rarely repeated. */
const MAX_LENGTH = 8_192

const QUOTE = 0x22
const COLON = 0x3a
const COMMA = 0x2c

/**
 * Splits the text of a request at its id without a full parse. The caller must know from an earlier parse
 * that the rest is valid. Returns undefined if only the parser can handle the text: the id is missing,
 * unusual or duplicated, or the text contains escapes.
 */
export function splitAtId(body: Uint8Array): SplitRequest | undefined {
  if (body.length > MAX_LENGTH) return undefined
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
  if (text.charCodeAt(0) !== 0x7b || text.includes('\\')) return undefined
  const start = idStart(text)
  if (start === undefined) return undefined
  const end = tokenEnd(text, start)
  const id = text.slice(start, end)
  if (!NUMBER.test(id) && !STRING.test(id)) return undefined
  return { id, key: `${text.slice(0, start)}\0${text.slice(end)}` }
}

/**
 * Returns the offset of the value of the top-level member `id`, ignoring the case of the name. Returns
 * undefined unless there is exactly one.
 */
function idStart(text: string): number | undefined {
  let depth = 0
  let isKey = true
  let found: number | undefined
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const close = text.indexOf('"', at + 1)
      if (close < 0) return undefined
      if (depth === 1 && isKey && isId(text, at + 1, close)) {
        if (found !== undefined) return undefined
        found = valueStart(text, close + 1)
        if (found === undefined) return undefined
      }
      at = close
    } else if (isOpening(code)) depth += 1
    else if (isClosing(code)) {
      depth -= 1
      if (depth === 0) return found
    } else if (depth === 1 && (code === COLON || code === COMMA)) isKey = code === COMMA
  }
  return undefined
}

function isOpening(code: number): boolean {
  return code === 0x7b || code === 0x5b
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d
}

/** Returns whether the text between two offsets is `id`, ignoring the case. */
function isId(text: string, at: number, end: number): boolean {
  if (end !== at + 2) return false
  return (text.charCodeAt(at) | 0x20) === 0x69 && (text.charCodeAt(at + 1) | 0x20) === 0x64
}

function valueStart(text: string, from: number): number | undefined {
  let at = from
  while (isSpace(text.charCodeAt(at))) at += 1
  if (text.charCodeAt(at) !== COLON) return undefined
  at += 1
  while (isSpace(text.charCodeAt(at))) at += 1
  return at
}

function tokenEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === QUOTE) return text.indexOf('"', start + 1) + 1
  let at = start
  while (at < text.length && !isSpace(text.charCodeAt(at)) && !',}'.includes(text[at] as string)) at += 1
  return at
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
