import * as Frame from './Frame.ts'
import type { Failure } from './internal/OutboundRequests.ts'
import type { Peer } from './Peer.ts'

/**
 * The requests with which a node reads a chain of a peer. `chainId` and all container ids are 32 bytes, `deadlineMs` is
 * the time in milliseconds to wait for the answer after the request has been written to the socket. Receivers reduce a
 * deadline to 10,000 ms.
 *
 * A container is a block with its proposervm header, a bare block from before proposervm, or a vertex of the
 * X-chain's DAG. Nodes do not answer at all if they do not know the chain, are still bootstrapping (`pullQuery`), or
 * are too busy.
 */
export interface ChainRequests {
  /** Asks for the id of the last accepted container. */
  acceptedFrontier: { readonly chainId: Uint8Array; readonly deadlineMs: number }
  /** Asks which of at most {@link MAX_CONTAINERS} containers are accepted. */
  accepted: {
    readonly chainId: Uint8Array
    readonly containerIds: readonly Uint8Array[]
    readonly deadlineMs: number
  }
  /** Asks for a container and its ancestors: of a linear chain (`chain`), or of the X-chain's DAG (`dag`). */
  ancestors: {
    readonly chainId: Uint8Array
    readonly containerId: Uint8Array
    readonly engine: 'chain' | 'dag'
    readonly deadlineMs: number
  }
  /**
   * Asks what the peer prefers and has accepted. `containerId` should be a container that the peer knows, for example
   * the last accepted one, because a node asks back for one that it does not know. `requestedHeight` selects
   * `preferredIdAtHeight` of the answer.
   */
  pullQuery: {
    readonly chainId: Uint8Array
    readonly containerId: Uint8Array
    readonly requestedHeight: bigint
    readonly deadlineMs: number
  }
}

/** The answers to {@link ChainRequests}, by the name of the request. All ids are 32 bytes. */
export interface ChainAnswers {
  acceptedFrontier: { readonly containerId: Uint8Array }
  /** The accepted ones of the containers asked for, each once, in any order. */
  accepted: { readonly containerIds: readonly Uint8Array[] }
  /**
   * The container asked for, then its parent and so on; empty if the peer does not have it. Which containers these are
   * is not checked; there are at most {@link MAX_CONTAINERS}.
   */
  ancestors: { readonly containers: readonly Uint8Array[] }
  pullQuery: {
    readonly preferredId: Uint8Array
    readonly preferredIdAtHeight: Uint8Array
    readonly acceptedId: Uint8Array
    readonly acceptedHeight: bigint
  }
}

/** The name of a chain request. */
export type ChainRequestKind = keyof ChainRequests

/**
 * What a peer answered: `malformed` if the answer does not have the form described at {@link ChainAnswers}. Messages
 * that are not protobuf at all are dropped like answers of another kind, so such a request times out.
 */
export type ChainReply<Kind extends ChainRequestKind> =
  | { readonly kind: 'answer'; readonly answer: ChainAnswers[Kind] }
  | { readonly kind: 'malformed'; readonly reason: string }

/** The outcome of a chain request. Every request that is not aborted has exactly one. */
export type ChainAnswer<Kind extends ChainRequestKind> = ChainReply<Kind> | Failure

/** A chain request of a peer that arrived before its deadline. `deadlineMs` is the time that was left on arrival. */
export type InboundChainRequest<Kind extends ChainRequestKind> = ChainRequests[Kind] & {
  readonly requestId: number
  /** Time at which the peer stops waiting, in milliseconds as returned by `Timers.monotonic()`. */
  readonly expiresAt: number
}

/**
 * Handlers for the chain requests of peers. A request without a handler is ignored, and one for which the handler
 * returns undefined, throws or rejects gets no answer. Answers are sent as they are, and dropped after the deadline of
 * the request. A promise must settle, because only `Limits.chainRequestsInWork` handlers of one peer run at once.
 */
export type ChainHandlers = {
  readonly [Kind in ChainRequestKind]?: (
    request: InboundChainRequest<Kind>,
    peer: Peer,
  ) => ChainAnswers[Kind] | undefined | Promise<ChainAnswers[Kind] | undefined>
}

/** Maximum number of containers in an `ancestors` answer, and of ids in an `accepted` request. */
export const MAX_CONTAINERS = 2_000

/**
 * Maximum number of bytes of the containers in an `ancestors` answer, 4/5 of a frame. Each container counts
 * {@link CONTAINER_OVERHEAD} bytes more than it has.
 */
export const MAX_ANCESTORS_BYTES = Math.floor((4 * Frame.MAX_LENGTH) / 5)

/** Number of bytes that a container in an `ancestors` answer counts besides its content. */
export const CONTAINER_OVERHEAD = 4

/**
 * Returns the first ones of `containers`, as many as nodes put into one `ancestors` answer: at most
 * {@link MAX_CONTAINERS} with {@link MAX_ANCESTORS_BYTES} bytes in all, but always the first one. Takes no more
 * elements from the iterable than needed.
 *
 * @example
 * ```ts
 * import { limitAncestors } from '@firn/p2p'
 *
 * function* ancestors() {
 *   for (let height = 5_000; height > 0; height--) yield new Uint8Array(1_000)
 * }
 * limitAncestors(ancestors()).length // 1671
 * ```
 */
export function limitAncestors(containers: Iterable<Uint8Array>): Uint8Array[] {
  const taken: Uint8Array[] = []
  let bytes = 0
  for (const container of containers) {
    bytes += container.length + CONTAINER_OVERHEAD
    if (taken.length > 0 && bytes > MAX_ANCESTORS_BYTES) break
    taken.push(container)
    if (taken.length === MAX_CONTAINERS) break
  }
  return taken
}
