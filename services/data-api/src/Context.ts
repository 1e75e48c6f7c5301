import type { Genesis, Networks } from '@firn/genesis'
import type { Store } from '@firn/store'
import type { Aggregate } from './AggregatorClient.ts'
import type { PageTokens } from './front/PageToken.ts'

/** A node's observation of another node, which no chain contains. */
export interface Observation {
  /** Uptime in percent; undefined if the node does not report it. */
  readonly uptime: number | undefined
  /** The version that the other reported; undefined while they are not connected. */
  readonly version: string | undefined
  /** Undefined if the node does not report it. */
  readonly isConnected: boolean | undefined
  /** Letters of the chains on which the other gets no requests, because it left too many unanswered. */
  readonly benched: readonly string[]
}

/** Dependencies of every endpoint. */
export interface DataContext {
  readonly store: Store
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** Accepted values of `{network}`, and the name that the answers then contain. */
  readonly networkNames: ReadonlyMap<string, string>
  readonly tokens: PageTokens
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The signature aggregator; undefined if there is none. */
  readonly aggregate: Aggregate | undefined
  /** Returns a node's observations of validators, by node id in hex; undefined without a node. */
  readonly observations?: (() => Promise<ReadonlyMap<string, Observation>>) | undefined
}
