import type { Genesis, Networks } from '@firn/genesis'
import type { Store } from '@firn/store'
import type { PageTokens } from '../../http/endpoint/PageToken.ts'
import type { Metadata } from '../../metadata/Metadata.ts'
import type { Aggregate } from '../../upstream/AggregatorClient.ts'

/** A node's observation of another node. The chains do not contain such data. */
export interface Observation {
  /** Uptime as a percentage; undefined if the observing node does not report it. */
  readonly uptime: number | undefined
  /** Version of the observed node; undefined if this node is not connected to the observing node. */
  readonly version: string | undefined
  /** Whether the observed node is connected; undefined if the observing node does not report it. */
  readonly isConnected: boolean | undefined
  /**
   * Aliases (such as `P`) of the chains on which the observing node has benched the observed node, because too many
   * requests stayed unanswered.
   */
  readonly benched: readonly string[]
}

/** Dependencies of the endpoints for the Primary Network. */
export interface DataContext {
  readonly store: Store
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** Whether the database follows the C-chain. If not, answers that depend on it say so, see `CChain`. */
  readonly followsCChain: boolean
  /** Maps each accepted value of `{network}` to the network name used in the answer. */
  readonly networkNames: ReadonlyMap<string, string>
  readonly tokens: PageTokens
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number
  /** Requests an aggregated signature; undefined if no signature aggregator is configured. */
  readonly aggregate: Aggregate | undefined
  /** What the operator says about subnets and assets; undefined if nothing. */
  readonly metadata?: Metadata | undefined
  /**
   * Returns the latest observations of validators, by node id in hex. The function is undefined if no node is
   * configured.
   */
  readonly observations?: (() => Promise<ReadonlyMap<string, Observation>>) | undefined
}
