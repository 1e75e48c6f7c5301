import type { ChainAlias } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import type { Block } from '../BlockStore.ts'
import { type Budget, createBudget } from '../Budget.ts'
import * as Containers from '../Containers.ts'
import type { DropReason, Events, Phase } from '../Events.ts'
import * as Options from '../Options.ts'
import { createPeerRanking, type PeerRanking } from '../PeerRanking.ts'
import { SyncError } from '../SyncError.ts'
import type { Transport } from '../Transport.ts'
import * as Voters from '../Voters.ts'
import { createRate } from './Rate.ts'

/** What every sync needs. */
export interface SyncDependencies extends Events {
  readonly chain: ChainAlias
  /** Id (32 bytes) of the chain. */
  readonly chainId: Uint8Array
  readonly transport: Transport
  readonly clock: Clock
  /**
   * Returns the nodes that decide which blocks are accepted: beacons, or the validators with their stake. It is
   * called for each round, so the set can change.
   */
  readonly voters: () => readonly Voters.Voter[]
  /**
   * Returns for each block whether its container has its proposer's signature, for example by other threads. Default:
   * `Containers.hasValidSignature` in the calling thread.
   */
  readonly verify?: (blocks: readonly Block[]) => readonly boolean[] | Promise<readonly boolean[]>
  /** Returns a number in [0, 1). Default: the platform's cryptographic random source. */
  readonly random?: () => number
  /** The standing of peers, to be shared by all chains. Default: a new one. */
  readonly ranking?: PeerRanking
  /** The limit of small requests, to be shared by all chains. Default: a new one of `requestsPerSecond`. */
  readonly budget?: Budget
  readonly options?: Partial<Options.Options>
  /** An abort stops the sync, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** The dependencies with their defaults, and the state that the steps of one sync share. */
export interface Context extends Required<Omit<SyncDependencies, 'options' | keyof Events>> {
  readonly options: Options.Options
  readonly events: Events
  /** Reports a state, but not every one of many in a short time. */
  readonly progress: (phase: Phase, state?: State) => void
  /** Counts blocks for the rate in the progress. */
  readonly countStored: (count: number) => void
  readonly drop: (nodeId: Uint8Array, reason: DropReason) => void
}

/** What has changed since the last report. */
interface State {
  readonly tip?: bigint
  readonly stored?: bigint
  /** True if no further report of this phase follows, so that this one must not be left out. */
  readonly isLast?: boolean
}

/** Minimum time in milliseconds between two reports of the same phase and tip. */
const REPORT_MS = 250

/** @throws SyncError `SYNC_OPTION` */
export function createContext(dependencies: SyncDependencies): Context {
  const { chainId, clock, transport, voters, random = cryptoRandom } = dependencies
  const { onConflict, onDropped, onProgress } = dependencies
  const options = { ...Options.defaults, ...dependencies.options }
  if (chainId.length !== 32) {
    throw new SyncError('SYNC_OPTION', `chainId: expected 32 bytes, got ${chainId.length}`, {
      details: { field: 'chainId' },
    })
  }
  const rate = createRate(clock)
  let reportedAt = Number.NEGATIVE_INFINITY
  let reported: { readonly phase: Phase; readonly tip: bigint | undefined } | undefined
  let last: State = {}
  return {
    chain: dependencies.chain,
    chainId,
    transport,
    clock,
    voters,
    random,
    options,
    verify:
      dependencies.verify ??
      ((blocks) => blocks.map(({ bytes }) => Containers.hasValidSignature(chainId, bytes))),
    ranking: dependencies.ranking ?? createPeerRanking({ clock, random }),
    budget: dependencies.budget ?? createBudget(clock, options.requestsPerSecond),
    signal: dependencies.signal ?? new AbortController().signal,
    events: {
      ...(onConflict && { onConflict }),
      ...(onDropped && { onDropped }),
      ...(onProgress && { onProgress }),
    },
    countStored: rate.count,
    drop: (nodeId, reason) => onDropped?.(nodeId, reason),
    progress(phase, state = {}) {
      last = { ...last, ...state }
      const now = clock.now()
      const isNew = state.isLast === true || phase !== reported?.phase || last.tip !== reported.tip
      if (onProgress === undefined || (!isNew && now - reportedAt < REPORT_MS)) return
      reported = { phase, tip: last.tip }
      reportedAt = now
      const connected = [...transport.connected()]
      const all = voters()
      onProgress({
        phase,
        tip: last.tip,
        stored: last.stored ?? 0n,
        perSecond: rate.perSecond(),
        peers: connected.length,
        connectedWeight: Voters.connectedWeight(all, connected),
        totalWeight: Voters.totalWeight(all),
      })
    },
  }
}

function cryptoRandom(): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1))
  return word / 2 ** 32
}
