import { Hex } from '@firn/codec'
import { EvmBlocks, type EvmStore } from '@firn/evm-store'
import { isObject } from '@firn/rpc'
import { IndexerError } from '../common/IndexerError.ts'
import type { Ask } from './upstream/abilities.ts'
import * as Calls from './upstream/calls.ts'

/** Options of {@link assertSameChain}. */
export interface StoredChainOptions {
  readonly store: EvmStore
  /** Maximum number of blocks that a reorg may remove. */
  readonly maxReorgDepth: number
}

/** A block whose hash is known. The block itself need not be stored. */
interface Known {
  readonly height: bigint
  readonly hash: string
}

/**
 * Checks that a node, called `name`, has the stored chain. Compares block 0, the first stored block, and the
 * block at the lowest height that a reorg may still reach, or at the node's head if the head is lower. A
 * lagging node passes the check, and blocks that the node has pruned are not compared. A difference counts
 * only if two answers agree on it.
 * @throws IndexerError `INDEXER_RESET`, `INDEXER_REORGANISATION`, or the errors of `ask` if the node does not
 * answer; StoreError
 */
export async function assertSameChain(ask: Ask, name: string, options: StoredChainOptions): Promise<void> {
  const stored = await compared(ask, options)
  const first = await differing(ask, stored)
  if (first === undefined) return
  const again = await differing(ask, [first.known])
  if (again?.actual !== first.actual) return
  throw isOtherChain(first.known, stored)
    ? replaced(name, options.store.chainId, first)
    : tooDeep(name, options, first)
}

/** Returns the blocks to compare with a node, in ascending order. */
async function compared(ask: Ask, { store, maxReorgDepth }: StoredChainOptions): Promise<readonly Known[]> {
  const chain = await store.chain()
  const last = await EvmBlocks.lastHeight(store)
  if (chain === undefined) return []
  const genesis = chain.genesisHash === undefined ? [] : [{ height: 0n, hash: Hex.encode(chain.genesisHash) }]
  if (last === undefined) return genesis
  const head = await headOf(ask)
  const lowest = last - BigInt(maxReorgDepth)
  const heights = [chain.firstHeight, lowest < head ? lowest : head].filter((at) => at >= chain.firstHeight)
  const rows = await EvmBlocks.hashes(store, heights)
  return [...genesis, ...rows.map(({ height, hash }) => ({ height, hash: Hex.encode(hash) }))]
}

async function headOf(ask: Ask): Promise<bigint> {
  const [answer] = await ask([Calls.header('latest')])
  if (answer?.error !== undefined) throw answer.error
  const { number } = isObject(answer?.result) ? answer.result : {}
  return typeof number === 'string' && /^0x[0-9a-fA-F]{1,15}$/.test(number) ? BigInt(number) : -1n
}

/** Returns the first of the blocks that differs on the node; undefined if none differs. */
async function differing(ask: Ask, blocks: readonly Known[]) {
  const answers = blocks.length === 0 ? [] : await ask(blocks.map(({ height }) => Calls.header(height)))
  for (const [i, known] of blocks.entries()) {
    const block = answers[i]?.result
    if (!isObject(block) || block['number'] !== Calls.quantity(known.height)) continue
    const actual = String(block['hash']).toLowerCase()
    if (/^0x[0-9a-f]{64}$/.test(actual) && actual !== known.hash) return { known, actual }
  }
  return undefined
}

/**
 * Returns whether the node has a different chain from the beginning, which is the case if the lowest known
 * block differs.
 */
function isOtherChain(known: Known, [lowest]: readonly Known[]): boolean {
  return known.height === lowest?.height
}

type Difference = { readonly known: Known; readonly actual: string }

function replaced(name: string, chainId: bigint, { known, actual }: Difference): IndexerError {
  const message = `${name} has block ${known.height} ${actual} of chain ${chainId}, but the stored block is ${known.hash}: the chain was reset, or this is a node of another chain with the same id. ${remedy(chainId)}`
  return new IndexerError('INDEXER_RESET', message, {
    details: { upstream: name, height: `${known.height}`, expected: known.hash, actual },
  })
}

function tooDeep(
  name: string,
  { store: { chainId }, maxReorgDepth }: StoredChainOptions,
  { known, actual }: Difference,
): IndexerError {
  const message = `${name} has block ${known.height} ${actual} of chain ${chainId}, but the stored block is ${known.hash}: the reorg is deeper than ${maxReorgDepth} blocks. ${remedy(chainId)}`
  return new IndexerError('INDEXER_REORGANISATION', message, {
    details: { upstream: name, height: `${known.height}`, depth: maxReorgDepth },
  })
}

/** Returns instructions for the operator if the nodes no longer have the stored chain. */
export function remedy(chainId: bigint): string {
  return `Run "firn evm --reset ${chainId}" to remove the stored data and index the chain again, or use a node that has the stored chain.`
}
