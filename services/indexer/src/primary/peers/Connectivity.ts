import type { P2pError, P2pErrorCode } from '@firn/p2p'

/** The connections to the nodes that decide which blocks are accepted. */
export interface Connections {
  /** `beacons` if the nodes are those that are asked first. */
  readonly voters: 'beacons' | 'validators'
  /** Number of these nodes, and of connected ones. */
  readonly count: number
  readonly connected: number
  /** Weight of all of these nodes, and of the connected ones. */
  readonly totalWeight: bigint
  readonly connectedWeight: bigint
  /** For each node that is not connected, why the last attempt failed; undefined before the first failure. */
  readonly errors: readonly (P2pError | undefined)[]
}

/** Why too little weight is connected. */
export interface Problem {
  /** The most frequent kind of error; undefined before the first one. */
  readonly kind: Kind | undefined
  /** What is wrong, and what to do. */
  readonly text: string
}

/**
 * Returns what is wrong if not more than half of the weight is connected, so that no block can be accepted. Returns
 * undefined if enough is connected. `announced` is the version that this side announces.
 */
export function problem(connections: Connections, announced: string): Problem | undefined {
  const { voters, count, connected, totalWeight, connectedWeight, errors } = connections
  if (2n * connectedWeight > totalWeight) return undefined
  const percent = totalWeight === 0n ? 0n : (100n * connectedWeight) / totalWeight
  const share = voters === 'beacons' ? '' : `, with ${percent} % of the stake,`
  const state = `${connected} of ${count} ${voters}${share} are connected, but more than half are needed.`
  const error = mostFrequent(errors.filter((one) => one !== undefined))
  const kind = error && kindOf(error)
  return { kind, text: `Cannot sync from peers: ${state} ${advice(kind, error, announced)}` }
}

/** What an error says about the reason, so that errors of the same kind can be counted. */
type Kind = 'clock' | 'version' | 'closed' | 'network' | 'identity' | 'unreachable'

const KINDS: Partial<Record<P2pErrorCode, Kind>> = {
  P2P_CLOCK: 'clock',
  P2P_IP_TIMESTAMP: 'clock',
  P2P_VERSION: 'version',
  P2P_REMOTE_CLOSED: 'closed',
  P2P_NETWORK_ID: 'network',
  P2P_WRONG_NODE_ID: 'identity',
}

const kindOf = ({ code }: P2pError): Kind => KINDS[code] ?? 'unreachable'

/** Returns the first error of the most frequent kind. */
function mostFrequent(errors: readonly P2pError[]): P2pError | undefined {
  const counts = new Map<Kind, number>()
  for (const error of errors) counts.set(kindOf(error), (counts.get(kindOf(error)) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return errors.find((error) => counts.get(kindOf(error)) === most)
}

const CHECK_NETWORK =
  'Check the network connection, and that the firewall allows outgoing TCP connections to their ports, usually 9651.'

function advice(kind: Kind | undefined, error: P2pError | undefined, announced: string): string {
  if (kind === undefined || error === undefined) return `They have not answered yet. ${CHECK_NETWORK}`
  switch (kind) {
    case 'clock':
      return `${difference(error)} Set the system time, and keep it synchronized, for example by NTP.`
    case 'version':
      return `Their version is not compatible with ${announced}: ${error.message}. Upgrade Firn.`
    case 'closed':
      return `They closed the connection to a peer with version ${announced}, so they may require a later one. Upgrade Firn.`
    case 'network':
      return `They belong to another network: ${error.message}. Check --network-id and --bootstrap-ips.`
    case 'identity':
      return `Other nodes answer at their addresses: ${error.message}. Check --bootstrap-ids and --bootstrap-ips, and that no proxy intercepts TLS connections.`
    case 'unreachable':
      return `They cannot be reached: ${error.message}. ${CHECK_NETWORK}`
  }
}

function difference({ details }: P2pError): string {
  const { theirs, now } = details as { readonly theirs?: unknown; readonly now?: unknown }
  if (typeof theirs !== 'bigint' || typeof now !== 'bigint') return 'The clock of this machine is wrong.'
  const [seconds, relation] = now < theirs ? [theirs - now, 'behind'] : [now - theirs, 'ahead of']
  return `The clock of this machine is ${seconds} s ${relation} theirs.`
}
