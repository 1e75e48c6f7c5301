import { constants } from 'node:crypto'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls'
import { Bytes, NodeId } from '@firn/codec'
import { assertWellFormed, type PeersQuery } from './ClaimBook.ts'
import * as ClaimedIpPort from './ClaimedIpPort.ts'
import type { Counters } from './Counters.ts'
import type { Endpoint } from './Endpoint.ts'
import { ADMISSION, Admission, type AdmissionLimits } from './internal/Admission.ts'
import { baseContext, seconds } from './internal/context.ts'
import { keyOf } from './internal/keyOf.ts'
import type { LivePeer, PeerContext } from './internal/LivePeer.ts'
import { PeerConnection } from './internal/PeerConnection.ts'
import { fromSocketError } from './internal/socketError.ts'
import { contextOptions, endQuietly, peerCertificate } from './internal/tls.ts'
import { NODE } from './Limits.ts'
import { P2pError, type P2pErrorCode } from './P2pError.ts'
import type { Peer } from './Peer.ts'
import type { PeerOptions } from './PeerOptions.ts'
import type { Timer } from './Timers.ts'

export type { AdmissionLimits } from './internal/Admission.ts'

/** Options of {@link createPeerServer}. */
export interface PeerServerOptions extends PeerOptions {
  /** The address to listen on; default 127.0.0.1. */
  readonly host?: string
  /** The port to listen on; default 0, which means any free port. */
  readonly port?: number
  /** The address to announce to peers; default: the address of the listener. */
  readonly announce?: Endpoint
  readonly admission?: Partial<AdmissionLimits>
  /** Milliseconds after which a TLS handshake is aborted; default 15,000. */
  readonly tlsMs?: number
  /** Returns whether a NodeID may connect. Default: every NodeID may. */
  readonly isAllowed?: (nodeId: Uint8Array) => boolean
  /** Returns the claims to send to a peer; at most 15 are sent. Default: none. */
  readonly peersFor?: (peer: Peer, query: PeersQuery) => readonly ClaimedIpPort.ClaimedIpPort[]
  /**
   * Handles the claims of a PeerList, for example with a `ClaimBook`. If it throws a P2pError, the connection
   * is closed. Default: checks only the format of the claims, like a node that tracks none of the NodeIDs.
   */
  readonly onClaims?: (peer: Peer, claims: readonly ClaimedIpPort.ClaimedIpPort[]) => void
  readonly onReady?: (peer: Peer) => void
  /** Called for every connection that ends, even if it was never ready. */
  readonly onClose?: (peer: Peer, reason: P2pError) => void
  /** Called for a connection that was refused before it became a peer. */
  readonly onRefused?: (remote: Endpoint, reason: P2pError) => void
}

/** The listening side of the protocol: one TLS listener of one NodeID. */
export interface PeerServer {
  /** The node's id, 20 bytes. */
  readonly nodeId: Uint8Array
  /** The address that the server listens on. */
  readonly address: Endpoint
  /** This node's signed address, which other nodes can send to their peers. */
  readonly claim: ClaimedIpPort.ClaimedIpPort
  /** Returns the open connections, ready or not. */
  peers(): readonly Peer[]
  readonly counters: Readonly<Counters>
  /** Stops listening, closes every connection, and resolves when all are closed. */
  close(): Promise<void>
}

/**
 * Creates a server and resolves when it listens.
 * @throws (rejects) P2pError `P2P_ARGUMENT`, `P2P_SOCKET`
 * @example
 * ```ts
 * import { ProofOfPossession, SecretKey } from '@firn/bls'
 * import { createPeerServer, Identity } from '@firn/p2p'
 *
 * const secretKey = SecretKey.random()
 * const identity = Identity.create({
 *   blsSign: (message) => ProofOfPossession.sign(secretKey, message).compressed,
 * })
 * const server = await createPeerServer({ networkId: 12345, identity, host: '127.0.0.1', port: 0 })
 * await server.close()
 * ```
 */
export async function createPeerServer(options: PeerServerOptions): Promise<PeerServer> {
  const server = new ListeningServer(options)
  await server.listen()
  return server
}

class ListeningServer implements PeerServer {
  readonly counters: Readonly<Counters>
  readonly #options: PeerServerOptions
  readonly #context: PeerContext
  readonly #admission: Admission
  readonly #admissionLimits: AdmissionLimits
  readonly #listener: Server
  readonly #tls: TlsServer
  readonly #peers = new Map<string, LivePeer>()
  /** Accepted sockets that are still open. */
  readonly #sockets = new Set<Socket>()
  /** Timers of TLS handshakes in progress, by remote address and port. */
  readonly #securing = new Map<string, Timer>()
  #isClosed = false
  #address: Endpoint = { host: '', port: 0 }
  #claim: ClaimedIpPort.ClaimedIpPort | undefined
  #blsSignature: Uint8Array | undefined

  constructor(options: PeerServerOptions) {
    const base = baseContext(options, { role: 'node', limits: NODE, compress: true, allSubnets: false })
    this.#options = options
    this.counters = base.counters
    this.#admissionLimits = { ...ADMISSION, ...options.admission }
    this.#admission = new Admission(this.#admissionLimits, base.timers)
    this.#context = {
      ...base,
      address: () => ({ claim: this.claim, blsSignature: this.#signBls() }),
      known: () => undefined,
      peersFor: options.peersFor ?? (() => []),
      onClaims: options.onClaims ?? ((_peer, claims) => claims.forEach(assertWellFormed)),
      onReady: (peer) => options.onReady?.(peer),
      onClose: (peer, reason) => {
        this.#peers.delete(keyOf(peer.nodeId))
        options.onClose?.(peer, reason)
      },
    }
    this.#listener = createServer({ noDelay: true }, (socket) => this.#onAccept(socket))
    this.#tls = createTlsServer({
      ...contextOptions(options.identity),
      requestCert: true,
      rejectUnauthorized: false,
      // Sessions are never resumed here, and issuing tickets would add a tenth to the cost of a handshake.
      secureOptions: constants.SSL_OP_NO_TICKET,
      // The timer of Node.js restarts with every byte, so a client that sends slowly would never time out.
      handshakeTimeout: 0,
    })
    this.#tls.on('secureConnection', (socket) => this.#onSecure(socket))
    this.#tls.on('tlsClientError', (error, socket) => {
      this.#securing.get(remoteOf(socket))?.cancel()
      this.#refused(socket, fromSocketError(error))
      socket.destroy()
    })
  }

  get nodeId(): Uint8Array {
    return this.#options.identity.nodeId
  }

  get address(): Endpoint {
    return this.#address
  }

  get claim(): ClaimedIpPort.ClaimedIpPort {
    const { identity, announce = this.#address } = this.#options
    this.#claim ??= ClaimedIpPort.create(identity, announce, seconds(this.#context.timers))
    return this.#claim
  }

  peers(): readonly Peer[] {
    return [...this.#peers.values()]
  }

  listen(): Promise<void> {
    const { host = '127.0.0.1', port = 0 } = this.#options
    return new Promise((resolve, reject) => {
      const onError = (error: Error): void => reject(fromSocketError(error))
      this.#listener.once('error', onError)
      this.#listener.listen(port, host, () => {
        this.#listener.off('error', onError)
        const { address, port: bound } = this.#listener.address() as AddressInfo
        this.#address = { host: address, port: bound }
        resolve()
      })
    })
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const reason = new P2pError('P2P_SHUTDOWN', 'the server is shutting down')
    const stopped = new Promise<void>((resolve) => this.#listener.close(() => resolve()))
    const open = [...this.#context.open]
    for (const peer of open) peer.close(reason)
    await Promise.all(open.map((peer) => peer.gone))
    for (const socket of this.#sockets) socket.destroy()
    await stopped
  }

  /**
   * Creates the signature at the first connection and not at the start, because it takes milliseconds and a
   * process may run a thousand servers.
   */
  #signBls(): Uint8Array {
    this.#blsSignature ??= this.#options.identity.blsSign(ClaimedIpPort.signedBytes(this.claim))
    return this.#blsSignature
  }

  #onAccept(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => undefined)
    const wait = this.#admission.take()
    if (wait === 0) this.#upgrade(socket)
    else this.#context.timers.setTimer(() => this.#upgrade(socket), wait)
  }

  #upgrade(socket: Socket): void {
    if (socket.destroyed) return
    if (this.#isClosed) this.#cut(socket, 'P2P_SHUTDOWN', 'the server is shutting down')
    else if (this.#sockets.size > this.#admissionLimits.connections)
      this.#cut(socket, 'P2P_CONNECTION_LIMIT', 'too many connections')
    else if (!this.#admission.isWelcome(socket.remoteAddress ?? ''))
      this.#cut(
        socket,
        'P2P_COOLDOWN',
        'too many connections from this address; try again after the cooldown',
      )
    else this.#secure(socket)
  }

  #secure(socket: Socket): void {
    const { tlsMs = 15_000 } = this.#options
    const remote = remoteOf(socket)
    const timer = this.#context.timers.setTimer(
      () => this.#cut(socket, 'P2P_TLS', `the TLS handshake did not complete within ${tlsMs} ms`),
      tlsMs,
    )
    this.#securing.set(remote, timer)
    socket.on('close', () => {
      timer.cancel()
      this.#securing.delete(remote)
    })
    this.#tls.emit('connection', socket)
  }

  #cut(socket: Socket, code: P2pErrorCode, message: string): void {
    this.#refused(socket, new P2pError(code, message))
    socket.destroy()
  }

  #onSecure(socket: TLSSocket): void {
    this.#securing.get(remoteOf(socket))?.cancel()
    try {
      const certificate = peerCertificate(socket)
      this.#assertAdmissible(certificate.nodeId)
      const peer = new PeerConnection({ socket, direction: 'inbound', certificate, context: this.#context })
      this.#peers.set(keyOf(certificate.nodeId), peer)
      peer.start()
    } catch (error) {
      if (!(error instanceof P2pError)) throw error
      this.#refused(socket, error)
      endQuietly(socket, this.#context.timers, this.#context.limits.closingMs)
    }
  }

  #assertAdmissible(nodeId: Uint8Array): void {
    const { isAllowed } = this.#options
    const text = NodeId.format(nodeId)
    if (Bytes.equals(nodeId, this.nodeId))
      throw new P2pError('P2P_OWN_NODE_ID', `${text} is this node's own NodeID`)
    if (isAllowed?.(nodeId) === false)
      throw new P2pError('P2P_NOT_ALLOWED', `${text} is not allowed to connect`)
    if (this.#isClosed) throw new P2pError('P2P_SHUTDOWN', 'the server is shutting down')
    if (this.#peers.has(keyOf(nodeId))) throw new P2pError('P2P_DUPLICATE', `${text} is already connected`)
  }

  #refused(socket: Socket, reason: P2pError): void {
    this.#options.onRefused?.({ host: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 }, reason)
  }
}

function remoteOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`
}
