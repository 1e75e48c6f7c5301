import { Json } from '@firn/codec'
import type { RawCase } from '../Case.ts'
import * as Case from '../Case.ts'
import { ConformanceError } from '../ConformanceError.ts'
import { callOf, type Exchange } from './Exchange.ts'
import * as JsonText from './JsonText.ts'

/** Where the chains stood; a chain that is not named stood at its genesis, or does not matter. */
export interface Heights {
  readonly P?: bigint
  readonly X?: bigint
  readonly C?: bigint
}

/** What a node said at one moment. */
export interface Moment {
  readonly heights: Heights
  /** Milliseconds since 1970. */
  readonly now: number
  readonly exchanges: readonly Exchange[]
}

/** The port of a network's first node; who was asked stands in no file of moments. */
const PORT = 9650

function refuse(message: string): ConformanceError {
  return new ConformanceError('CONFORMANCE_CASE', message)
}

/** A call as a file of moments has it: only the bodies, taken apart. */
function exchangeOf(raw: RawCase): Exchange {
  const it = Case.create(raw)
  const method = Case.text(it, 'method')
  const params = Case.given(it, 'params') as Json.Json
  const body = Json.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const request = {
    httpMethod: 'POST',
    path: Case.text(it, 'path'),
    headers: { 'Content-Type': 'application/json' },
    body,
  }
  const answer = {
    status: 200,
    headers: [],
    body: `${Json.stringify(Case.given(it, 'response') as Json.Json)}\n`,
  }
  const [field] = Case.unread(it)
  if (field !== undefined) throw refuse(`expected no field of the name ${field}`)
  return { name: `${method} ${Json.stringify(params)}`, port: PORT, ...callOf(request), request, answer }
}

function heightsOf(it: Case.Case): Heights {
  if (!Case.has(it, 'heightsBefore')) return { P: Case.bigint(it, 'height') }
  const [before, after] = [Case.record(it, 'heightsBefore'), Case.record(it, 'heightsAfter')]
  const heights = {
    P: Case.bigint(before, 'p'),
    X: Case.bigint(before, 'x'),
    C: BigInt(Case.number(before, 'c')),
  }
  Case.equals(after, 'p', heights.P)
  Case.equals(after, 'x', heights.X)
  Case.equals(after, 'c', Number(heights.C))
  for (const record of [before, after]) Case.close(record)
  return heights
}

/** The time of the last accepted block, for files that don't tell when they were made. */
function timeOfChain(exchanges: readonly Exchange[]): number {
  const said = exchanges.find(({ method }) => method === 'platform.getTimestamp')
  const result = said && JsonText.member(JsonText.parse(said.answer.body), 'result')
  const timestamp = JsonText.member(result, 'timestamp')
  if (timestamp?.kind !== 'literal') throw refuse('expected a time, or a call of platform.getTimestamp')
  return Date.parse(JSON.parse(timestamp.text) as string)
}

/** True when a file holds what a node said at one moment. */
export function isMoment(content: unknown): content is RawCase {
  return typeof content === 'object' && content !== null && Object.hasOwn(content, 'calls')
}

/**
 * The moment of a file.
 * @throws ConformanceError `CONFORMANCE_CASE` when a field is missing, of another form or unknown; `CONFORMANCE_DIFFERENCE` when
 * the chains moved while it was recorded
 */
export function fromFile(content: RawCase): Moment {
  const it = Case.create(content)
  const exchanges = (Case.list(it, 'calls') as readonly RawCase[]).map(exchangeOf)
  const heights = heightsOf(it)
  const now = Case.has(it, 'unixTime') ? Case.number(it, 'unixTime') * 1000 : timeOfChain(exchanges)
  if (Case.has(it, 'stable')) Case.equals(it, 'stable', true)
  Case.ignore(it, 'label')
  const [field] = Case.unread(it)
  if (field !== undefined) throw refuse(`expected no field of the name ${field}`)
  return { heights, now, exchanges }
}

/** The calls whose answers a line of `validators_at.jsonl` holds: all sets at a height, and each subnet's. */
export function setsFromLine(line: RawCase): Exchange[] {
  const it = Case.create(line)
  const height = Case.number(it, 'height')
  const call = (method: string, params: Json.Json, response: unknown) =>
    exchangeOf({ path: '/ext/bc/P', method, params, response })
  const bySubnet = Object.entries(Case.given(it, 'bySubnet') as Readonly<Record<string, unknown>>)
  const exchanges = [
    call('platform.getAllValidatorsAt', { height }, Case.given(it, 'all')),
    ...bySubnet.map(([subnetID, answer]) => call('platform.getValidatorsAt', { height, subnetID }, answer)),
  ]
  const [field] = Case.unread(it)
  if (field !== undefined) throw refuse(`expected no field of the name ${field}`)
  return exchanges
}
