import { join } from 'node:path'
import { NodeError, type Upstream } from '@firn/node-api'
import type { Identity, Timers } from '@firn/p2p'
import type { Logger } from '@firn/runtime'
import type { Configuration } from '../Configuration.ts'
import * as OwnPeers from './OwnPeers.ts'
import * as UpstreamPeers from './UpstreamPeers.ts'

/** Options of {@link start}. */
export interface ConfiguredPeersOptions {
  readonly configuration: Pick<
    Configuration,
    'networkPeersEnabled' | 'bootstrapIps' | 'bootstrapIds' | 'dataDir'
  >
  readonly networkId: number
  readonly identity: Identity.Identity
  /** Returns the NodeIDs (20 bytes each) of the current validators of the Primary Network. */
  readonly validators: OwnPeers.OwnPeersOptions['validators']
  /** Upstream that is asked for the addresses of validators if no peer has reported them. */
  readonly upstream: Pick<Upstream, 'method'> | undefined
  /** Ids of the tracked subnets, 32 bytes each. Only the first 16 are used. */
  readonly trackedSubnets?: readonly Uint8Array[]
  readonly log: Logger
  readonly timers?: Timers.Timers
}

/**
 * Joins the network if the configuration enables this. Returns undefined otherwise.
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
      `bootstrap-ips and bootstrap-ids: expected one address with a port for each NodeID, got ${JSON.stringify(bootstrapIps.join(','))} and ${JSON.stringify(bootstrapIds.join(','))}`,
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

/** Maximum number of tracked subnets. Nodes reject a handshake with more subnets. */
const MAX_SUBNETS = 16
