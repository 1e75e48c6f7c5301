import { connect, type SecureContextOptions, type TLSSocket } from 'node:tls'
import { StakingCertificate, StakingKey } from '@firn/keys'
import { type Endpoint, Frame, Handshake, Identity, Message, Version } from '@firn/p2p'

/** Network id that both peers of a network target use. */
export const NETWORK_ID = 12_345

/** Creates an identity whose BLS signatures are the point at infinity. Such a signature costs no time. */
export const identity = (): Identity.Identity =>
  Identity.create({ blsSign: () => Uint8Array.from({ length: 96 }, (_, index) => (index === 0 ? 0xc0 : 0)) })

/** Returns TLS 1.3 options with the staking certificate of an identity. */
export const contextOf = ({ certificate, privateKey }: Identity.Identity): SecureContextOptions => ({
  cert: StakingCertificate.formatPem(certificate),
  key: StakingKey.formatPem(privateKey),
  minVersion: 'TLSv1.3',
})

/**
 * A peer that follows no protocol rules: it sends the bytes that the target gives it, and records the
 * received messages.
 */
export type RawPeer = {
  readonly isOpen: boolean
  frame(body: Uint8Array): void
  stream(bytes: Uint8Array): void
  send(body: Message.BodyInit): void
  /**
   * Resolves to true when a message of this kind arrives, or to false when the connection ends or after `ms`
   * milliseconds.
   */
  sees(kind: Message.Case, ms: number): Promise<boolean>
  /** Resolves to true if the connection ends within `ms` milliseconds, and to false otherwise. */
  ends(ms: number): Promise<boolean>
  close(): void
}

/**
 * Waits until `done` returns true, the connection ends, or `ms` milliseconds have passed. Resolves to the
 * last result of `done`.
 */
type Until = (done: () => boolean, ms: number) => Promise<boolean>

/**
 * Creates a function that waits for a condition, and a function `notify` that makes it check the condition
 * again.
 */
const createWaiting = (isOver: () => boolean): { readonly notify: () => void; readonly until: Until } => {
  const watchers = new Set<() => void>()
  const until: Until = (done, ms) =>
    new Promise((settle) => {
      const finish = () => {
        clearTimeout(timer)
        watchers.delete(watch)
        settle(done())
      }
      const watch = () => {
        if (done() || isOver()) finish()
      }
      const timer = setTimeout(finish, ms)
      watchers.add(watch)
      watch()
    })
  const notify = () => {
    for (const watcher of watchers) watcher()
  }
  return { notify, until }
}

/** Creates a raw peer on a socket whose TLS handshake is complete. */
export const wrap = (socket: TLSSocket): RawPeer => {
  const seen = new Map<string, number>()
  let isOpen = true
  const { notify, until } = createWaiting(() => !isOpen)
  const splitter = Frame.createSplitter({
    onBody: (body) => {
      const kind = Message.decode(body).case
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      notify()
      return true
    },
  })
  // With Nagle's algorithm, two small writes in a row would wait 40 ms for an acknowledgement.
  socket.setNoDelay(true)
  socket.on('data', (chunk: Uint8Array) => splitter.push(chunk))
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isOpen = false
    notify()
  })
  const write = (bytes: Uint8Array) => {
    if (isOpen) socket.write(bytes)
  }
  return {
    get isOpen() {
      return isOpen
    },
    frame: (body) => write(Frame.encode(body)),
    stream: write,
    send: (body) => write(Frame.encode(Message.encode(body))),
    sees: async (kind, ms) => {
      const came = await until(() => (seen.get(kind) ?? 0) > 0, ms)
      if (came) seen.set(kind, (seen.get(kind) ?? 1) - 1)
      return came
    },
    ends: (ms) => until(() => !isOpen, ms),
    close: () => socket.destroy(),
  }
}

/** Connects and completes the TLS handshake. Resolves to undefined if this fails. */
export const dial = (address: Endpoint.Endpoint, own: Identity.Identity): Promise<RawPeer | undefined> =>
  new Promise((settle) => {
    const socket = connect({ ...address, ...contextOf(own), rejectUnauthorized: false })
    socket.once('error', () => settle(undefined))
    socket.once('secureConnect', () => settle(wrap(socket)))
  })

/** Returns a Handshake message that nodes accept. */
export const handshake = (own: Identity.Identity): Message.BodyInit => {
  const now = BigInt(Math.floor(Date.now() / 1_000))
  const about = {
    networkId: NETWORK_ID,
    version: Version.CLAIMED,
    compatibility: Version.compatibility(NETWORK_ID),
    trackedSubnets: [],
    allSubnets: false,
    supportedAcps: [],
    objectedAcps: [],
  }
  return Handshake.build(
    about,
    Handshake.signAddress(own, { host: '127.0.0.1', port: 9_651 }, now),
    undefined,
    now,
  )
}
