import type { Answer, Transport, TransportRequest } from '@firn/aggregation'
import { Hex, Id } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import { Counter, type Registry } from 'prom-client'
import type { Claims, Key, SharedAnswer } from './Claims.ts'

/** Options of {@link createSharedTransport}. */
export interface SharedTransportDependencies {
  readonly claims: Claims
  readonly clock: Clock
  readonly register: Registry
}

/**
 * Returns a function that wraps a transport, so that each request to a node is sent by only one aggregator of the
 * fleet. The others wait for the answer, and send the request themselves when that aggregator ends.
 */
export function createSharedTransport({
  claims,
  clock,
  register,
}: SharedTransportDependencies): (inner: Transport) => Transport {
  const shared = new Counter({
    name: 'signature_aggregator_shared_answers_total',
    help: 'Number of validators’ answers that were taken from another aggregator of the fleet',
    registers: [register],
  })
  const hash = createHashing()
  return (inner) => ({
    connection: inner.connection,
    request: async (nodeId, request, signal) => {
      const key = { request: hash(request.bytes), node: Hex.encodeBare(nodeId) }
      const onSent = once(request.onSent)
      for (;;) {
        const claim = await claims.take(key)
        if (claim.kind === 'own') return send(claims, inner, key, nodeId, { ...request, onSent }, signal)
        // The node has the request, so its time has started.
        onSent()
        const answer =
          claim.kind === 'held' ? await waitFor(claims, clock, key, request.deadlineMs, signal) : claim
        if (answer !== undefined) {
          if (answer.kind !== 'timeout') shared.inc()
          return answer
        }
      }
    },
  })
}

/** Sends a request and shares its answer. */
async function send(
  claims: Claims,
  inner: Transport,
  key: Key,
  nodeId: Uint8Array,
  request: TransportRequest,
  signal: AbortSignal,
): Promise<Answer> {
  let isSent = false
  // A request that was sent before this run ended may still be answered.
  const end = () => (signal.aborted && isSent ? claims.leave(key) : claims.release(key))
  const answer = await inner
    .request(
      nodeId,
      {
        ...request,
        onSent: () => {
          isSent = true
          request.onSent()
        },
        onLateResponse: (bytes) => {
          claims.answer(key, { kind: 'response', bytes })
          request.onLateResponse(bytes)
        },
      },
      signal,
    )
    .catch((error: unknown) => {
      end()
      throw error
    })
  if (answer.kind === 'response' || answer.kind === 'error') claims.answer(key, answer)
  else end()
  return answer
}

/** Waits for a shared answer for at most `ms`. Returns undefined if the request must be claimed again. */
async function waitFor(
  claims: Claims,
  clock: Clock,
  key: Key,
  ms: number,
  signal: AbortSignal,
): Promise<SharedAnswer | { readonly kind: 'timeout' } | undefined> {
  const limit = new AbortController()
  const done = new AbortController()
  clock.sleep(ms, done.signal).then(
    () => limit.abort(),
    () => undefined,
  )
  const answer = await claims.wait(key, AbortSignal.any([limit.signal, signal]))
  done.abort()
  return answer ?? (limit.signal.aborted || signal.aborted ? { kind: 'timeout' } : undefined)
}

function once(call: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    call()
  }
}

/** Returns a function that hashes request bodies. The same body is sent to many nodes, so it is hashed once. */
function createHashing(): (bytes: Uint8Array) => string {
  const hashes = new WeakMap<Uint8Array, string>()
  return (bytes) => {
    const hash = hashes.get(bytes) ?? Hex.encodeBare(Id.hash(bytes))
    hashes.set(bytes, hash)
    return hash
  }
}
