import { truncate } from '@firn/codec'
import { isObject } from '@firn/rpc'
import { IndexerError } from '../../common/IndexerError.ts'
import type { ReceiptsBy, TracesBy } from './calls.ts'
import * as Calls from './calls.ts'
import type { Answer, Call } from './JsonRpc.ts'
import { isStateGone, isUnknownMethod } from './refusals.ts'

/** Capabilities of a node. */
export interface Abilities {
  readonly chainId: bigint
  readonly receiptsBy: ReceiptsBy
  readonly tracesBy: TracesBy
  /**
   * Whether the node also traces the first blocks that are fetched. A node that prunes old states traces only
   * the newest blocks.
   */
  readonly tracesOld: boolean
}

/** Sends calls to one node and returns its answers. */
export type Ask = (calls: readonly Call[]) => Promise<readonly Answer[]>

/**
 * Detects a node's capabilities with requests for its newest block. Traces are also requested for the block
 * at `firstHeight`. `name` is the node's name for errors.
 * @throws IndexerError if the node does not answer, or answers with no chain id or height
 */
export async function probe(ask: Ask, firstHeight: bigint, name: string): Promise<Abilities> {
  const [chain, latest] = await ask([{ method: 'eth_chainId', params: [] }, Calls.header('latest')])
  const chainId = quantityOf(resultOf(chain), `the chain id of ${name}`)
  const block = resultOf(latest)
  const hash = isObject(block) ? String(block['hash']) : ''
  const height = isObject(block) ? quantityOf(block['number'], `the newest height of ${name}`) : 0n
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

/**
 * Returns the first of the given ways that the node supports. A way counts as unsupported only if the node
 * does not know the method; a failed call does not count.
 */
async function firstOf<T>(ask: Ask, ways: readonly (readonly [T, Call])[], otherwise: T): Promise<T> {
  for (const [way, call] of ways) {
    const [answer] = await ask([call])
    if (answer !== undefined && isKnown(answer, way)) return way
  }
  return otherwise
}

function isKnown({ error, result }: Answer, way: unknown): boolean {
  if (error === undefined) return Array.isArray(result)
  // A node that accepts only heights rejects a hash as an invalid argument.
  const isWrongArgument = error.details['rpcCode'] === -32602
  return !isUnknownMethod(error) && !(way === 'hash' && isWrongArgument)
}

async function tracesAt(ask: Ask, way: TracesBy, first: bigint, latest: bigint): Promise<boolean> {
  // Block 0 is not executed, so it has no traces.
  const height = first < 1n ? 1n : first
  if (way === undefined || height >= latest) return true
  const [answer] = await ask([Calls.header(height)])
  const block = answer?.result
  if (!isObject(block)) return true
  const [traced] = await ask([Calls.traces(way, height, String(block['hash']))])
  return traced?.error === undefined || !isStateGone(traced.error)
}

/** @throws IndexerError `INDEXER_RPC_MALFORMED` */
function quantityOf(value: unknown, what: string): bigint {
  if (typeof value === 'string' && QUANTITY.test(value)) return BigInt(value)
  const actual = typeof value === 'string' ? truncate(value, 66) : typeof value
  throw new IndexerError(
    'INDEXER_RPC_MALFORMED',
    `expected a hexadecimal quantity for ${what}, got ${actual}`,
  )
}

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/

function resultOf(answer: Answer | undefined): unknown {
  if (answer?.error !== undefined) throw answer.error satisfies IndexerError
  return answer?.result
}
