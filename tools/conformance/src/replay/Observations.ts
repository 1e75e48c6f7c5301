import { Bytes, Json, NodeId } from '@firn/codec'
import { Networks } from '@firn/genesis'
import type { Peers } from '@firn/node-api'
import { InfoMethods, type Result } from '@firn/rpc'
import type { Exchange } from './Exchange.ts'

type Answer<M extends keyof typeof InfoMethods> = Result<typeof InfoMethods, M>

/** Identity, peers and uptime measurements of a recorded node, read from its own responses. */
export interface Observations {
  readonly identity: {
    readonly nodeId: Uint8Array
    readonly publicKey: Uint8Array
    readonly proofOfPossession: Uint8Array
  }
  /** Address such as `127.0.0.1:9651`; empty if the node reported no address. */
  readonly ip: string
  readonly peers: readonly Peers.ConnectedPeer[]
  /** The node's measurements of validators of the Primary Network, by NodeID. */
  readonly validators: ReadonlyMap<string, Measured>
}

/** A node's measurements of a validator. */
export interface Measured {
  /** Uptime as a fraction from 0 to 1. */
  readonly uptime: number
  readonly isConnected: boolean
}

/** Returns the longest recorded result of a JSON-RPC method, or undefined if there is none. */
function longest<M extends keyof typeof InfoMethods>(
  exchanges: readonly Exchange[],
  name: M,
): Answer<M> | undefined {
  const bodies = exchanges
    .filter(({ method, answer }) => method === name && answer.body.includes('"result":{'))
    .map(({ answer }) => answer.body)
    .sort((a, b) => b.length - a.length)
  if (bodies[0] === undefined) return undefined
  const { result } = Json.parse(bodies[0]) as { readonly result: Json.Json }
  return InfoMethods[name].result.parse(result, 'result') as Answer<M>
}

interface ReportedValidator {
  readonly nodeID: string
  readonly uptime?: string
  readonly connected?: boolean
}

function validatorsOf(exchanges: readonly Exchange[]): Map<string, Measured> {
  const measured = new Map<string, Measured>()
  for (const { method, answer } of exchanges) {
    if (method !== 'platform.getCurrentValidators') continue
    const { result } = JSON.parse(answer.body) as { result?: { validators: readonly ReportedValidator[] } }
    for (const { nodeID: nodeId, uptime, connected = false } of result?.validators ?? []) {
      if (uptime !== undefined) measured.set(nodeId, { uptime: Number(uptime) / 100, isConnected: connected })
    }
  }
  return measured
}

/**
 * Returns the {@link Observations} from the exchanges that were recorded at one port. Uses `nodeId` if the
 * exchanges do not contain the node's own NodeID.
 */
export function of(exchanges: readonly Exchange[], nodeId: string): Observations {
  const self = longest(exchanges, 'info.getNodeID')
  const connected = longest(exchanges, 'info.peers')
  return {
    identity: {
      nodeId: self?.nodeID ?? NodeId.parse(nodeId),
      publicKey: self?.nodePOP.publicKey ?? new Uint8Array(48),
      proofOfPossession: self?.nodePOP.proofOfPossession ?? new Uint8Array(96),
    },
    validators: validatorsOf(exchanges),
    ip: longest(exchanges, 'info.getNodeIP')?.ip ?? '',
    peers: (connected?.peers ?? []).map(({ benched: _, nodeID: nodeId, ...peer }) => ({
      ...peer,
      nodeId,
      lastSent: Date.parse(peer.lastSent),
      lastReceived: Date.parse(peer.lastReceived),
      trackedSubnets: peer.trackedSubnets.filter((id) => !Bytes.equals(id, Networks.PRIMARY_NETWORK_ID)),
    })),
  }
}
