import { isFirnError, Network, NodeId } from '@firn/codec'
import { Beacons, Checkpoints } from '@firn/genesis-data'
import { Endpoint } from '@firn/p2p'
import { IndexerError } from '../../common/IndexerError.ts'
import type { Beacon } from './createDialler.ts'
import type { PeerSourceOptions } from './PeerSource.ts'

/** Networks whose beacons and checkpoints are part of this software. */
const PUBLIC_NETWORKS: readonly number[] = [Network.MAINNET, Network.FUJI]

/** Returns whether this software contains the beacons of a network, so that it can be synced without any option. */
export function hasBeacons(networkId: number | undefined): boolean {
  return networkId !== undefined && PUBLIC_NETWORKS.includes(networkId)
}

/** The options `--bootstrap-ids` and `--bootstrap-ips`. */
export interface BootstrapOptions {
  readonly bootstrapIds: readonly string[]
  readonly bootstrapIps: readonly string[]
}

/**
 * Returns what a peer source needs to know about a network: the given beacons or the published ones, the published
 * checkpoints, and the chains to fetch. The C-chain of mainnet and fuji is too large to be fetched.
 * @throws IndexerError `INDEXER_CONFIGURATION`; GenesisDataError `GENESIS_DATA_DAMAGED`
 */
export async function load(
  networkId: number,
  { bootstrapIds, bootstrapIps }: BootstrapOptions,
): Promise<Pick<PeerSourceOptions, 'beacons' | 'checkpoints' | 'chains'>> {
  const areGiven = bootstrapIds.length > 0 || bootstrapIps.length > 0
  const beacons = areGiven ? parseBeacons(bootstrapIds, bootstrapIps) : await Beacons.of(networkId)
  if (!hasBeacons(networkId)) return { beacons }
  return { beacons, checkpoints: await Checkpoints.of(networkId), chains: ['P', 'X'] }
}

/**
 * Parses the NodeIDs of beacons and their addresses, which list the same nodes in the same order.
 * @throws IndexerError `INDEXER_CONFIGURATION`
 */
export function parseBeacons(ids: readonly string[], ips: readonly string[]): readonly Beacon[] {
  if (ids.length !== ips.length) {
    throw new IndexerError(
      'INDEXER_CONFIGURATION',
      `expected one address in --bootstrap-ips for each NodeID in --bootstrap-ids, got ${ips.length} addresses and ${ids.length} NodeIDs`,
    )
  }
  return ids.map((id, i) => {
    try {
      return { nodeId: NodeId.parse(id), endpoint: Endpoint.parse(ips[i] as string) }
    } catch (cause) {
      if (!isFirnError(cause)) throw cause
      const message = `--bootstrap-ids ${id}, --bootstrap-ips ${ips[i]}: ${cause.message}`
      throw new IndexerError('INDEXER_CONFIGURATION', message, { cause })
    }
  })
}
