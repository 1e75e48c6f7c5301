import { ClaimBook, type ClaimedIpPort, type Peer, type PeerServerOptions } from '@firn/p2p'
import type { Validator } from '../Validator.ts'

/** Gossip between validators, as in a network in which every node is connected to every other. */
export interface Gossip {
  /** Adds a node that listens; `isPrimary` when it validates the Primary Network. */
  add(validator: Validator, isPrimary: boolean): void
  readonly peersFor: NonNullable<PeerServerOptions['peersFor']>
}

/** Returns empty gossip. Validators of L1s only are sent to peers that ask for all subnets or track one. */
export function createGossip(now: () => bigint, random: (length: number) => Uint8Array): Gossip {
  const book = () => ClaimBook.createClaimBook({ wants: () => false, now, random })
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
