import { Endpoint } from '@firn/p2p'
import type { Logger } from '@firn/runtime'
import type { ValidatorSet } from '@firn/warp'
import type { PChain } from './PChain.ts'
import type { PeerNetwork } from './PeerNetwork.ts'
import { nodesOf } from './Tracking.ts'

/** Maximum number of node ids per call of `info.peers`. */
const PEERS_BATCH = 1000

/** Options of {@link createAddressBook}. */
export interface AddressBookDependencies {
  readonly network: Pick<PeerNetwork, 'connection' | 'addEndpoint'>
  readonly pChain: Pick<PChain, 'peers'>
  readonly log: Logger
  /** Whether to connect to loopback and private-network addresses. */
  readonly allowPrivate: boolean
}

/**
 * Requests the addresses of a set's unconnected validators from the node API, and adds them to the network.
 */
export type AddressBook = (set: ValidatorSet.ValidatorSet, signal: AbortSignal) => Promise<void>

/** Creates an {@link AddressBook} that uses the node API. */
export function createAddressBook({
  network,
  pChain,
  log,
  allowPrivate,
}: AddressBookDependencies): AddressBook {
  return async (set, signal) => {
    const missing = nodesOf(set).filter((nodeId) => network.connection(nodeId).state !== 'connected')
    let found = 0
    for (let start = 0; start < missing.length; start += PEERS_BATCH) {
      for (const { nodeId, address } of await pChain.peers(
        missing.slice(start, start + PEERS_BATCH),
        signal,
      )) {
        const endpoint = endpointOf(address)
        if (endpoint === undefined || (!allowPrivate && Endpoint.isPrivate(endpoint.host))) continue
        network.addEndpoint(nodeId, endpoint)
        found++
      }
    }
    log.debug({ missing: missing.length, found }, 'requested addresses of validators')
  }
}

/**
 * Parses the address of a node. Returns undefined for nodes without an announced address, which are listed
 * with port 0 or an empty string.
 */
function endpointOf(address: string): Endpoint.Endpoint | undefined {
  try {
    const endpoint = Endpoint.parse(address)
    return endpoint.port === 0 ? undefined : endpoint
  } catch {
    return undefined
  }
}
