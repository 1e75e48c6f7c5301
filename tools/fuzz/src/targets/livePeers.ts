import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import {
  type ChainRequestKind,
  createNetwork,
  createPeerServer,
  Frame,
  type Identity,
  limitAncestors,
  Message,
  type NetworkOptions,
  type PeerServerOptions,
} from '@firn/p2p'
import * as Corpus from '../Corpus.ts'
import { contextOf, dial, handshake, identity, NETWORK_ID, type RawPeer, wrap } from '../RawPeer.ts'
import type { Session, Target } from '../Target.ts'

/** Maximum time in milliseconds that a correct peer may take for one step. Rate limits may delay the peer. */
const PATIENCE = 8_000
const CASE_LIMIT = 30_000
/**
 * Weight of the target when the time is divided. A case opens sockets and takes a hundred times as long as a
 * case of a decoder.
 */
const SHARE = 4
const CHAIN = new Uint8Array(32).fill(3)

const request = { chainId: CHAIN, requestId: 1, deadline: 1_000_000_000n, appBytes: CHAIN }
const messages: readonly Message.BodyInit[] = [
  { case: 'ping', value: { uptime: 100 } },
  { case: 'pong', value: {} },
  { case: 'getPeerList', value: {} },
  { case: 'peerList', value: {} },
  { case: 'appRequest', value: request },
  { case: 'appResponse', value: { chainId: CHAIN, requestId: 1, appBytes: CHAIN } },
  { case: 'appError', value: { chainId: CHAIN, requestId: 1, errorCode: -1, errorMessage: 'x' } },
  { case: 'appGossip', value: { chainId: CHAIN, appBytes: Uint8Array.of(0, 0x0a, 1, 7) } },
  { case: 'getAcceptedFrontier', value: request },
  { case: 'getAccepted', value: { ...request, containerIds: [CHAIN, CHAIN] } },
  { case: 'getAncestors', value: { ...request, containerId: CHAIN, engineType: 1 } },
  { case: 'pullQuery', value: { ...request, containerId: CHAIN, requestedHeight: 9n } },
]

const chits = { preferredId: CHAIN, preferredIdAtHeight: CHAIN, acceptedId: CHAIN, acceptedHeight: 1n }
/** Handlers for everything that a peer can request. */
const handlers: Pick<PeerServerOptions, 'onAppRequest' | 'onGossip' | 'chains'> = {
  onAppRequest: (_peer, { bytes }, reply) => reply.response(bytes),
  onGossip: ({ transactions }) => void transactions.length,
  chains: {
    acceptedFrontier: () => ({ containerId: CHAIN }),
    accepted: ({ containerIds }) => Promise.resolve({ containerIds }),
    ancestors: ({ containerId }) => ({ containers: limitAncestors([containerId, CHAIN]) }),
    pullQuery: () => Promise.resolve(chits),
  },
}

/** Chain requests with their answers. */
const exchanges: readonly { readonly kind: ChainRequestKind; readonly answer: Message.BodyInit }[] = [
  { kind: 'acceptedFrontier', answer: { case: 'acceptedFrontier', value: { containerId: CHAIN } } },
  { kind: 'accepted', answer: { case: 'accepted', value: { containerIds: [CHAIN] } } },
  { kind: 'ancestors', answer: { case: 'ancestors', value: { containers: [CHAIN, Uint8Array.of(1)] } } },
  { kind: 'pullQuery', answer: { case: 'chits', value: chits } },
]

const bodies = (own: Identity.Identity): readonly Uint8Array[] => [
  ...messages.map((message) => Message.encode(message)),
  ...messages.map((message) => Message.encode(message, { compress: true })),
  Message.encode(handshake(own)),
  ...Corpus.bytes('p2p/vectors/p2p', 'bytes', /^message$/),
]

/**
 * Checks that a peer answers a Ping or disconnects after a hostile frame. Returns a description of the
 * problem if it stays silent.
 */
const answersOrEnds = async (raw: RawPeer, input: Uint8Array): Promise<string | undefined> => {
  raw.frame(input)
  raw.send({ case: 'ping', value: {} })
  const isSound = (await raw.sees('pong', PATIENCE)) || !raw.isOpen
  return isSound ? undefined : `no answer and no disconnect within ${PATIENCE} ms`
}

/** Starts a Firn peer server. Its rate limits are raised so that fast tests do not reach them. */
const startServer = () =>
  createPeerServer({
    networkId: NETWORK_ID,
    identity: identity(),
    admission: { acceptsPerSecond: 1e6, acceptsBurst: 1e6 },
    ...handlers,
  })

const join = async (address: { host: string; port: number }, own: Identity.Identity) => {
  const raw = await dial(address, own)
  if (!raw || !(await raw.sees('handshake', PATIENCE))) return undefined
  raw.send(handshake(own))
  raw.send({ case: 'peerList', value: {} })
  return (await raw.sees('peerList', PATIENCE)) ? raw : undefined
}

const NOT_SERVED = 'a correct peer is no longer served'

/** Opens a target that sends frames with hostile bodies to a Firn peer server after a correct handshake. */
const openServerFrames = async (): Promise<Session> => {
  const server = await startServer()
  const own = identity()
  let raw: RawPeer | undefined
  return {
    corpus: bodies(own),
    run: async (input) => {
      if (!raw?.isOpen) raw = await join(server.address, own)
      return raw ? answersOrEnds(raw, input) : NOT_SERVED
    },
    close: async () => {
      raw?.close()
      await server.close()
    },
  }
}

/** Opens a target that sends arbitrary bytes to a Firn peer server directly after the TLS handshake. */
const openServerStream = async (): Promise<Session> => {
  const server = await startServer()
  const own = identity()
  const good = identity()
  const first = Frame.encode(Message.encode(handshake(own)))
  let count = 0
  return {
    corpus: [first, ...bodies(own).map(Frame.encode)],
    run: async (input) => {
      const raw = await dial(server.address, own)
      if (!raw) return 'no TLS connection'
      raw.stream(input)
      raw.send({ case: 'ping', value: {} })
      await raw.ends(5)
      raw.close()
      if (++count % 16 !== 0) return undefined
      const well = await join(server.address, good)
      well?.close()
      return well ? undefined : NOT_SERVED
    },
    close: () => server.close(),
  }
}

/** Starts a server that completes the handshake with a Firn client and then sends hostile frames. */
const startHostile = async (own: Identity.Identity) => {
  const accepted: RawPeer[] = []
  const server = createServer(
    { ...contextOf(own), requestCert: true, rejectUnauthorized: false },
    (socket) => {
      const raw = wrap(socket)
      accepted.push(raw)
      raw.send(handshake(own))
      raw.send({ case: 'peerList', value: {} })
    },
  )
  server.on('tlsClientError', () => undefined)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, accepted, address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port } }
}

/** Starts a Firn client that connects to a hostile node. */
const startClient = async (options: Partial<NetworkOptions> = {}) => {
  const own = identity()
  const { server, accepted, address } = await startHostile(own)
  const network = createNetwork({
    networkId: NETWORK_ID,
    identity: identity(),
    redialMs: 0,
    backoff: { initialMs: 1, maximumMs: 1 },
    discovery: false,
    ...handlers,
    ...options,
  })
  network.addEndpoint(own.nodeId, address)
  network.track([own.nodeId])
  const current = async (): Promise<RawPeer | undefined> => {
    const peer = await network.connected(own.nodeId, AbortSignal.timeout(PATIENCE)).catch(() => undefined)
    return peer && accepted.splice(0).find(({ isOpen }) => isOpen)
  }
  let raw: RawPeer | undefined
  return {
    own,
    network,
    /** Returns the open connection, or undefined if the client does not connect again. */
    connection: async () => {
      if (!raw?.isOpen) raw = await current()
      return raw
    },
    close: async () => {
      await network.close()
      server.close()
    },
  }
}

const NOT_BACK = 'the client does not reconnect'

/** Opens a target that sends frames with hostile bodies to a Firn client. */
const openClient = async (): Promise<Session> => {
  const { own, connection, close } = await startClient()
  return {
    corpus: bodies(own),
    run: async (input) => {
      const raw = await connection()
      return raw ? answersOrEnds(raw, input) : NOT_BACK
    },
    close,
  }
}

/** Number of bytes before the fields of a short message: two for the tag, one for the length. */
const ENVELOPE = 3

/** Adds encoded fields to a short message. */
const extend = (message: Uint8Array, fields: readonly number[]): Uint8Array => {
  const length: number[] = []
  for (let rest = message.length - ENVELOPE + fields.length; ; rest >>>= 7) {
    length.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80)
    if (rest < 0x80) break
  }
  return Uint8Array.from([...message.subarray(0, 2), ...length, ...message.subarray(ENVELOPE), ...fields])
}

/**
 * Opens a target that answers the chain requests of a Firn client. The first byte of an input selects the request and
 * the message, the others are the fields of the message besides the ids, which always match the request.
 */
const openAnswers = async (): Promise<Session> => {
  // The first request has the id 1, and each further one an id that is greater by 2.
  const { own, network, connection, close } = await startClient({
    random: (length) => new Uint8Array(length),
  })
  let requestId = 1
  return {
    corpus: exchanges.map(({ answer }, index) =>
      Uint8Array.from([index * exchanges.length + index, ...Message.encode(answer).subarray(ENVELOPE)]),
    ),
    run: async ([selector = 0, ...fields]) => {
      const raw = await connection()
      if (!raw) return NOT_BACK
      const { kind } = exchanges[selector % exchanges.length] as (typeof exchanges)[number]
      const { answer } = exchanges[
        Math.floor(selector / exchanges.length) % exchanges.length
      ] as (typeof exchanges)[number]
      const controller = new AbortController()
      const question = {
        ...{ chainId: CHAIN, deadlineMs: PATIENCE, containerId: CHAIN, containerIds: [CHAIN] },
        ...({ engine: 'chain', requestedHeight: 1n } as const),
      }
      const outcome = network.ask(kind, own.nodeId, question, controller.signal).catch(() => undefined)
      const ids = Message.encode({
        case: answer.case,
        value: { chainId: CHAIN, requestId },
      } as Message.BodyInit)
      requestId += 2
      const problem = await answersOrEnds(raw, extend(ids, fields))
      controller.abort()
      await outcome
      return problem
    },
    close,
  }
}

/** Targets for both sides of the peer stack, over real sockets on loopback. */
export const livePeerTargets: readonly Target[] = [
  { name: 'peer server, frames', share: SHARE, caseLimitMs: CASE_LIMIT, open: openServerFrames },
  { name: 'peer server, stream', share: SHARE, caseLimitMs: CASE_LIMIT, open: openServerStream },
  { name: 'peer client, answers', share: SHARE, caseLimitMs: CASE_LIMIT, open: openAnswers },
  { name: 'peer client, frames', share: SHARE, caseLimitMs: CASE_LIMIT, open: openClient },
]
