import { CHAIN_ALIASES, type ChainAlias, Hex } from '@firn/codec'
import { LedgerState, type Reads, Vertices } from '@firn/ledger'
import { type Clock, silentLogger, systemClock } from '@firn/runtime'
import type { Accepted, AcceptedVertices } from '@firn/store'
import * as Problems from '../common/Problems.ts'
import type { NetworkRules } from '../primary/archive/GenesisFiles.ts'
import * as Follower from '../primary/Follower.ts'
import type { FollowOptions, Progress } from '../primary/FollowOptions.ts'
import * as Metrics from '../primary/Metrics.ts'
import type { Source } from '../primary/Source.ts'
import { createStopwatch } from '../primary/Stopwatch.ts'

/** Results of an indexer that ran without a database. For tests only. */
export interface Replay {
  readonly blocks: readonly Accepted[]
  readonly batches: readonly number[]
  readonly state: LedgerState.LedgerState
  readonly metrics: Metrics.Metrics
  readonly problems: Problems.Problems
}

/** Options that a test may override. */
export type ReplayOptions = Partial<
  Pick<FollowOptions, 'once' | 'batchBlocks' | 'checkSignatures' | 'pollMs' | 'random' | 'log'>
> & {
  readonly clock?: Clock
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  readonly commit?: (batch: readonly Accepted[]) => Promise<void>
  /** Number of UTXOs and assets that stay in memory; all by default. The others are read from the written blocks. */
  readonly recent?: number
  /** Called before records are read. */
  readonly onRead?: () => Promise<void>
}

/**
 * Indexes a source from the genesis on, collects all writes in memory, and closes the source. For tests only.
 */
export async function replay(
  source: Source,
  { genesis, constants }: NetworkRules,
  options: ReplayOptions = {},
): Promise<Replay> {
  const { clock = systemClock, signal = new AbortController().signal, commit } = options
  const stored = LedgerState.create(genesis, constants)
  const state = options.recent === undefined ? stored : windowed(stored, options.recent)
  const [metrics, problems] = [Metrics.create(), Problems.create()]
  const blocks: Accepted[] = []
  const batches: number[] = []
  const sink = {
    async commit(batch: readonly (Accepted | AcceptedVertices)[]) {
      const accepted = batch.filter((item) => 'bytes' in item)
      await commit?.(accepted)
      blocks.push(...accepted)
      if (state !== stored) for (const { changes } of accepted) LedgerState.commit(stored, changes)
      LedgerState.settle(state, heightsOf(stored))
      batches.push(batch.length)
    },
    fetch: (reads: readonly Reads.Read[]) =>
      LedgerState.fetch(state, reads, async (missing) => {
        await options.onRead?.()
        return find(stored, missing)
      }),
  }
  const follow: FollowOptions = {
    store: undefined as never,
    source,
    genesis,
    constants,
    vertices: Vertices.start(genesis, constants),
    once: true,
    pollMs: 1,
    batchBlocks: 50,
    checkSignatures: true,
    clock,
    random: () => 0.5,
    log: silentLogger,
    metrics,
    problems,
    stopwatch: createStopwatch(clock, metrics),
    onProgress: () => undefined,
    ...options,
  }
  try {
    await Follower.follow(follow, state, sink, signal)
  } finally {
    await source.close()
  }
  return { blocks, batches, state, metrics, problems }
}

/** Returns a windowed state that has all records of a state after the genesis except UTXOs and assets. */
function windowed(genesis: LedgerState.LedgerState, limit: number): LedgerState.LedgerState {
  const state = LedgerState.windowed(genesis.rules, limit, heightsOf(genesis))
  for (const [type, table] of Object.entries(genesis.tables)) {
    if (type === 'utxo' || type === 'asset') continue
    for (const after of table.ordered()) {
      LedgerState.commit(state, [{ type, before: undefined, after, txId: undefined } as never])
    }
  }
  return state
}

function heightsOf(state: LedgerState.LedgerState): Readonly<Record<ChainAlias, bigint>> {
  const [P, X, C] = CHAIN_ALIASES.map((chain) => LedgerState.tip(state, chain).height) as [
    bigint,
    bigint,
    bigint,
  ]
  return { P, X, C }
}

function find({ tables }: LedgerState.LedgerState, reads: readonly Reads.Read[]): LedgerState.Found {
  const keysOf = (name: Reads.Read['table']) =>
    reads.filter(({ table }) => table === name).map(({ key }) => key)
  return {
    utxo: keysOf('utxo').flatMap((key) => tables.utxo.get(key) ?? []),
    asset: keysOf('asset').flatMap((key) => tables.asset.get(key) ?? []),
  }
}

/** Returns the blocks that were written for a chain, in a form that tests can compare. */
export function written({ blocks }: Pick<Replay, 'blocks'>, chain: ChainAlias): readonly string[] {
  return blocks
    .filter((block) => block.chain === chain)
    .map(({ bytes, container }) => Hex.encode(container?.bytes ?? bytes))
}
