import { Bytes } from '@firn/codec'
import * as Frame from './Frame.ts'
import type { Failure, Outgoing, Readers } from './internal/OutboundRequests.ts'
import { assertRequest, type NextId, wireDeadline } from './internal/request.ts'
import * as Message from './Message.ts'

/** An application request to send to a peer. */
export interface AppRequestInit {
  /** Id of the chain, 32 bytes; the P-chain's is all zeros. */
  readonly chainId: Uint8Array
  /**
   * Handler prefix and body. An array that is sent to several peers is encoded only once, so do not modify it between
   * the calls.
   */
  readonly bytes: Uint8Array
  /**
   * Milliseconds to wait for the answer after the request has been written to the socket. The deadline sent to the
   * peer is at most 10,000, because nodes do not allow more.
   */
  readonly deadlineMs: number
  /** Called once, when the request has been written to the socket. Until then, the request is queued on this side. */
  readonly onSent?: () => void
  /** Called with an answer that arrives after the time-out, or after the signal aborted. */
  readonly onLateAnswer?: (answer: PeerAnswer) => void
}

/** A peer's answer to a request. */
export type PeerAnswer =
  | { readonly kind: 'response'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }

/** The outcome of a request. Every request that is not aborted has exactly one. */
export type AppAnswer = PeerAnswer | Failure

/** Error codes of the application layer that apply to every chain. */
export const ERROR = {
  undefined: 0,
  unexpected: -1,
  unregisteredHandler: -2,
  notValidator: -3,
  throttled: -4,
} as const

/** Bytes of a frame's body around the `bytes` of a request: chain, id, deadline, and the lengths of all fields. */
const ENVELOPE_LENGTH = 55

/**
 * Maximum length of a request's `bytes` with the handler prefix, in bytes. A longer request does not fit into a frame.
 */
export const MAX_REQUEST_BYTES = Frame.MAX_LENGTH - ENVELOPE_LENGTH

/** Options of {@link createEncoder}. */
export interface EncoderOptions {
  readonly compress: boolean
  readonly nextId: NextId
}

/**
 * Encodes requests as frames. Repeated calls with the same `bytes` array, chain and deadline return the same frame.
 */
export type Encoder = (request: AppRequestInit) => Outgoing<PeerAnswer>

/** Creates an encoder. */
export function createEncoder({ compress, nextId }: EncoderOptions): Encoder {
  const cache = new WeakMap<
    Uint8Array,
    { readonly request: AppRequestInit; readonly outgoing: Outgoing<PeerAnswer> }
  >()
  const encode = (request: AppRequestInit): Outgoing<PeerAnswer> => {
    const { chainId, bytes } = request
    const requestId = nextId()
    const value = { chainId, requestId, deadline: wireDeadline(request.deadlineMs), appBytes: bytes }
    const frame = Frame.encode(Message.encode({ case: 'appRequest', value }, { compress }))
    return { requestId, chainId, frame, readers, renew: () => encode(request) }
  }
  return (request) => {
    const known = cache.get(request.bytes)
    if (
      known?.request.deadlineMs === request.deadlineMs &&
      Bytes.equals(known.request.chainId, request.chainId)
    )
      return known.outgoing
    assertRequest(request)
    const own = { chainId: request.chainId.slice(), bytes: request.bytes, deadlineMs: request.deadlineMs }
    const outgoing = encode(own)
    cache.set(request.bytes, { request: own, outgoing })
    return outgoing
  }
}

const readers: Readers<PeerAnswer> = {
  appResponse: ({ appBytes }) => ({ kind: 'response', bytes: appBytes.slice() }),
  appError: ({ errorCode, errorMessage }) => ({ kind: 'error', code: errorCode, message: errorMessage }),
}
