import { ConformanceError } from '../ConformanceError.ts'
import * as Outcome from '../Outcome.ts'
import type * as Exchange from './Exchange.ts'
import * as JsonText from './JsonText.ts'
import * as Masking from './Masking.ts'

/** Result of comparing a response with the recorded response. */
export interface Comparison {
  readonly outcome: Outcome.Outcome
  /** Whether the responses are equal only because some members are masked. */
  readonly isMasked: boolean
  /** The masks that were needed: if one of them were missing, the responses would differ. */
  readonly used: ReadonlySet<Masking.Mask>
}

/** The rules for comparing two responses. */
export interface Rules {
  readonly masks: readonly Masking.Mask[]
  /**
   * Lowercase names of headers that are not compared, such as the date and properties of the connection.
   * `all` means that no headers were recorded.
   */
  readonly ignoredHeaders: readonly string[] | 'all'
  readonly facts: Masking.Facts
}

/**
 * Maximum body size in bytes of a response with a Content-Length. It is Go's buffer size; Go sends longer
 * responses chunked.
 */
const LONGEST_WITH_LENGTH = 2048
const NONE: ReadonlySet<Masking.Mask> = new Set()

function different(where: string, expected: unknown, actual: unknown): Comparison {
  return { outcome: Outcome.failed(where, expected, actual), isMasked: false, used: NONE }
}

function parsed(body: string): JsonText.JsonText | undefined {
  try {
    return JsonText.parse(body)
  } catch (error) {
    if (error instanceof ConformanceError) return undefined
    throw error
  }
}

/**
 * Returns the header values by lowercase name, without the ignored headers. The values of a repeated name are
 * joined in order.
 */
function headersOf(answer: Exchange.Answer, ignored: readonly string[]): Map<string, string> {
  const byName = new Map<string, string>()
  for (const [name, value] of answer.headers) {
    const key = name.toLowerCase()
    if (ignored.includes(key)) continue
    const values = byName.get(key)
    byName.set(key, values === undefined ? value : `${values} | ${value}`)
  }
  return byName
}

/** Adjusts the Content-Length or the chunking in recorded headers to a body with another length. */
function withLengthOf(headers: Map<string, string>, answer: Exchange.Answer): void {
  const length = Buffer.byteLength(answer.body)
  headers.delete('content-length')
  headers.delete('transfer-encoding')
  if (length > LONGEST_WITH_LENGTH) headers.set('transfer-encoding', 'chunked')
  else headers.set('content-length', String(length))
}

function compareHeaders(
  expected: Exchange.Answer,
  actual: Exchange.Answer,
  { ignoredHeaders }: Rules,
): Comparison | undefined {
  if (ignoredHeaders === 'all') return undefined
  const [recorded, found] = [headersOf(expected, ignoredHeaders), headersOf(actual, ignoredHeaders)]
  if (expected.body !== actual.body) withLengthOf(recorded, actual)
  for (const name of new Set([...recorded.keys(), ...found.keys()])) {
    if (recorded.get(name) !== found.get(name))
      return different(`header ${name}`, recorded.get(name), found.get(name))
  }
  return undefined
}

function compareBodies(exchange: Exchange.Exchange, actual: Exchange.Answer, rules: Rules): Comparison {
  const expected = exchange.answer.body
  const isEqual = expected === actual.body
  const [recorded, found] = [parsed(expected), parsed(actual.body)]
  const unmasked = { outcome: Outcome.PASSED, isMasked: false, used: NONE }
  if (recorded === undefined || found === undefined)
    return isEqual ? unmasked : different('body', expected, actual.body)
  if (isEqual) return unmasked
  const masks = rules.masks.filter((mask) => Masking.isFor(mask, exchange))
  const differenceBut = (some: readonly Masking.Mask[]) => {
    const [before, after] = [recorded, found].map((json) => Masking.apply(json, some, rules.facts))
    return JsonText.firstDifference(before as JsonText.JsonText, after as JsonText.JsonText)
  }
  const difference = differenceBut(masks)
  if (difference !== undefined) return different(difference.path, difference.expected, difference.actual)
  const needed = masks.filter((mask) => differenceBut(masks.filter((it) => it !== mask)) !== undefined)
  // White space between members and text after the value are compared as well.
  const rest = (body: string, json: JsonText.JsonText) => body.split(JsonText.format(json)).join('…')
  const [recordedRest, foundRest] = [rest(expected, recorded), rest(actual.body, found)]
  if (recordedRest !== foundRest) return different('white space of the body', recordedRest, foundRest)
  return { outcome: Outcome.PASSED, isMasked: true, used: new Set(needed) }
}

/** Compares the status, headers and body of a response with the recorded response, within the given rules. */
export function compare(exchange: Exchange.Exchange, actual: Exchange.Answer, rules: Rules): Comparison {
  const expected = exchange.answer
  if (expected.status !== actual.status) {
    return different('status', expected.status, `${actual.status}: ${actual.body.slice(0, 100)}`)
  }
  const bodies = compareBodies(exchange, actual, rules)
  if (bodies.outcome.status !== 'passed') return bodies
  return compareHeaders(expected, actual, rules) ?? bodies
}
