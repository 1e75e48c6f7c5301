import type { ChainAlias } from '@firn/codec'
import type { ConnectionLimits } from '@firn/http'
import type { Check, Issuer, Peers, PublicIdentity } from '@firn/node-api'
import type { LocalAccess, Operators } from '@firn/operate'
import type { Store } from '@firn/store'
import type { Registry } from 'prom-client'
import type { NodeLoggers } from './admin/PinoLoggers.ts'
import type { Configuration } from './Configuration.ts'
import type { IndexKeeper } from './containers/IndexKeeper.ts'

/** Options of a node API server. The caller must close the resources in these options. */
export interface NodeOptions {
  /** Token and links for operators on this machine; by default there are none. */
  readonly local?: LocalAccess.LocalAccess | undefined
  readonly configuration: Configuration
  /** A store that contains a network. An indexer may fill it while the node runs. */
  readonly store: Store
  readonly identity: PublicIdentity
  readonly loggers: NodeLoggers
  /** Peers to which this process is connected; by default none. */
  readonly peers?: Peers.Peers
  /**
   * Returns the address of this node that peers see, such as `127.0.0.1:9651`; by default the address in
   * `--public-ip`.
   */
  readonly ip?: () => string
  /** Knows the ranges of indexed blocks; by default all stored blocks count as indexed. */
  readonly keeper?: Pick<IndexKeeper, 'spans'>
  /** Additional health checks, such as an indexer's checks. */
  readonly checks?: readonly Check[]
  readonly registries?: () => readonly Registry[]
  /** Returns whether a chain has been bootstrapped; by default every chain has. */
  readonly isBootstrapped?: (chain: ChainAlias) => boolean
  /** Issues transactions if the configuration names no upstream; by default they are rejected then. */
  readonly issuer?: Issuer | undefined
  /** Further data for operators, such as the progress of an indexer in this process. */
  readonly parts?: readonly Operators.Parts[] | undefined
  readonly now?: () => number
  readonly random?: () => number
  readonly fetch?: typeof fetch
  /** Folder to which `admin.stacktrace` writes; by default the data folder. */
  readonly workingFolder?: string
  /** Limits of connections that override the configuration. */
  readonly connectionLimits?: Partial<ConnectionLimits.ConnectionLimits> | undefined
}
