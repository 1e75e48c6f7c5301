import { Hex } from '@firn/codec'
import { Endpoint } from '@firn/p2p'
import type { Clock, Logger } from '@firn/runtime'
import { createBoundedCache } from '../internal/boundedCache.ts'
import type { PChain } from '../p-chain/PChain.ts'
import type { PeerNetwork } from './PeerNetwork.ts'

/** Maximum number of node ids per call of `info.peers`. */
const PEERS_BATCH = 1000
/** Time in milliseconds until the address of an unreachable validator is requested for the second time. */
const FIRST_DELAY_MS = 1_000
const MAX_NODES = 65_536

/** Options of {@link createAddressBook}. */
export interface AddressBookDependencies {
  readonly network: Pick<PeerNetwork, 'connection' | 'addEndpoint'>
  readonly pChain: Pick<PChain, 'peers'>
  readonly clock: Clock
  readonly log: Logger
  /** Whether to connect to loopback and private-network addresses. */
  readonly allowPrivate: boolean
  /** Maximum time between two requests for the address of a validator, in milliseconds. */
  readonly refreshMs: number
}

/**
 * Requests the addresses of unconnected validators (20 bytes each) from the node API, and adds them to the network. The
 * address of a validator is requested at once, then after 1 s, 2 s and so on up to the refresh period, until the
 * validator is connected. Calls in between do nothing.
 */
export type AddressBook = (nodeIds: readonly Uint8Array[], signal: AbortSignal) => Promise<void>

/** The back-off of one validator: the current delay, and the time of the next request. */
interface Wait {
  readonly delayMs: number
  readonly dueAt: number
}

/** Creates an {@link AddressBook} that uses the node API. */
export function createAddressBook(dependencies: AddressBookDependencies): AddressBook {
  const { network, clock, refreshMs } = dependencies
  const waits = createBoundedCache<Wait>(MAX_NODES)
  return async (nodeIds, signal) => {
    const now = clock.now()
    const missing: { readonly nodeId: Uint8Array; readonly name: string }[] = []
    for (const nodeId of nodeIds) {
      const isConnected = network.connection(nodeId).state === 'connected'
      if (isConnected && waits.size === 0) continue
      const name = Hex.encodeBare(nodeId)
      if (isConnected) waits.delete(name)
      else missing.push({ nodeId, name })
    }
    const remaining = (name: string) => (waits.peek(name)?.dueAt ?? now) - now
    if (!missing.some(({ name }) => remaining(name) <= 0)) return
    // Validators that are almost due are included, which combines many small requests into one.
    const due = missing.filter(({ name }) => remaining(name) <= (waits.peek(name)?.delayMs ?? 0) / 2)
    for (const { name } of due) {
      const before = waits.peek(name)?.delayMs
      const delayMs = Math.min(before === undefined ? FIRST_DELAY_MS : 2 * before, refreshMs)
      waits.set(name, { delayMs, dueAt: now + delayMs })
    }
    await request(
      dependencies,
      due.map(({ nodeId }) => nodeId),
      signal,
    )
  }
}

async function request(
  { network, pChain, log, allowPrivate }: AddressBookDependencies,
  nodeIds: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<void> {
  let found = 0
  for (let start = 0; start < nodeIds.length; start += PEERS_BATCH) {
    for (const { nodeId, address } of await pChain.peers(nodeIds.slice(start, start + PEERS_BATCH), signal)) {
      const endpoint = endpointOf(address)
      if (endpoint === undefined || (!allowPrivate && Endpoint.isPrivate(endpoint.host))) continue
      network.addEndpoint(nodeId, endpoint)
      found++
    }
  }
  log.debug({ missing: nodeIds.length, found }, 'requested addresses of validators')
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
