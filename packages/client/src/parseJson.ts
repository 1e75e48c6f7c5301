import { ClientError } from './ClientError.ts'

/** Strings, which are skipped, and numbers of a JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
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
  const rounded = text.match(TOKENS)?.find((token) => LONG_INTEGER.test(token) && !isExact(token))
  if (rounded === undefined) return body
  throw new ClientError(
    'CLIENT_RESPONSE',
    `The response has the number ${rounded.slice(0, 100)}, which JavaScript would round. Read this operation with a parser of your own.`,
    { body: text.slice(0, 200) },
  )
}

/** Returns whether a number has the value of its text, or a service has written the text from such a number. */
function isExact(text: string): boolean {
  const number = Number(text)
  return String(number) === text || (Number.isFinite(number) && BigInt(number) === BigInt(text))
}
