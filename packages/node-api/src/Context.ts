import type { Genesis, Networks } from '@firn/genesis'
import type { Snapshot, Store } from '@firn/store'
import type { Aliases } from './Aliases.ts'
import type { Loggers } from './Loggers.ts'
import type { Routes } from './Routes.ts'
import type { Upstream } from './Upstream.ts'

/**
 * How long a result may stand in for asking again: for ever, until the snapshot moves, until then or the next second of the clock
 * (what a node works out from whole seconds), or not at all (peers, chance).
 */
export type Freshness = 'forever' | 'snapshot' | 'second' | 'volatile'

/** Per method of an API, how long its results may be kept. Errors never are. */
export type FreshnessTable<T> = { readonly [M in keyof T]: Freshness }

/** What the modules of this service log to; pino and fastify's logger fit. */
export interface Logger {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** What a node has measured of the network's validators. */
export interface ValidatorView {
  /** Returns the part of the time that a node was connected, from 0 to 1; undefined when nobody measured it. */
  uptime(nodeId: Uint8Array): number | undefined
  /** Returns whether a node is connected; undefined when nobody knows. */
  isConnected(nodeId: Uint8Array): boolean | undefined
}

/** What every API of the node API is made from. Nothing in here is a global: clock, chance, log and network come in. */
export interface NodeContext {
  readonly store: Store
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** Names of the chains that this node runs. */
  readonly chains: Aliases
  /** Paths under `/ext/`; Admin adds to them. */
  readonly routes: Routes
  /** What one request sees; taken once, at its beginning. */
  readonly snapshot: () => Promise<Snapshot>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Uniform in [0, 1). */
  readonly random: () => number
  /** The node that this one follows; undefined for a reader that has none. */
  readonly upstream: Upstream | undefined
  /** What this process has measured of validators, or else what the upstream says that it has. */
  readonly validators: () => Promise<ValidatorView>
  /** Whether this node itself validates a subnet. */
  readonly isValidating: (subnetId: Uint8Array, at: Snapshot) => Promise<boolean>
  /** Whether a chain that {@link chains} knows has been created here and caught up once. */
  readonly isBootstrapped: (chainId: Uint8Array) => boolean
  readonly log: Logger
  readonly loggers: Loggers
}
