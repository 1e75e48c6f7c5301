import { ClaimBook, type ClaimedIpPort, type Peer, type PeerServerOptions } from '@firn/p2p'
import type { Validator } from '../Validator.ts'

/** Gossip of validator addresses, as in a network in which all nodes are connected to each other. */
export interface Gossip {
  /** Adds a listening node. `isPrimary` says whether the node validates the Primary Network. */
  add(validator: Pick<Validator, 'claim'>, isPrimary: boolean): void
  readonly peersFor: NonNullable<PeerServerOptions['peersFor']>
}

/**
 * Creates the gossip of a network without nodes. Nodes that validate only L1s are announced to peers that
 * request all subnets or track one of these L1s.
 */
export function createGossip(now: () => bigint, random: (length: number) => Uint8Array): Gossip {
  const book = () => ClaimBook.createClaimBook({ isTracked: () => false, now, random })
  const primary = book()
  const all = book()
  const isInterested = (peer: Peer, query: ClaimBook.PeersQuery) =>
    query.allSubnets || (peer.info?.trackedSubnets.length ?? 0) > 0
  return {
    add({ claim }, isPrimary) {
      all.add(claim)
      if (isPrimary) primary.add(claim)
    },
    peersFor: (peer, query): readonly ClaimedIpPort.ClaimedIpPort[] =>
      (isInterested(peer, query) ? all : primary).select(query, peer.nodeId),
  }
}
