import type { Genesis, Networks } from '@firn/genesis'
import type { Logger } from '@firn/runtime'
import type { Snapshot, Store } from '@firn/store'
import type { Aliases } from './Aliases.ts'
import type { Issuer } from './issue/Issuer.ts'
import type { Loggers } from './Loggers.ts'
import type { Routes } from './Routes.ts'
import type { Upstream } from './Upstream.ts'

/**
 * How long a result may be cached.
 * - `forever`: the result never changes
 * - `snapshot`: until the snapshot changes
 * - `second`: until the snapshot or the current Unix second changes
 * - `volatile`: never cached, because the method has side effects or its result depends on other data
 */
export type Freshness = 'forever' | 'snapshot' | 'second' | 'volatile'

/** How long the results of each method may be cached. Errors are never cached. */
export type FreshnessTable<T> = { readonly [M in keyof T]: Freshness }

/** A node's measurements of validators: uptime and connection state. */
export interface ValidatorView {
  /** Returns the uptime of a node as a fraction from 0 to 1; undefined if unknown. */
  uptime(nodeId: Uint8Array): number | undefined
  /** Returns whether a node is connected; undefined if unknown. */
  isConnected(nodeId: Uint8Array): boolean | undefined
}

/**
 * Dependencies of all node APIs. Clock, randomness, log and network are injected, so the APIs use no global
 * state.
 */
export interface NodeContext {
  readonly store: Store
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** Whether the store follows the C-chain. If not, what depends on it is rejected, see `CChain`. */
  readonly followsCChain: boolean
  /** Aliases of the chains that this node runs. */
  readonly chains: Aliases
  /** Routes of all paths under `/ext/`. The Admin API can add routes. */
  readonly routes: Routes
  /** Returns the snapshot that a request reads. Called once, when the request starts. */
  readonly snapshot: () => Promise<Snapshot>
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** Returns a uniform random number in [0, 1). */
  readonly random: () => number
  /** Upstream nodes to forward requests to; undefined if none is configured. */
  readonly upstream: Upstream | undefined
  /** Issues transactions if there is no upstream; undefined if this process cannot. */
  readonly issuer?: Issuer | undefined
  /** Returns the validator measurements of this process if it has any, and otherwise the upstream's. */
  readonly validators: () => Promise<ValidatorView>
  /** Returns whether this node is a validator of the subnet at the snapshot. */
  readonly isValidating: (subnetId: Uint8Array, at: Snapshot) => Promise<boolean>
  /** Returns whether a chain listed in {@link chains} has finished bootstrapping on this node. */
  readonly isBootstrapped: (chainId: Uint8Array) => boolean
  readonly log: Logger
  readonly loggers: Loggers
}
