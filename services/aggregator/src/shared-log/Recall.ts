import type { AggregationRequest, Aggregator, Prover, SignatureCache } from '@firn/aggregation'
import { Hex, Id, isFirnError } from '@firn/codec'
import type { Clock, Logger } from '@firn/runtime'
import { UnsignedMessage } from '@firn/warp'
import { Counter, type Registry } from 'prom-client'
import type { LogReader } from './LogReader.ts'
import type { LogWriter } from './LogWriter.ts'

/** Options of {@link createRecall}. */
export interface RecallDependencies {
  readonly reader: LogReader
  readonly writer: LogWriter
  readonly clock: Clock
  readonly log: Logger
  readonly register: Registry
}

/** Connects an aggregator and its cache with the message log. Created by {@link createRecall}. */
export interface Recall {
  /** Returns a cache that also writes every new signature to the message log. */
  cache(inner: SignatureCache.SignatureCache): SignatureCache.SignatureCache
  /** Returns an aggregator that looks for stored signatures before it queries validators. */
  aggregator(inner: Aggregator, cache: SignatureCache.SignatureCache, prover: Prover.Prover): Aggregator
}

/** Creates the connection between an aggregator and the message log. */
export function createRecall(dependencies: RecallDependencies): Recall {
  const { writer, clock } = dependencies
  const metrics = createMetrics(dependencies.register)
  const flights = new Map<string, Promise<void>>()
  return {
    cache: (inner) => ({
      get: inner.get,
      remove: inner.remove,
      add: (messageId, proved) => {
        inner.add(messageId, proved)
        writer.addSignature({
          message_id: Hex.encodeBare(messageId),
          public_key: Hex.encodeBare(proved.publicKey.compressed),
          signature: Hex.encodeBare(proved.signature.compressed),
        })
      },
      get bytes() {
        return inner.bytes
      },
      get messages() {
        return inner.messages
      },
      get signatures() {
        return inner.signatures
      },
    }),
    aggregator: (inner, cache, prover) => ({
      aggregate: async (request) => {
        const start = clock.now()
        const messageId = Id.hash(request.message)
        const key = Hex.encodeBare(messageId)
        know(writer, key, request.message)
        if (!isEnough(cache, messageId, request)) {
          // Concurrent requests for a message share one query. It is bounded by the time limit of a prompt statement.
          const { totalWeight, validators } = request.validatorSet
          const name = `${key} ${totalWeight} ${validators.length}`
          const flight = flights.get(name) ?? load(dependencies, cache, prover, messageId, request, metrics)
          flights.set(name, flight)
          await flight.finally(() => flights.delete(name))
        }
        const deadlineMs = Math.max(1, request.deadlineMs - (clock.now() - start))
        return inner.aggregate({ ...request, deadlineMs })
      },
      lately: inner.lately,
      plan: inner.plan,
      get requests() {
        return inner.requests
      },
      get inFlight() {
        return inner.inFlight
      },
    }),
  }
}

function know(writer: LogWriter, messageId: string, message: Uint8Array): void {
  const unsigned = UnsignedMessage.decode(message)
  writer.know({
    message_id: messageId,
    source_chain: Hex.encodeBare(unsigned.sourceChainID),
    unsigned_message: Hex.encodeBare(message),
  })
}

/** Returns whether the cache contains all signatures that a request needs. */
function isEnough(
  cache: SignatureCache.SignatureCache,
  messageId: Uint8Array,
  { validatorSet, quorumPercentage, bufferPercentage = 0 }: AggregationRequest,
): boolean {
  const target = validatorSet.totalWeight * BigInt(quorumPercentage + bufferPercentage)
  let weight = 0n
  for (const validator of validatorSet.validators) {
    if (cache.get(messageId, validator.publicKey) !== undefined) weight += validator.weight * 100n
    if (weight >= target) return true
  }
  return false
}

/**
 * Adds the stored signatures of a message to the cache. They are verified like signatures of validators, so a
 * corrupted database cannot spoil the cache. Without a database, it does nothing.
 */
async function load(
  { reader, log }: RecallDependencies,
  cache: SignatureCache.SignatureCache,
  prover: Prover.Prover,
  messageId: Uint8Array,
  { message, validatorSet }: AggregationRequest,
  metrics: ReturnType<typeof createMetrics>,
): Promise<void> {
  try {
    const stored = await reader.signatures(messageId, 'promptMs')
    if (stored.length === 0) return
    const keys = new Map(
      validatorSet.validators.map(({ publicKey }) => [Hex.encodeBare(publicKey.compressed), publicKey]),
    )
    const received = stored.flatMap(({ publicKey, signature }) => {
      const key = keys.get(Hex.encodeBare(publicKey))
      if (key === undefined || cache.get(messageId, key) !== undefined) return []
      return [{ publicKey: key, signature }]
    })
    const verdicts = await prover.check(message, received)
    const proved = verdicts.filter((verdict) => typeof verdict === 'object')
    for (const one of proved) cache.add(messageId, one)
    metrics.recalled.inc(proved.length)
    const wrong = received.length - proved.length
    if (wrong === 0) return
    metrics.wrong.inc(wrong)
    log.warn({ messageId: Hex.encode(messageId), wrong }, 'message log: ignored wrong signatures')
  } catch (error) {
    if (!isFirnError(error)) throw error
  }
}

function createMetrics(register: Registry) {
  const registers = [register]
  const recalled = new Counter({
    name: 'signature_aggregator_message_log_recalled_total',
    help: 'Number of signatures that were found in the message log instead of requested from validators',
    registers,
  })
  const wrong = new Counter({
    name: 'signature_aggregator_message_log_wrong_total',
    help: 'Number of signatures in the message log that failed verification and were ignored',
    registers,
  })
  return { recalled, wrong }
}
