import { IndexerError } from '../../IndexerError.ts'
import type { Answer, Call } from '../JsonRpc.ts'
import { refusal } from './refusals.ts'

type Members = Readonly<Record<string, unknown>>

/** The body of a request. Ids count from `firstId`. */
export function format(calls: readonly Call[], firstId: number): string {
  const all = calls.map(({ method, params }, i) => ({ jsonrpc: '2.0', id: firstId + i, method, params }))
  return JSON.stringify(all.length === 1 ? all[0] : all)
}

/**
 * The answers in what came back, in the order of the calls: each exactly once.
 * @throws IndexerError `INDEXER_RPC_MALFORMED`; `INDEXER_RPC_REFUSED`, `_LIMITED`, `_TOO_LARGE` of the request as a whole
 */
export function read(body: unknown, firstId: number, count: number, name: string): readonly Answer[] {
  const all = Array.isArray(body) ? body : [body]
  const found = new Array<Answer | undefined>(count).fill(undefined)
  for (const one of all) {
    if (!isMembers(one)) throw malformed(name, 'a JSON-RPC answer', typeof one)
    const place = placeOf(one['id'], firstId)
    // A refusal of the whole request has no id, or comes alone for several calls.
    if (isMembers(one['error']) && (place === undefined || (!Array.isArray(body) && count > 1)))
      throw refusal(one['error'], name)
    if (place === undefined || place < 0 || place >= count)
      throw malformed(name, `ids from ${firstId} to ${firstId + count - 1}`, `id ${String(one['id'])}`)
    if (found[place] !== undefined) throw malformed(name, 'each answer once', `id ${firstId + place} twice`)
    found[place] = answerOf(one, name)
  }
  const missing = found.indexOf(undefined)
  if (missing >= 0) throw malformed(name, `${count} answers`, `none with id ${firstId + missing}`)
  return found as readonly Answer[]
}

function answerOf(one: Members, name: string): Answer {
  if (isMembers(one['error'])) return { error: refusal(one['error'], name) }
  if (one['result'] === undefined) throw malformed(name, 'a result or an error', 'neither')
  return { result: one['result'] }
}

/** Some nodes answer a number with its text. */
function placeOf(id: unknown, firstId: number): number | undefined {
  if (typeof id !== 'number' && typeof id !== 'string') return undefined
  return Number.isInteger(Number(id)) ? Number(id) - firstId : undefined
}

/** An answer that is none. */
export function malformed(name: string, expected: string, actual: string): IndexerError {
  return new IndexerError('INDEXER_RPC_MALFORMED', `expected ${expected} from ${name}, got ${actual}`, {
    details: { upstream: name, expected, actual },
  })
}

/** True of what is an object and no list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
