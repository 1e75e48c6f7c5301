import type { Genesis, Networks } from '@firn/genesis'
import type { Snapshot, Store } from '@firn/store'
import type { Aliases } from './Aliases.ts'
import type { Loggers } from './Loggers.ts'
import type { Routes } from './Routes.ts'
import type { Upstream } from './Upstream.ts'

/**
 * How long a result may be cached: forever, until the snapshot changes, until the snapshot or the second of
 * the clock changes (for values the node derives from whole seconds), or not at all (peers, random samples).
 */
export type Freshness = 'forever' | 'snapshot' | 'second' | 'volatile'

/** How long the results of each method may be cached. Errors are never cached. */
export type FreshnessTable<T> = { readonly [M in keyof T]: Freshness }

/** A logger that all modules of this service use; pino and fastify's logger are compatible. */
export interface Logger {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** A node's measurements of the network's validators. */
export interface ValidatorView {
  /** Returns the uptime of a node as a fraction from 0 to 1; undefined if nobody measured it. */
  uptime(nodeId: Uint8Array): number | undefined
  /** Returns whether a node is connected; undefined if unknown. */
  isConnected(nodeId: Uint8Array): boolean | undefined
}

/**
 * Dependencies of all node APIs. There are no globals: the clock, randomness, log and network are passed in.
 */
export interface NodeContext {
  readonly store: Store
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** Aliases of the chains that this node runs. */
  readonly chains: Aliases
  /** Paths under `/ext/`; the Admin API adds to them. */
  readonly routes: Routes
  /** Returns the data of one request; called once, when the request starts. */
  readonly snapshot: () => Promise<Snapshot>
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** Returns a uniform random number in [0, 1). */
  readonly random: () => number
  /** The node that this one follows; undefined for a reader without one. */
  readonly upstream: Upstream | undefined
  /** Returns this process's measurements of validators, or else those that the upstream reports. */
  readonly validators: () => Promise<ValidatorView>
  /** Returns whether this node itself validates a subnet. */
  readonly isValidating: (subnetId: Uint8Array, at: Snapshot) => Promise<boolean>
  /** Returns whether a chain that {@link chains} lists was created here and has caught up once. */
  readonly isBootstrapped: (chainId: Uint8Array) => boolean
  readonly log: Logger
  readonly loggers: Loggers
}
