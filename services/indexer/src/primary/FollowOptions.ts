import { CHAIN_ALIASES, type ChainAlias } from '@firn/codec'
import type { Genesis, Networks } from '@firn/genesis'
import { LedgerState, type Vertices } from '@firn/ledger'
import type { Accepted, Store } from '@firn/store'
import type { FeedOptions } from './Feed.ts'
import type { VertexStatus } from './Status.ts'

/** Options of `follow`. */
export interface FollowOptions extends Omit<FeedOptions, 'chain' | 'link' | 'signedBy' | 'onBlock'> {
  readonly store: Store
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** The X-chain's vertices that are stored. If the network has more, they are applied before its block 1. */
  readonly vertices: Vertices.Progress
  readonly batchBlocks: number
  readonly checkSignatures: boolean
  /** Called after each commit, and whenever all chains turn out to be at the tip. */
  readonly onProgress: (progress: Progress) => void
}

/** Progress of an indexer. */
export interface Progress {
  readonly written: readonly Accepted[]
  readonly tips: Readonly<Record<ChainAlias, bigint | undefined>>
  /** Height and time of the last stored block of each chain. */
  readonly heights: Readonly<Record<ChainAlias, { readonly height: bigint; readonly time: bigint }>>
  /** Status of the X-chain's vertices; undefined once all are applied, and on networks without vertices. */
  readonly vertices: VertexStatus | undefined
  /** True if all fetched blocks are written and the source has no more blocks of any chain. */
  readonly isAtTip: boolean
}

/** Returns the height and time of the last applied block of each chain. */
export function readHeights(state: LedgerState.LedgerState): Progress['heights'] {
  const [P, X, C] = CHAIN_ALIASES.map((chain) => LedgerState.tip(state, chain))
  return { P, X, C } as Progress['heights']
}
