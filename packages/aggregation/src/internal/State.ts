import type { Clock, Pace, Tracer } from '@firn/runtime'
import type { Acp118, UnsignedMessage, ValidatorSet } from '@firn/warp'
import type { KnownRefusal } from '../AggregationRequest.ts'
import type { Collection } from '../Collection.ts'
import type { Entry, Node } from '../Entry.ts'
import type { LatencyHistory } from '../Hedge.ts'
import type { Lanes } from '../Lanes.ts'
import type { Options } from '../Options.ts'
import type { Prover } from '../Prover.ts'
import type { Refusals } from '../Refusals.ts'
import type { Counters } from '../Report.ts'
import type { ChainKind } from '../Retry.ts'
import type { SignatureCache } from '../SignatureCache.ts'
import type { Standing } from '../Standing.ts'
import type { Target } from '../Target.ts'
import type { Transport } from '../Transport.ts'
import type { LateSignatures } from './LateSignatures.ts'

/** Dependencies and state that all runs of an aggregator share. */
export interface Tools {
  readonly transport: Transport
  readonly prover: Prover
  readonly clock: Clock
  /** Returns a number in [0, 1). */
  readonly random: () => number
  readonly cache: SignatureCache
  readonly options: Options
  readonly history: LatencyHistory
  readonly standing: Standing
  readonly refusals: Refusals
  readonly lateSignatures: LateSignatures
  /** The queues of requests that the limits do not allow yet. */
  readonly lanes: Lanes
  readonly pace: Pace
  readonly tracer: Tracer
}

/** The checked request of one run. */
export interface Job {
  readonly message: Uint8Array
  /** Id of the message, 32 bytes. */
  readonly messageId: Uint8Array
  readonly unsigned: UnsignedMessage.UnsignedMessage
  readonly request: Acp118.SignatureRequest
  /** Map key of the request, under which refusals are remembered. */
  readonly requestKey: string
  readonly validatorSet: ValidatorSet.ValidatorSet
  readonly inactive: ReadonlySet<number>
  readonly quorumPercentage: number
  readonly target: Target
  readonly chainKind: ChainKind
  readonly refusal: KnownRefusal | undefined
  /** Id of the source chain in hex, as a map key. */
  readonly chain: string
}

/** Counters of a run in progress. */
export type Counting = { -readonly [Name in keyof Counters]: Counters[Name] }

/** The state of one run, which only the loop of the run changes. */
export interface State {
  readonly tools: Tools
  readonly job: Job
  readonly collection: Collection
  readonly counters: Counting
  readonly startedAt: number
}

/** Returns counters that are all zero. */
export function startCounting(): Counting {
  return {
    requests: 0,
    responses: 0,
    lateResponses: 0,
    malformed: 0,
    wrongSignatures: 0,
    redundant: 0,
    retries: 0,
    hedges: 0,
    fromCache: 0,
    batches: 0,
  }
}

/** Returns the entry with this canonical index, which must exist. */
export function entryAt({ collection }: State, index: number): Entry {
  return collection.entries[index] as Entry
}

/** Returns a node of a validator; both must exist. */
export function nodeAt(state: State, index: number, place: number): Node {
  return entryAt(state, index).nodes[place] as Node
}
