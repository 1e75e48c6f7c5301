import { CHAIN_ALIASES, isFirnError } from '@firn/codec'
import type { EvmStore } from '@firn/evm-store'
import type { Operators } from '@firn/operate'
import { Lease } from '@firn/sql'
import type { Store } from '@firn/store'

/** Stores of which the progress is read. */
export interface ProgressSources {
  readonly store: Store | undefined
  readonly chains: readonly EvmStore[]
  /** Returns what the indexers of this process report. */
  readonly indexed: () => readonly Operators.Progress[]
}

/**
 * Returns the progress of each chain: what the databases contain, completed by what the indexers of this process report.
 * Chains that another process indexes have the phase `stored`.
 */
export async function readProgress(sources: ProgressSources): Promise<readonly Operators.Progress[]> {
  const { store, chains, indexed } = sources
  const stored = await Promise.all([
    ...(store === undefined ? [] : [ofNetwork(store)]),
    ...chains.map(async (chain) => [await ofChain(chain)]),
  ])
  const reported = indexed()
  return stored.flat().map((one) => {
    const same = reported.find(({ chain, kind }) => chain === one.chain && kind === one.kind)
    return same === undefined ? one : { ...one, ...same }
  })
}

async function ofNetwork(store: Store): Promise<readonly Operators.Progress[]> {
  const [snapshot, lease, network] = await Promise.all([
    orUndefined(store.snapshot()),
    Lease.holderOf(store),
    store.network(),
  ])
  const followed = CHAIN_ALIASES.filter((chain) => chain !== 'C' || network?.followsCChain !== false)
  return followed.map((chain) => {
    const at = snapshot?.[chain]
    return {
      ...{ chain, kind: 'primary' as const, phase: 'stored', problems: [] },
      ...(at !== undefined && { height: String(at.height), time: Number(at.time) }),
      ...(lease !== undefined && { holder: lease.holder }),
    }
  })
}

async function ofChain(store: EvmStore): Promise<Operators.Progress> {
  const [at, lease, missingIndexes] = await Promise.all([
    orUndefined(store.snapshot()),
    Lease.holderOf(store),
    store.missingIndexes(),
  ])
  return {
    ...{ chain: String(store.chainId), kind: 'evm', phase: 'stored', problems: [], missingIndexes },
    ...(at !== undefined && { height: String(at.height), time: Number(at.time) }),
    ...(lease !== undefined && { holder: lease.holder }),
  }
}

/** Chains without a block, and those that are not served because indexes are missing, have no height. */
async function orUndefined<T>(snapshot: Promise<T>): Promise<T | undefined> {
  try {
    return await snapshot
  } catch (error) {
    if (isFirnError(error) && ['STORE_EMPTY', 'STORE_UNINDEXED', 'STORE_HALTED'].includes(error.code))
      return undefined
    throw error
  }
}
