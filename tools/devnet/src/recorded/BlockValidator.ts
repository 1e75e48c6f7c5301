import { NodeId } from '@firn/codec'
import {
  type ChainAnswers,
  type ChainRequestKind,
  type ClaimedIpPort,
  createPeerServer,
  type Endpoint,
  Frame,
  type InboundChainRequest,
  Message,
  type Peer,
  type PeerServer,
  type PeerServerOptions,
  type Timers,
} from '@firn/p2p'
import * as Fault from '../Fault.ts'
import type { ValidatorKeys } from '../Validator.ts'
import { isKnown, type View } from './Answers.ts'
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

/** Creates a validator. Resolves when the validator listens. */
export async function createBlockValidator(options: BlockValidatorOptions): Promise<BlockValidator> {
  const { keys, networkId, host, port, timers, peersFor, server } = options
  const counters: BlockCounters = { requests: 0, answered: 0 }
  let fault: Fault.Fault | null = null
  const listening: PeerServer = await createPeerServer({
    ...server,
    networkId,
    identity: keys.identity,
    host,
    port,
    timers,
    allSubnets: true,
    peersFor,
    chains: {
      acceptedFrontier: (request, peer) => onRequest('acceptedFrontier', request, peer),
      accepted: (request, peer) => onRequest('accepted', request, peer),
      ancestors: (request, peer) => onRequest('ancestors', request, peer),
      pullQuery(request, peer) {
        askBack(request, peer)
        return onRequest('pullQuery', request, peer)
      },
    },
  })
  const { nodeId } = keys.identity
  return {
    index: keys.index,
    nodeId,
    nodeIdText: NodeId.format(nodeId),
    address: listening.address,
    claim: listening.claim,
    get fault() {
      return fault
    },
    counters,
    peers: () => listening.peers(),
    setFault(next) {
      if (next !== null) Fault.assertConcerns(next, 'blocks')
      fault = next
    },
    disconnect() {
      for (const peer of listening.peers()) peer.destroy()
    },
    close: () => listening.close(),
  }

  async function onRequest<K extends ChainRequestKind>(
    kind: K,
    request: Request<K>,
    peer: Peer,
  ): Promise<Answer<K>> {
    counters.requests += 1
    const view = options.view(request.chainId)
    if (view === undefined) return undefined
    const current = fault?.kind === 'any' ? options.anyFault(counters.requests) : fault
    const { fork, random } = options
    const answer = Lies.answer(kind, request, { fault: current, view, fork, random })
    if (answer === undefined) return undefined
    const { chainId, requestId } = request
    const message = (id: number) =>
      ({ case: CASES[kind], value: { chainId, requestId: id, ...answer } }) as Message.BodyInit
    if (!(await deliver(current, peer, requestId, message))) return undefined
    counters.answered += 1
    return answer
  }

  /** Sends what a fault adds to an answer. Returns whether to send the answer itself. */
  async function deliver(
    current: Fault.Fault | null,
    peer: Peer,
    requestId: number,
    message: (requestId: number) => Message.BodyInit,
  ): Promise<boolean> {
    switch (current?.kind) {
      case 'silent':
        return false
      case 'disconnect':
        peer.destroy()
        return false
      case 'cut': {
        const frame = Frame.encode(Message.encode(message(requestId)))
        peer.sendRaw(frame.subarray(0, Math.ceil(frame.length / 2)))
        peer.close()
        return false
      }
      case 'slow': {
        const { ms } = current
        await new Promise<void>((resolve) => timers.setTimer(resolve, ms))
        return true
      }
      case 'garbage':
        peer.sendFrame(Uint8Array.of(0xff, 0x01, 0x02, 0x03, 0x04))
        return true
      case 'unasked':
        // Peers choose even or odd ids that increase, so these two are not in flight.
        for (const id of [(requestId ^ 1) >>> 0, (requestId + 1_000_000) >>> 0]) peer.send(message(id))
        return true
      case 'repeat':
        for (let times = 1; times < current.times; times += 1) peer.send(message(requestId))
        return true
      default:
        return true
    }
  }

  /** Asks a peer for a block that it named in a query and that is unknown, as nodes do. */
  function askBack({ chainId, containerId, requestId }: Request<'pullQuery'>, peer: Peer): void {
    const view = options.view(chainId)
    if (view === undefined || isKnown(view, containerId)) return
    peer.send({ case: 'get', value: { chainId, requestId, deadline: GET_DEADLINE_NS, containerId } })
  }
}

const GET_DEADLINE_NS = 10_000_000_000n
