import { generateKeyPairSync } from 'node:crypto'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { type ConnectionOptions, connect, createServer, type TLSSocket } from 'node:tls'
import { ProofOfPossession, PublicKey, SecretKey, Signature } from '@firn/bls'
import * as ClaimedIpPort from '../ClaimedIpPort.ts'
import * as Endpoint from '../Endpoint.ts'
import * as Frame from '../Frame.ts'
import * as Identity from '../Identity.ts'
import { contextOptions } from '../internal/tls.ts'
import type { BlsChecks } from '../Limits.ts'
import * as Message from '../Message.ts'
import { certificateDer } from './certificates.ts'

/** Helpers for tests: peers that exchange frames over TLS and follow no protocol rules. */

export const NETWORK_ID = 12_345
export const CHAIN = new Uint8Array(32).fill(3)
export const SECOND = 1_000

export const blsKey = SecretKey.decode(new Uint8Array(32).fill(7))
export const blsPublicKey = PublicKey.encode(SecretKey.publicKey(blsKey))
export const blsSign = (message: Uint8Array): Uint8Array =>
  Signature.encode(ProofOfPossession.sign(blsKey, message))
/** The point at infinity: a valid encoding of a point, but not a signature of any message. */
export const INFINITY = Uint8Array.from({ length: 96 }, (_, i) => (i === 0 ? 0xc0 : 0))

export const bls: BlsChecks = {
  isSignature: (signature) => {
    try {
      Signature.decode(signature)
      return true
    } catch {
      return false
    }
  },
  verify: (publicKey, message, signature) =>
    ProofOfPossession.verify(PublicKey.decode(publicKey), message, Signature.decode(signature)),
}

/**
 * Returns a new identity that is cheap to create: the platform creates the key, and the BLS signatures are
 * constant.
 */
export function cheapIdentity(): Identity.Identity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return Identity.create({
    certificate: Uint8Array.from(certificateDer(publicKey, privateKey)),
    privateKey: Uint8Array.from(privateKey.export({ type: 'pkcs8', format: 'der' })),
    blsSign: () => INFINITY,
  })
}

export interface Raw {
  readonly identity: Identity.Identity
  readonly socket: TLSSocket
  readonly received: Message.Body[]
  send(body: Message.BodyInit, options?: { compress?: boolean }): void
  frame(body: Uint8Array): void
  write(bytes: Uint8Array): void
  /** Returns the next message of a kind, which may have been received before the call. */
  next<Kind extends Message.Case>(kind: Kind): Promise<Extract<Message.Body, { case: Kind }>['value']>
  /**
   * Resolves when the connection has ended: with `end` after an orderly close, with `error` after a failure.
   */
  readonly closed: Promise<'end' | 'error'>
  readonly isOpen: boolean
}

/** Wraps an established TLS socket for a test. */
export function rawOf(socket: TLSSocket, identity: Identity.Identity): Raw {
  const received: Message.Body[] = []
  const waiting: { kind: Message.Case; resolve: (value: never) => void; reject: (error: Error) => void }[] =
    []
  let isOpen = true
  let failed = false
  const splitter = Frame.createSplitter({
    onBody: (body) => {
      const message = Message.decode(body)
      const at = waiting.findIndex(({ kind }) => kind === message.case)
      if (at >= 0) waiting.splice(at, 1)[0]?.resolve(message.value as never)
      else received.push(message)
      return true
    },
  })
  socket.on('data', (chunk: Buffer) => splitter.push(new Uint8Array(chunk)))
  socket.on('error', () => {
    failed = true
  })
  const closed = new Promise<'end' | 'error'>((resolve) => {
    socket.on('close', () => {
      isOpen = false
      for (const { kind, reject } of waiting)
        reject(new Error(`the connection closed while waiting for ${kind}`))
      resolve(failed ? 'error' : 'end')
    })
  })
  return {
    identity,
    socket,
    received,
    send: (body, options) => void socket.write(Frame.encode(Message.encode(body, options))),
    frame: (body) => void socket.write(Frame.encode(body)),
    write: (bytes) => void socket.write(bytes),
    next: (kind) =>
      new Promise((resolve, reject) => {
        const at = received.findIndex((message) => message.case === kind)
        if (at >= 0) resolve(received.splice(at, 1)[0]?.value as never)
        else if (!isOpen) reject(new Error(`the connection closed before ${kind} arrived`))
        else waiting.push({ kind, resolve, reject })
      }),
    closed,
    get isOpen() {
      return isOpen
    },
  }
}

/** Connects to a server and completes the TLS handshake. */
export function connectRaw(
  address: Endpoint.Endpoint,
  identity = cheapIdentity(),
  options: ConnectionOptions = contextOptions(identity),
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...address, rejectUnauthorized: false, ...options })
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      socket.off('error', reject)
      resolve(rawOf(socket, identity))
    })
  })
}

/** Opens a plain TCP connection, sends `bytes`, and resolves when the connection is closed. */
export function tcpUntilClosed(address: Endpoint.Endpoint, bytes?: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const socket = connectTcp(address, () => {
      if (bytes !== undefined) socket.write(bytes)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    socket.resume()
  })
}

export type HandshakeInit = Extract<Message.BodyInit, { case: 'handshake' }>['value']

export interface Address {
  readonly ipAddr?: Uint8Array
  readonly ipPort?: number
  readonly timestamp?: bigint
}

/** Returns a Handshake that nodes accept, with the given address signed by the identity. */
export function handshake(
  identity: Identity.Identity,
  now: bigint,
  address: Address = {},
): HandshakeInit & object {
  const { ipAddr = new Uint8Array(4), ipPort = 1, timestamp = now } = address
  const signed = {
    ipAddr: ipAddr.length === 4 ? ipAddr : Endpoint.normalize(ipAddr),
    ipPort: ipPort & 0xffff,
    timestamp,
  }
  return {
    networkId: NETWORK_ID,
    myTime: now,
    ipAddr,
    ipPort,
    ipSigningTime: timestamp,
    ipNodeIdSig: identity.tlsSign(ClaimedIpPort.signedBytes(signed)),
    client: { name: 'avalanchego', major: 1, minor: 15, patch: 0 },
    ipBlsSig: INFINITY,
  }
}

/** Completes the peer handshake as a client. */
export async function becomeReady(raw: Raw, now: bigint): Promise<void> {
  await raw.next('handshake')
  raw.send({ case: 'handshake', value: handshake(raw.identity, now) })
  raw.send({ case: 'peerList', value: {} })
  await raw.next('peerList')
}

/** A TLS server whose connections are controlled by a test. */
export interface RawServer {
  readonly identity: Identity.Identity
  readonly address: Endpoint.Endpoint
  /** All connections so far. */
  readonly accepted: Raw[]
  /** Returns the next connection that no earlier call has returned. */
  next(): Promise<Raw>
  close(): Promise<void>
}

/** Starts a TLS server on a free port. */
export async function listenRaw(identity = cheapIdentity()): Promise<RawServer> {
  const accepted: Raw[] = []
  const queue: Raw[] = []
  const waiting: ((raw: Raw) => void)[] = []
  const server = createServer(
    { ...contextOptions(identity), requestCert: true, rejectUnauthorized: false },
    (socket) => {
      const raw = rawOf(socket, identity)
      accepted.push(raw)
      const taker = waiting.shift()
      if (taker === undefined) queue.push(raw)
      else taker(raw)
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    identity,
    address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    accepted,
    next: () => {
      const first = queue.shift()
      return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first)
    },
    close: () => {
      for (const raw of accepted) raw.socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Completes the peer handshake as a node, which sends its Handshake first. */
export async function welcome(raw: Raw, now: bigint): Promise<void> {
  raw.send({ case: 'handshake', value: handshake(raw.identity, now) })
  await raw.next('handshake')
  await raw.next('peerList')
  raw.send({ case: 'peerList', value: {} })
}

/** Makes a round trip, so that the remote side has processed everything sent before. */
export async function settle(raw: Raw): Promise<void> {
  raw.send({ case: 'ping', value: {} })
  await raw.next('pong')
}
