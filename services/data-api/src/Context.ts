import type { Genesis, Networks } from '@firn/genesis'
import type { Store } from '@firn/store'
import type { Aggregate } from './AggregatorClient.ts'
import type { PageTokens } from './front/PageToken.ts'

/** What a node has seen of another, which no chain tells. */
export interface Observation {
  /** Percent of the time that it was up; undefined for a node that does not tell. */
  readonly uptime: number | undefined
  /** What the other said it runs; undefined while they are not connected. */
  readonly version: string | undefined
  /** Undefined for a node that does not tell. */
  readonly isConnected: boolean | undefined
  /** Letters of the chains on which the other gets no requests, because it left too many without an answer. */
  readonly benched: readonly string[]
}

/** What every endpoint works with. */
export interface DataContext {
  readonly store: Store
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** What `{network}` may be, and the name that the answers bear then. */
  readonly networkNames: ReadonlyMap<string, string>
  readonly tokens: PageTokens
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The signature aggregator; undefined where there is none. */
  readonly aggregate: Aggregate | undefined
  /** What a node has seen of validators, by node id in hex; undefined where no node is asked. */
  readonly observations?: (() => Promise<ReadonlyMap<string, Observation>>) | undefined
}
