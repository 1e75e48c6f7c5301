import { NodeId } from '@firn/codec'
import {
  type ChainAnswers,
  type ChainRequestKind,
  type ClaimedIpPort,
  createPeerServer,
  type Endpoint,
  type InboundChainRequest,
  type Message,
  type Peer,
  type PeerServerOptions,
  type Timers,
} from '@firn/p2p'
import * as Fault from '../Fault.ts'
import type { ValidatorKeys } from '../Validator.ts'
import { isKnown, type View } from './Answers.ts'
import { deliver } from './Delivery.ts'
import * as Lies from './Lies.ts'

/** A validator of a recorded network, which answers requests for blocks. */
export interface BlockValidator {
  readonly index: number
  /** 20 bytes. */
  readonly nodeId: Uint8Array
  /** NodeID as text (`NodeID-…`). */
  readonly nodeIdText: string
  readonly address: Endpoint.Endpoint
  readonly claim: ClaimedIpPort.ClaimedIpPort
  readonly fault: Fault.Fault | null
  readonly counters: Readonly<BlockCounters>
  /** Returns the currently connected peers. */
  peers(): readonly Peer[]
  /**
   * Changes the fault of the validator; null clears it.
   * @throws DevnetError `DEVNET_OPTIONS` if the fault does not concern requests for blocks
   */
  setFault(fault: Fault.Fault | null): void
  /** Closes all connections of the validator. Peers can connect again. */
  disconnect(): void
  close(): Promise<void>
}

/** Counters of a validator. */
export interface BlockCounters {
  requests: number
  /** Requests that were answered, correctly or not. */
  answered: number
}

/** Options of a validator of a recorded network. */
export interface BlockValidatorOptions {
  readonly keys: ValidatorKeys
  readonly networkId: number
  readonly host: string
  readonly port: number
  readonly timers: Timers.Timers
  readonly peersFor: NonNullable<PeerServerOptions['peersFor']>
  readonly server: Pick<PeerServerOptions, 'admission' | 'version' | 'compatibility' | 'limits'>
  /** Returns a chain as all validators know it; undefined for an unknown chain. */
  readonly view: (chainId: Uint8Array) => View | undefined
  readonly fork: Lies.Liar['fork']
  readonly random: (length: number) => Uint8Array
  /** Returns the fault of the next request of a validator whose fault is `any`. */
  readonly anyFault: (ordinal: number) => Fault.Fault | null
}

type Request<K extends ChainRequestKind> = InboundChainRequest<K>
type Answer<K extends ChainRequestKind> = ChainAnswers[K] | undefined

/** Kinds of messages that answer requests. */
const CASES = {
  acceptedFrontier: 'acceptedFrontier',
  accepted: 'accepted',
  ancestors: 'ancestors',
  pullQuery: 'chits',
} as const satisfies Record<ChainRequestKind, Message.Case>

const GET_DEADLINE_NS = 10_000_000_000n

/** A validator's present fault, and what it has counted. */
interface State {
  readonly options: BlockValidatorOptions
  readonly counters: BlockCounters
  fault: Fault.Fault | null
}

/** Creates a validator. Resolves when the validator listens. */
export async function createBlockValidator(options: BlockValidatorOptions): Promise<BlockValidator> {
  const { keys, networkId, host, port, timers, peersFor, server } = options
  const state: State = { options, counters: { requests: 0, answered: 0 }, fault: null }
  const { identity } = keys
  const network = { networkId, identity, host, port, timers, allSubnets: true, peersFor }
  const listening = await createPeerServer({ ...server, ...network, chains: handlersOf(state) })
  const { nodeId } = identity
  return {
    index: keys.index,
    nodeId,
    nodeIdText: NodeId.format(nodeId),
    address: listening.address,
    claim: listening.claim,
    get fault() {
      return state.fault
    },
    counters: state.counters,
    peers: () => listening.peers(),
    setFault(next) {
      if (next !== null) Fault.assertConcerns(next, 'blocks')
      state.fault = next
    },
    disconnect() {
      for (const peer of listening.peers()) peer.destroy()
    },
    close: () => listening.close(),
  }
}

function handlersOf(state: State): NonNullable<PeerServerOptions['chains']> {
  return {
    acceptedFrontier: (request, peer) => answer(state, 'acceptedFrontier', request, peer),
    accepted: (request, peer) => answer(state, 'accepted', request, peer),
    ancestors: (request, peer) => answer(state, 'ancestors', request, peer),
    pullQuery(request, peer) {
      askBack(state.options, request, peer)
      return answer(state, 'pullQuery', request, peer)
    },
  }
}

async function answer<K extends ChainRequestKind>(
  { options, counters, fault }: State,
  kind: K,
  request: Request<K>,
  peer: Peer,
): Promise<Answer<K>> {
  counters.requests += 1
  const view = options.view(request.chainId)
  if (view === undefined) return undefined
  const current = fault?.kind === 'any' ? options.anyFault(counters.requests) : fault
  const { fork, random, timers } = options
  const content = Lies.answer(kind, request, { fault: current, view, fork, random })
  if (content === undefined) return undefined
  const { chainId, requestId } = request
  const message = (id: number) =>
    ({ case: CASES[kind], value: { chainId, requestId: id, ...content } }) as Message.BodyInit
  if (!(await deliver(current, { peer, requestId, message, timers }))) return undefined
  counters.answered += 1
  return content
}

/** Asks a peer for a block that it named in a query and that is unknown, as nodes do. */
function askBack(
  options: BlockValidatorOptions,
  { chainId, containerId, requestId }: Request<'pullQuery'>,
  peer: Peer,
): void {
  const view = options.view(chainId)
  if (view === undefined || isKnown(view, containerId)) return
  peer.send({ case: 'get', value: { chainId, requestId, deadline: GET_DEADLINE_NS, containerId } })
}
