import type { TLSSocket } from 'node:tls'
import type { KnownPeers } from '../ClaimBook.ts'
import * as Frame from '../Frame.ts'
import type * as Handshake from '../Handshake.ts'
import * as Message from '../Message.ts'
import { P2pError } from '../P2pError.ts'
import type { PeerState } from '../Peer.ts'
import type { PeerCertificate } from './certificate.ts'
import { InboundRequests } from './InboundRequests.ts'
import { Intake } from './Intake.ts'
import { Keepalive } from './Keepalive.ts'
import type { LivePeer, PeerContext } from './LivePeer.ts'
import { isAnswer, OutboundRequests } from './OutboundRequests.ts'
import { Outbox } from './Outbox.ts'
import * as protocol from './protocol.ts'
import { fromSocketError } from './socketError.ts'

/** Options of {@link PeerConnection}. The TLS handshake must be complete. */
export interface PeerConnectionOptions {
  readonly socket: TLSSocket
  readonly direction: 'outbound' | 'inbound'
  readonly certificate: PeerCertificate
  readonly context: PeerContext
}

/** Runs the peer protocol over one socket. */
export class PeerConnection implements LivePeer {
  readonly direction: 'outbound' | 'inbound'
  readonly remote: { readonly host: string; readonly port: number }
  readonly context: PeerContext
  readonly peerCertificate: PeerCertificate
  readonly requests: OutboundRequests
  readonly inbound: InboundRequests
  readonly keepalive: Keepalive
  state: PeerState = 'handshaking'
  info: Handshake.PeerInfo | undefined
  known: KnownPeers | undefined
  closeReason: P2pError | undefined
  roundTripMs: number | undefined
  lastSent: number
  lastReceived: number
  observedUptime = 0
  isHandshakeSent = false
  pingSentAt: number | undefined
  isPongDue = false
  checkedKey: Uint8Array | null = null
  readonly gone: Promise<void>
  #onGone: () => void = () => undefined
  readonly #socket: TLSSocket
  readonly #outbox: Outbox
  readonly #intake: Intake
  readonly #splitter: Frame.Splitter

  constructor(options: PeerConnectionOptions) {
    const { socket, context } = options
    const { limits, timers, counters } = context
    this.#socket = socket
    this.context = context
    this.direction = options.direction
    this.lastSent = timers.now()
    this.lastReceived = this.lastSent
    this.gone = new Promise((resolve) => {
      this.#onGone = resolve
    })
    this.peerCertificate = options.certificate
    this.remote = { host: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 }
    this.#outbox = new Outbox({
      socket,
      limits,
      timers,
      counters,
      onBlocked: () => this.#fail('P2P_WRITE_BLOCKED', limits.writeBlockedMs),
    })
    this.#intake = new Intake({ socket, limits, timers, counters })
    this.#splitter = Frame.createSplitter({
      onBody: this.#onBody,
      onProgress: () => this.keepalive.progress(),
    })
    this.keepalive = new Keepalive({
      limits,
      timers,
      isPaused: () => this.#intake.isPaused,
      onTick: () => protocol.tick(this),
      onIdle: () => this.#fail('P2P_IDLE', limits.idleMs),
      onLate: () => this.#fail('P2P_HANDSHAKE_TIMEOUT', limits.handshakeMs),
    })
    this.requests = new OutboundRequests({
      limits,
      timers,
      counters,
      send: (frame, onWritten) => this.sendRaw(frame, onWritten),
    })
    this.inbound = new InboundRequests({
      limits,
      timers,
      counters,
      send: (body) => this.send(body),
      work: (change) => this.#intake.work(change),
      handle: (request, reply) => context.onAppRequest(this, request, reply),
      handleChain: (kind, request) => context.chains[kind]?.(request, this),
    })
  }

  start(): void {
    const socket = this.#socket
    const { open } = this.context
    socket.setNoDelay(true)
    open.add(this)
    socket.on('close', () => {
      open.delete(this)
      this.#onGone()
    })
    socket.on('data', this.#onData)
    socket.on('end', () => this.#finish(new P2pError('P2P_REMOTE_CLOSED', 'the peer ended the connection')))
    socket.on('close', () => this.#finish(new P2pError('P2P_REMOTE_CLOSED', 'the connection is closed')))
    socket.on('error', (error) => this.#finish(fromSocketError(error)))
    if (this.context.role === 'node') protocol.sendHandshake(this)
  }

  get nodeId(): Uint8Array {
    return this.peerCertificate.nodeId
  }

  get certificate(): Uint8Array {
    return this.peerCertificate.der
  }

  send(body: Message.BodyInit, options?: { readonly compress?: boolean }): boolean {
    const compress = options?.compress ?? (this.context.compress && Message.isCompressedByNodes(body.case))
    return this.sendFrame(Message.encode(body, { compress }))
  }

  sendFrame(body: Uint8Array): boolean {
    return this.sendRaw(Frame.encode(body))
  }

  sendRaw(bytes: Uint8Array, onWritten?: () => void): boolean {
    if (this.state === 'closed' || !this.#outbox.write(bytes, onWritten)) return false
    this.lastSent = this.context.timers.now()
    return true
  }

  close(reason: P2pError = new P2pError('P2P_CLOSED', 'closed by this side')): void {
    if (this.state === 'closed') return
    const socket = this.#socket
    this.#finish(reason)
    // Further input is read and discarded, because unread bytes would turn the end of the stream into a
    // reset.
    socket.off('data', this.#onData)
    socket.on('data', () => undefined)
    socket.end()
    const timer = this.context.timers.setTimer(() => socket.destroy(), this.context.limits.closingMs)
    socket.on('close', () => timer.cancel())
  }

  destroy(): void {
    this.#finish(new P2pError('P2P_CLOSED', 'destroyed by this side'))
    this.#socket.destroy()
  }

  #fail(code: 'P2P_WRITE_BLOCKED' | 'P2P_IDLE' | 'P2P_HANDSHAKE_TIMEOUT', ms: number): void {
    const what = {
      P2P_WRITE_BLOCKED: 'the peer has not read any data',
      P2P_IDLE: 'no frame arrived',
      P2P_HANDSHAKE_TIMEOUT: 'the connection did not become ready',
    }
    this.close(new P2pError(code, `${what[code]} within ${ms} ms`, { details: { ms } }))
  }

  #finish(reason: P2pError): void {
    if (this.state === 'closed') return
    this.state = 'closed'
    this.closeReason = reason
    this.keepalive.stop()
    this.#outbox.stop()
    this.#intake.stop()
    this.inbound.stop()
    this.requests.close(reason.message)
    this.context.onClose(this, reason)
  }

  readonly #onData = (chunk: Buffer): void => {
    this.context.counters.bytesRead += chunk.length
    try {
      // The chunk is wrapped in a plain Uint8Array, because a Buffer's `slice` does not copy.
      this.#splitter.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length))
    } catch (error) {
      this.#closeFor(error)
    }
  }

  /**
   * Handles a frame's body. A body that cannot be decoded is counted and skipped, as in nodes. A violated
   * rule ends only this connection.
   */
  readonly #onBody = (body: Uint8Array): boolean => {
    this.context.counters.framesRead++
    this.lastReceived = this.context.timers.now()
    const message = this.#read(body)
    if (message !== undefined && this.context.onMessage?.(this, message) !== true) {
      try {
        protocol.receive(this, message)
      } catch (error) {
        this.#closeFor(error)
      }
    }
    return !this.#isClosed()
  }

  #read(body: Uint8Array): Message.Body | undefined {
    const { counters, onMessage } = this.context
    let size = body.length
    let message: Message.Body | undefined
    try {
      const plain = Message.unwrap(body)
      size = Math.max(size, plain.length)
      const kind = Message.peek(plain)
      if (kind === undefined) counters.unknownMessages++
      // Consensus messages are not handled by this side, so they are not even decoded.
      else if (onMessage !== undefined || protocol.isHandled(this, kind)) message = Message.decodePlain(plain)
      else counters.ignoredMessages++
    } catch (error) {
      if (!(error instanceof P2pError)) throw error
      counters.malformedMessages++
    }
    // Requested answers are not charged: their number is limited, and an `ancestors` answer alone may use up the burst.
    if (message === undefined || !isAnswer(message) || !this.requests.isAwaited(message))
      this.#intake.charge(size)
    return message
  }

  #isClosed(): boolean {
    return this.state === 'closed'
  }

  #closeFor(error: unknown): void {
    if (!(error instanceof P2pError)) throw error
    this.close(error)
  }
}
