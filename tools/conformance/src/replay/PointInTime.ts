import { Json } from '@firn/codec'
import type { RawCase } from '../Case.ts'
import * as Case from '../Case.ts'
import { ConformanceError } from '../ConformanceError.ts'
import { callOf, type Exchange } from './Exchange.ts'
import * as JsonText from './JsonText.ts'

/** Heights of the chains. A missing chain was at its genesis, or its height is irrelevant. */
export interface Heights {
  readonly P?: bigint
  readonly X?: bigint
  readonly C?: bigint
}

/** The recorded responses of a node at one point in time. */
export interface Recording {
  readonly heights: Heights
  /** Time in milliseconds since 1970. */
  readonly now: number
  readonly exchanges: readonly Exchange[]
}

/** Port that represents the node, because the recordings do not name the node. */
const PORT = 0

function refuse(message: string): ConformanceError {
  return new ConformanceError('CONFORMANCE_CASE', message)
}

/** Returns the exchange for a call in a point-in-time recording, which stores only parsed bodies. */
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
  if (field !== undefined) throw refuse(`unknown field ${field}`)
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

/** Returns a string member of the first response to a method. */
function answered(exchanges: readonly Exchange[], method: string, member: string): string | undefined {
  const exchange = exchanges.find((it) => it.method === method)
  const result = exchange && JsonText.member(JsonText.parse(exchange.answer.body), 'result')
  return JsonText.textOf(JsonText.member(result, member))
}

/** Minimum age in milliseconds that the last block must have before a node proposes its height. */
export const RECENT = 31_000

/**
 * Returns the time at which a file was recorded. Defaults to the time of the last block if the file contains
 * no time. If the node proposed the height of the last block, the result is at least {@link RECENT} after
 * that block.
 */
function timeOf(exchanges: readonly Exchange[], unixTime: number | undefined): number {
  const timestamp = answered(exchanges, 'platform.getTimestamp', 'timestamp')
  const ofChain = timestamp === undefined ? undefined : Date.parse(timestamp)
  const recordedAt = unixTime === undefined ? ofChain : unixTime * 1000
  if (recordedAt === undefined)
    throw refuse('unixTime: expected a time in Unix seconds, or a call of platform.getTimestamp')
  const [height, proposed] = ['getHeight', 'getProposedHeight'].map((name) =>
    answered(exchanges, `platform.${name}`, 'height'),
  )
  const isOld = ofChain !== undefined && height !== undefined && height === proposed
  return isOld ? Math.max(recordedAt, ofChain + RECENT) : recordedAt
}

/** Labels of recordings of a node that lived through the DAG of the X-chain, and so has a different order. */
const OWN_ORDER: readonly unknown[] = ['06-newest-on-old-database']

/**
 * Returns whether a file contains the responses of a node at one point in time that can be compared. Left out are those
 * from before the linearization of the X-chain, of versions before `info.upgrades`, and of nodes with an order of
 * their own.
 */
export function isRecording(content: unknown): content is RawCase {
  if (typeof content !== 'object' || content === null || !Object.hasOwn(content, 'calls')) return false
  const { heightsBefore, calls, label } = content as {
    readonly heightsBefore?: { readonly x?: unknown }
    readonly calls: unknown
    readonly label?: unknown
  }
  const upgrades = (Array.isArray(calls) ? calls : []).find(({ method }) => method === 'info.upgrades')
  const isOld = upgrades !== undefined && Object.hasOwn(upgrades.response ?? {}, 'error')
  return heightsBefore?.x !== null && !isOld && !OWN_ORDER.includes(label)
}

/**
 * Parses a point-in-time recording from a file.
 * @throws ConformanceError `CONFORMANCE_CASE` if a field is missing, unknown or has an unexpected form;
 * `CONFORMANCE_DIFFERENCE` if the chains advanced during the recording
 */
export function fromFile(content: RawCase): Recording {
  const it = Case.create(content)
  const exchanges = (Case.list(it, 'calls') as readonly RawCase[]).map(exchangeOf)
  const heights = heightsOf(it)
  const now = timeOf(exchanges, Case.has(it, 'unixTime') ? Case.number(it, 'unixTime') : undefined)
  if (Case.has(it, 'stable')) Case.equals(it, 'stable', true)
  Case.ignore(it, 'label')
  const [field] = Case.unread(it)
  if (field !== undefined) throw refuse(`unknown field ${field}`)
  return { heights, now, exchanges }
}

/** Returns whether a line contains validator sets at a height. */
export function isSets(line: RawCase): boolean {
  return Object.hasOwn(line, 'bySubnet')
}

/**
 * Returns the calls in a line of `validators_at.jsonl`: a call for all sets at a height, and a call for the
 * set of each subnet.
 */
export function setsFromLine(line: RawCase): Exchange[] {
  const it = Case.create(line)
  const height = Case.number(it, 'height')
  const call = (method: string, params: Json.Json, response: unknown) =>
    exchangeOf({ path: '/ext/bc/P', method, params, response })
  const bySubnet = Object.entries(Case.given(it, 'bySubnet') as Readonly<Record<string, unknown>>)
  const exchanges = [
    call('platform.getAllValidatorsAt', { height }, Case.given(it, 'all')),
    ...bySubnet.map(([subnetId, answer]) =>
      call('platform.getValidatorsAt', { height, subnetID: subnetId }, answer),
    ),
  ]
  const [field] = Case.unread(it)
  if (field !== undefined) throw refuse(`unknown field ${field}`)
  return exchanges
}
