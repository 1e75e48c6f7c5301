import { Signature } from '@firn/bls'
import { Bytes } from '@firn/codec'
import { Acp118 } from '@firn/warp'
import type { Answer } from '../Transport.ts'
import * as Keys from './Keys.ts'

/** The behaviour of a simulated node. */
export type Behaviour =
  | { readonly kind: 'honest'; readonly ms?: number }
  /** Does not respond before the time `until`, or never if it is absent; the transport reports the time-out. */
  | { readonly kind: 'silent'; readonly until?: number }
  /** Never responds, and the transport never reports a time-out. */
  | { readonly kind: 'blackhole' }
  | { readonly kind: 'refuse'; readonly code: number; readonly message: string }
  /** Refuses with an error code until the given time, then signs. */
  | { readonly kind: 'lag'; readonly code: number; readonly until: number }
  /** Responds with the signature of another key. */
  | { readonly kind: 'wrong-signature'; readonly ms?: number }
  | { readonly kind: 'other-message' }
  | { readonly kind: 'short' | 'long' | 'infinity' | 'off-curve' | 'garbage' | 'empty' | 'no-bytes' }
  /**
   * Responds with its signature plus or minus a fixed point. One with a plus and one with a minus form a valid
   * aggregate.
   */
  | { readonly kind: 'cancelling'; readonly sign: 1 | -1 }
  /** Breaks the connection; signs from the time `until` on. */
  | { readonly kind: 'disconnect'; readonly until?: number }
  /** This side cannot send the request before the time `until`. */
  | { readonly kind: 'unsent'; readonly until: number }
  /** Makes the transport throw an error. */
  | { readonly kind: 'throw' }
  /**
   * Cannot be reached before `until`, or never if it is absent. With `pending`, the transport reports a
   * connection in progress.
   */
  /** Another program reports the answer of a node with this behaviour. */
  | { readonly kind: 'reported'; readonly behaviour: Behaviour }
  | { readonly kind: 'unconnected'; readonly pending?: boolean; readonly until?: number }

/**
 * Returns the response of a node with this key to a request at time `now`, or undefined if it does not
 * respond.
 */
export function answer(
  behaviour: Behaviour,
  key: number,
  message: Uint8Array,
  now: number,
): Answer | undefined {
  switch (behaviour.kind) {
    case 'honest':
    case 'unconnected':
      return respond(Keys.sign(key, message).compressed)
    case 'silent':
      return now < (behaviour.until ?? Number.POSITIVE_INFINITY)
        ? undefined
        : respond(Keys.sign(key, message).compressed)
    case 'blackhole':
    case 'throw':
      return undefined
    case 'refuse':
      return { kind: 'error', code: behaviour.code, message: behaviour.message }
    case 'lag':
      return now < behaviour.until
        ? { kind: 'error', code: behaviour.code, message: 'not accepted yet' }
        : respond(Keys.sign(key, message).compressed)
    case 'disconnect':
      return now < (behaviour.until ?? Number.POSITIVE_INFINITY)
        ? { kind: 'disconnected', reason: 'connection reset' }
        : respond(Keys.sign(key, message).compressed)
    case 'unsent':
      return now < behaviour.until
        ? { kind: 'unsent', reason: 'the queue is full' }
        : respond(Keys.sign(key, message).compressed)
    case 'reported':
      return { ...answer(behaviour.behaviour, key, message, now), reportedBy: 'another' } as Answer
    case 'garbage':
      return { kind: 'response', bytes: Uint8Array.of(0xff, 0xff, 0x01, 0x80) }
    case 'no-bytes':
      return { kind: 'response', bytes: new Uint8Array() }
    default:
      return respond(signatureBytes(behaviour, key, message))
  }
}

function signatureBytes(behaviour: Behaviour, key: number, message: Uint8Array): Uint8Array {
  const own = Keys.sign(key, message).compressed
  switch (behaviour.kind) {
    case 'wrong-signature':
      return Keys.sign(key + 1, message).compressed
    case 'other-message':
      return Keys.sign(key, Bytes.concat(message, Uint8Array.of(1))).compressed
    case 'short':
      return own.slice(0, 95)
    case 'long':
      return Bytes.concat(own, Uint8Array.of(0))
    case 'infinity':
      return Uint8Array.of(0xc0, ...new Uint8Array(95))
    case 'off-curve':
      return own.map((byte, i) => (i === 95 ? byte ^ 1 : byte))
    case 'cancelling':
      return cancelling(own, behaviour.sign)
    default:
      return new Uint8Array()
  }
}

/** The bit of a compressed point that selects one of its two y coordinates. */
const SIGN_BIT = 0x20

function cancelling(own: Uint8Array, sign: 1 | -1): Uint8Array {
  const error = Keys.sign(0, new TextEncoder().encode('a cancelling error')).compressed
  const signed = sign === 1 ? error : error.map((byte, i) => (i === 0 ? byte ^ SIGN_BIT : byte))
  return Signature.aggregate([Signature.decode(own), Signature.decode(signed)]).compressed
}

function respond(signature: Uint8Array): Answer {
  return { kind: 'response', bytes: Acp118.encodeResponse({ signature }) }
}
