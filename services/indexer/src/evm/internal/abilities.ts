import { isObject } from '@firn/rpc'
import type { IndexerError } from '../../IndexerError.ts'
import type { Answer, Call } from '../JsonRpc.ts'
import type { ReceiptsBy, TracesBy } from './calls.ts'
import * as Calls from './calls.ts'
import { isStateGone, isUnknownMethod } from './refusals.ts'

/** What a node can do. */
export interface Abilities {
  readonly chainId: bigint
  readonly receiptsBy: ReceiptsBy
  readonly tracesBy: TracesBy
  /** Whether it traces the blocks that are wanted first, too: a node that forgets old states traces the newest alone. */
  readonly tracesOld: boolean
}

/** Asks for answers as of one node. */
export type Ask = (calls: readonly Call[]) => Promise<readonly Answer[]>

/**
 * Finds out what a node can do, from its newest block, and of traces from the one at `firstHeight` too.
 * @throws IndexerError where it doesn't answer
 */
export async function probe(ask: Ask, firstHeight: bigint): Promise<Abilities> {
  const [chain, latest] = await ask([{ method: 'eth_chainId', params: [] }, Calls.header('latest')])
  const chainId = BigInt(String(resultOf(chain)))
  const block = resultOf(latest)
  const hash = isObject(block) ? String(block['hash']) : ''
  const height = isObject(block) ? BigInt(String(block['number'])) : 0n
  const receiptsBy = await firstOf<ReceiptsBy>(
    ask,
    [
      ['hash', Calls.receipts('hash', height, hash)],
      ['height', Calls.receipts('height', height, hash)],
    ],
    'transaction',
  )
  const tracesBy = await firstOf<TracesBy>(
    ask,
    [
      ['hash', Calls.traces('hash', height, hash)],
      ['height', Calls.traces('height', height, hash)],
      ['flat', Calls.traces('flat', height, hash)],
    ],
    undefined,
  )
  const tracesOld = tracesBy !== undefined && (await tracesAt(ask, tracesBy, firstHeight, height))
  return { chainId, receiptsBy, tracesBy, tracesOld }
}

/** The first way that the node knows. That it fails now says nothing: only that there is no such method does. */
async function firstOf<T>(ask: Ask, ways: readonly (readonly [T, Call])[], otherwise: T): Promise<T> {
  for (const [way, call] of ways) {
    const [answer] = await ask([call])
    if (answer !== undefined && isKnown(answer, way)) return way
  }
  return otherwise
}

function isKnown({ error, result }: Answer, way: unknown): boolean {
  if (error === undefined) return Array.isArray(result)
  // A node that takes heights alone calls a hash a wrong argument.
  const isWrongArgument = error.details['rpcCode'] === -32602
  return !isUnknownMethod(error) && !(way === 'hash' && isWrongArgument)
}

async function tracesAt(ask: Ask, way: TracesBy, first: bigint, latest: bigint): Promise<boolean> {
  // What is before the first block isn't executed.
  const height = first < 1n ? 1n : first
  if (way === undefined || height >= latest) return true
  const [answer] = await ask([Calls.header(height)])
  const block = answer?.result
  if (!isObject(block)) return true
  const [traced] = await ask([Calls.traces(way, height, String(block['hash']))])
  return traced?.error === undefined || !isStateGone(traced.error)
}

function resultOf(answer: Answer | undefined): unknown {
  if (answer?.error !== undefined) throw answer.error satisfies IndexerError
  return answer?.result
}
