import { ClientError } from './ClientError.ts'

const NUMBERS = /-?\d[\d.eE+-]*/g
const LONG_INTEGER = /^-?\d{16,}$/

/**
 * Parses the body of a response; undefined if it is not JSON.
 * @throws ClientError `CLIENT_RESPONSE` for an integer that JavaScript cannot represent, instead of rounding it
 */
export function parseJson(text: string): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  const rounded = findRounded(text)
  if (rounded === undefined) return body
  throw new ClientError(
    'CLIENT_RESPONSE',
    `The response has the number ${rounded.slice(0, 100)}, which JavaScript would round. Read this operation with a parser of your own.`,
    { body: text.slice(0, 200) },
  )
}

/** Returns the first integer of a JSON text, outside its strings, that JavaScript would round. */
function findRounded(text: string): string | undefined {
  for (let at = 0; ; ) {
    const opening = text.indexOf('"', at)
    const plain = text.slice(at, opening < 0 ? undefined : opening)
    const rounded = plain.match(NUMBERS)?.find((token) => LONG_INTEGER.test(token) && !isExact(token))
    if (rounded !== undefined || opening < 0) return rounded
    at = endOfString(text, opening)
  }
}

/** Returns the position behind the closing quote. A regular expression would overflow its stack in a long string. */
function endOfString(text: string, opening: number): number {
  let closing = text.indexOf('"', opening + 1)
  while (isEscaped(text, closing)) closing = text.indexOf('"', closing + 1)
  return closing + 1
}

/** Returns whether the number of backslashes before a position is odd. */
function isEscaped(text: string, position: number): boolean {
  let start = position
  while (text[start - 1] === '\\') start -= 1
  return (position - start) % 2 === 1
}

/** Returns whether a number has the value of its text, or a service has written the text from such a number. */
function isExact(text: string): boolean {
  const number = Number(text)
  return String(number) === text || (Number.isFinite(number) && BigInt(number) === BigInt(text))
}
