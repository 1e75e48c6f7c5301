import type { Peers } from '@firn/node-api'
import { Endpoint, type Peer, Version } from '@firn/p2p'

/** Returns what the Info API reports of a connection. */
export function describePeer({
  nodeId,
  remote,
  info,
  lastSent,
  lastReceived,
  observedUptime,
}: Peer): Peers.ConnectedPeer {
  return {
    nodeId,
    ip: Endpoint.format(remote),
    publicIP: info === undefined ? '' : Endpoint.format(info.endpoint),
    version: info === undefined ? '' : Version.format(info.version),
    upgradeTime: Number(info?.upgradeTime ?? 0),
    lastSent,
    lastReceived,
    observedUptime,
    trackedSubnets: info?.trackedSubnets ?? [],
    supportedACPs: info?.supportedAcps ?? [],
    objectedACPs: info?.objectedAcps ?? [],
  }
}
