import { EvmBlocks, type EvmSnapshot, type EvmTransactions } from '@firn/evm-store'
import type { Snapshots } from '../../http/endpoint/List.ts'
import { chainOf, type EvmChainSource, type EvmContext, wholeChains } from './EvmContext.ts'
import { evmSnapshots } from './evmSnapshots.ts'
import { headIfServed, isOf, newestOf } from './heads.ts'

/** A chain and the snapshot from which its data is read. */
export interface ChainAt {
  readonly source: EvmChainSource
  readonly at: EvmSnapshot
}

/**
 * Creates the snapshots of lists over all chains. A snapshot contains one block of each chain that has blocks and is
 * served.
 */
export function chainsSnapshots(context: EvmContext): Snapshots<readonly ChainAt[]> {
  return {
    latest: async () => {
      const all = await Promise.all(
        wholeChains(context).map(async (source) => ({ source, at: await headIfServed(source) })),
      )
      return all.flatMap(({ source, at }) => (at === undefined ? [] : [{ source, at }]))
    },
    heights: (all) =>
      all.flatMap(({ source, at }) => [source.chain.chainId, ...evmSnapshots(source.store).heights(at)]),
    at: async (heights) => {
      const chains = Array.from({ length: heights.length / 3 }, (_, i) => heights.slice(3 * i, 3 * i + 3))
      return Promise.all(
        chains.map(async ([chainId = 0n, ...rest]) => {
          const source = chainOf(context, chainId)
          return { source, at: await evmSnapshots(source.store).at(rest) }
        }),
      )
    },
    isThere: async (all) => {
      const each = await Promise.all(all.map(({ source, at }) => evmSnapshots(source.store).isThere?.(at)))
      return !each.includes(false)
    },
    head: (all) => newestOf(all.map(({ at }) => at)),
  }
}

/** A block, or a transaction of a block. */
interface Timed {
  readonly time: bigint
  readonly height: bigint
  /** Index of the transaction in its block; undefined for a block. */
  readonly index?: number
}

/** A row and the chain that contains it. */
export interface OfChain<T> {
  readonly of: T
  readonly in: ChainAt
}

/** Where a page starts within one chain: after a given transaction, or below a given height. */
interface Bounds {
  readonly after: EvmTransactions.TransactionPlace | undefined
  readonly until: bigint | undefined
}

/** A request for a list over all chains, or over the chains of a network kind. */
export interface OfAllChains {
  readonly at: readonly ChainAt[]
  readonly query: { readonly network: Parameters<typeof isOf>[1] }
}

/** Returns the chains that a list contains. */
export function chainsOf({ at, query }: OfAllChains): readonly ChainAt[] {
  return at.filter(({ source }) => isOf(source, query.network))
}

/**
 * Returns the newest rows of all chains of a network kind, newest first. Rows with equal times are sorted by chain,
 * then by position in the chain, both in descending order.
 */
export async function newest<T extends Timed>(
  request: OfAllChains & { readonly after: readonly string[] | undefined; readonly limit: number },
  read: (chain: ChainAt, bounds: Bounds) => Promise<readonly T[]>,
): Promise<readonly OfChain<T>[]> {
  const pages = await Promise.all(
    chainsOf(request).map(async (chain) => {
      const rows = await read(chain, await boundsOf(chain, request.after))
      return rows.map((of) => ({ of, in: chain }))
    }),
  )
  return pages.flat().sort(compare).slice(0, request.limit)
}

/** Returns the key of a row for a page token. */
export function keyOf({ of, in: { source } }: OfChain<Timed>): readonly string[] {
  return [String(of.time), String(source.chain.chainId), String(of.height), String(of.index ?? 0)]
}

async function boundsOf({ source }: ChainAt, after: readonly string[] | undefined): Promise<Bounds> {
  if (after === undefined) return { after, until: undefined }
  const [time = 0n, chainId = 0n, height = 0n, index = 0n] = after.map(BigInt)
  const own = source.chain.chainId
  if (own === chainId) return { after: { height, index: Number(index) }, until: undefined }
  // Block times never decrease within a chain, so the time gives an upper bound for the height.
  const until = await EvmBlocks.firstSince(source.store, own < chainId ? time + 1n : time)
  return { after: undefined, until }
}

function compare(a: OfChain<Timed>, b: OfChain<Timed>): number {
  const keys = [a, b].map((row) => keyOf(row).map(BigInt))
  const [one = [], other = []] = keys
  const at = one.findIndex((value, index) => value !== other[index])
  if (at === -1) return 0
  return (one[at] ?? 0n) > (other[at] ?? 0n) ? -1 : 1
}
