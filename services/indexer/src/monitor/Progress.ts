import { CHAIN_ALIASES } from '@firn/codec'
import type { Operators } from '@firn/operate'
import type { EvmChainStatus } from '../evm/EvmChainStatus.ts'
import type { Indexer } from '../primary/Indexer.ts'
import { paceOf, phaseOf } from '../primary/Phase.ts'

/**
 * Returns the progress of each chain of the Primary Network, as operators see it.
 * @example
 * ```ts
 * import { type Indexer, Progress } from '@firn/indexer'
 *
 * declare const indexer: Indexer
 * Progress.ofNetwork(indexer).map(({ chain, lag }) => `${chain}: ${lag}`) // ['P: 0', 'X: 0', 'C: 12']
 * ```
 */
export function ofNetwork(indexer: Pick<Indexer, 'status' | 'problemsOf'>): readonly Operators.Progress[] {
  const status = indexer.status()
  const { blocksPerSecond, secondsLeft } = paceOf(status)
  const [first] = CHAIN_ALIASES
  const own = new Set(CHAIN_ALIASES.flatMap((chain) => indexer.problemsOf(chain)))
  const shared = [...status.problems.filter((problem) => !own.has(problem)), ...status.warnings]
  return CHAIN_ALIASES.flatMap((chain) => {
    const at = status.chains?.[chain]
    if (at === undefined && status.chains !== undefined) return []
    return {
      ...{ chain, kind: 'primary' as const, phase: phaseOf(status) },
      ...(at !== undefined && position(at.height, at.tip, at.time)),
      ...{ blocksPerSecond, problems: [...indexer.problemsOf(chain), ...(chain === first ? shared : [])] },
      ...(secondsLeft !== undefined && { secondsLeft }),
    }
  })
}

/**
 * Returns the progress of EVM chains, as operators see it.
 * @example
 * ```ts
 * import { type EvmIndexer, Progress } from '@firn/indexer'
 *
 * declare const indexer: EvmIndexer
 * Progress.ofChains(indexer.status()).map(({ chain, lag }) => `${chain}: ${lag}`) // ['43114: 0']
 * ```
 */
export function ofChains(chains: readonly EvmChainStatus[]): readonly Operators.Progress[] {
  return chains.map(({ chainId, phase, height, head, time, blocksPerSecond, problems, warnings }) => ({
    ...{ chain: String(chainId), kind: 'evm' as const, phase, blocksPerSecond },
    problems: [...new Set([...problems, ...warnings])],
    ...position(height, head, time),
  }))
}

function position(height: bigint | undefined, head: bigint | undefined, time: bigint | undefined) {
  const lag = height === undefined || head === undefined ? undefined : head > height ? head - height : 0n
  return {
    ...(height !== undefined && { height: String(height) }),
    ...(time !== undefined && { time: Number(time) }),
    ...(head !== undefined && { head: String(head) }),
    ...(lag !== undefined && { lag: String(lag) }),
  }
}
