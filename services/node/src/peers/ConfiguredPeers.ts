import { join } from 'node:path'
import { type Logger, NodeError, type Upstream } from '@firn/node-api'
import type { Identity, Timers } from '@firn/p2p'
import type { Configuration } from '../Configuration.ts'
import * as OwnPeers from './OwnPeers.ts'
import * as UpstreamPeers from './UpstreamPeers.ts'

/** What {@link start} takes. */
export interface ConfiguredPeersOptions {
  readonly configuration: Pick<
    Configuration,
    'networkPeersEnabled' | 'bootstrapIps' | 'bootstrapIds' | 'dataDir'
  >
  readonly networkID: number
  readonly identity: Identity.Identity
  /** The validators of the Primary Network now, by NodeID (20 bytes). */
  readonly validators: OwnPeers.OwnPeersOptions['validators']
  /** Tells where validators listen that no peer told of. */
  readonly upstream: Pick<Upstream, 'method'> | undefined
  /** At most 16 ids of 32 bytes. */
  readonly trackedSubnets?: readonly Uint8Array[]
  readonly log: Logger
  readonly timers?: Timers.Timers
}

/**
 * Joins the network if the configuration asks for it; undefined if it does not.
 * @throws (rejects) NodeError `NODE_CONFIGURATION`
 */
export async function start(options: ConfiguredPeersOptions): Promise<OwnPeers.OwnPeers | undefined> {
  const { configuration, upstream, trackedSubnets = [], ...rest } = options
  if (!configuration.networkPeersEnabled) return undefined
  const { bootstrapIps, bootstrapIds, dataDir } = configuration
  const bootstrap = UpstreamPeers.bootstrapNodes(bootstrapIps, bootstrapIds)
  if (bootstrap === undefined)
    throw new NodeError(
      'NODE_CONFIGURATION',
      `bootstrap-ips and bootstrap-ids: expected an address with its port for each NodeID, got ${JSON.stringify(bootstrapIps.join(','))} and ${JSON.stringify(bootstrapIds.join(','))}`,
    )
  return OwnPeers.start({
    ...rest,
    bootstrap,
    trackedSubnets: trackedSubnets.slice(0, MAX_SUBNETS),
    uptimesFile: join(dataDir, 'uptimes.json'),
    ...(upstream === undefined
      ? {}
      : { addresses: (nodeIds, signal) => UpstreamPeers.addresses(upstream, nodeIds, signal) }),
  })
}

/** Nodes refuse a handshake with more. */
const MAX_SUBNETS = 16
