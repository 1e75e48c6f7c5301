import type { IndexerStatus } from './Status.ts'

/**
 * Returns the indexer's phase. If the blocks come from peers, it is `bootstrapping` or `fetching` until all blocks up to
 * the tip were fetched, then `applying`, and `following` at the tip.
 */
export function phaseOf({ phase, source }: Pick<IndexerStatus, 'phase' | 'source'>): string {
  if (source === undefined) return phase
  if (phase === 'starting') return source.phase === 'following' ? 'applying' : source.phase
  return phase === 'behind' ? 'applying' : phase === 'tip' ? 'following' : phase
}

/** Speed of a sync. */
export interface Pace {
  readonly blocksPerSecond: number
  /** Estimated time in seconds until the phase ends; undefined if unknown. */
  readonly secondsLeft: number | undefined
}

/** Returns how fast the blocks of the current phase are fetched or applied. */
export function paceOf(status: IndexerStatus): Pace {
  const { source, blocksPerSecond, secondsLeft } = status
  const phase = phaseOf(status)
  if (source === undefined || (phase !== 'bootstrapping' && phase !== 'fetching'))
    return { blocksPerSecond, secondsLeft }
  const { fetched, total, blocksPerSecond: fetchedPerSecond } = source
  const left = fetchedPerSecond > 0 && total > 0n ? Number(total - fetched) / fetchedPerSecond : undefined
  return { blocksPerSecond: fetchedPerSecond, secondsLeft: left }
}
