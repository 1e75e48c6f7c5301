import { Bytes, type FirnError, Id, isFirnError } from '@firn/codec'
import { VertexOrder, Vertices } from '@firn/ledger'
import { pause } from '@firn/runtime'
import { IndexerError } from '../common/IndexerError.ts'
import { type FeedOptions, unexpected } from './Feed.ts'
import type { SourceVertex } from './Source.ts'

/** Options of {@link createVertexFeed}. */
export interface VertexFeedOptions extends Omit<FeedOptions, 'chain' | 'link' | 'signedBy'> {
  /** Id of the X-chain, which every vertex must name. */
  readonly chainId: Uint8Array
  readonly stopVertexId: Uint8Array
  /** The last applied vertex, which the next one must follow in the order; undefined before the first one. */
  readonly after: Place | undefined
}

/** Place of a vertex in the order of vertices. */
export type Place = Pick<Vertices.Decoded, 'id' | 'height'>

/** Prefetches and decodes the X-chain's vertices, and checks their order. */
export interface VertexFeed {
  /** Returns the next vertices that are fetched, in order. */
  heads(): readonly Vertices.Decoded[]
  /** Removes the next `count` vertices from the feed. */
  take(count: number): void
  /** Requests more vertices, unless a request is pending, enough are buffered, or the stop vertex is fetched. */
  request(signal: AbortSignal): void
  /** Settles when the pending request has finished; rejects on a permanent error. */
  arrival(): Promise<void>
  /** Discards the buffered vertices because one broke a rule, and fetches those after `place` again. */
  reject(error: FirnError, place: Place | undefined): void
  /** Returns true if the source has no vertices and no X-chain block either, so that there is nothing to follow. */
  isAbsent(): boolean
  /** Returns true if the source cannot provide vertices at all. */
  isUnavailable(): boolean
  /** Returns true while a request is pending, or if it failed for good. */
  isFetching(): boolean
  /** Returns true if the stop vertex is fetched, so that no more vertices follow those in {@link heads}. */
  isEnded(): boolean
  /** Returns the height of the X-chain's last block, if the source reported it. */
  tip(): bigint | undefined
}

const REQUEST = 512
/** A buffer holds all vertices of a network that fit in one answer of a node, because they are applied at once. */
const MAX_VERTICES = 2 * VertexOrder.MAX_VERTICES
const MAX_BYTES = 16 << 20
/** Number of consecutive faults after which a problem is reported. */
const TOLERATED = 3
const PROBLEM = 'vertices X'

/** Creates a feed that has not fetched any vertices yet. */
export function createVertexFeed(options: VertexFeedOptions): VertexFeed {
  const { source, problems, clock, stopwatch } = options
  let last = options.after
  let queue: Vertices.Decoded[] = []
  let [bytes, failures, rejections, generation] = [0, 0, 0, 0]
  let [isAbsent, isUnavailable, isWaiting] = [false, false, false]
  let tip: bigint | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let flight: Promise<void> | undefined
  let final: unknown

  const isEnded = () => last !== undefined && Bytes.equals(last.id, options.stopVertexId)
  const hasRoom = () => queue.length < MAX_VERTICES && bytes < MAX_BYTES
  const isIdle = () => isWaiting && clock.now() - askedAt < options.pollMs
  /** Decodes an answer and adds it to the queue. Nothing of a wrong answer is added. */
  const accept = (given: readonly SourceVertex[]) => {
    stopwatch.during('decode', () => {
      const decoded: Vertices.Decoded[] = []
      for (const vertex of given) decoded.push(decode(vertex, options.chainId, decoded.at(-1) ?? last))
      for (const vertex of decoded) bytes += vertex.bytes.length
      queue.push(...decoded)
      const end = decoded.at(-1)
      if (end !== undefined) last = { id: end.id, height: end.height }
    })
  }
  /** Handles a source without vertices. If it has no blocks of the X-chain either, nothing is missing yet. */
  const unavailable = (reported: bigint) => {
    isAbsent = reported === 0n
    isWaiting = isAbsent && !source.isFixed
    isUnavailable = !isWaiting
    if (isAbsent) return
    const words = `the X-chain of this network has vertices before its block 1, and ${source.name} does not have them`
    if (!source.isFixed) {
      problems.set(PROBLEM, `${words}; use an archive that contains x/vertices.jsonl`)
      return
    }
    throw new IndexerError('INDEXER_ARCHIVE', `${words}; add x/vertices.jsonl to the archive`, {
      details: { origin: source.name },
    })
  }
  const step = async (signal: AbortSignal) => {
    const at = generation
    askedAt = clock.now()
    let lack: unknown
    const given = await stopwatch.waiting('fetch', async () =>
      source.vertices?.(last, REQUEST, signal).catch((error) => {
        if (!isFirnError(error) || error.code !== 'INDEXER_NO_VERTICES') throw error
        lack = error
        return undefined
      }),
    )
    if (at !== generation) return
    if (given === undefined || (given.length === 0 && last === undefined && source.isFixed)) {
      tip = (await stopwatch.waiting('fetch', () => source.tip('X', signal))) ?? 0n
      options.metrics.sourceHeight.set({ chain: 'X' }, Number(tip))
      if (lack !== undefined && tip > 0n) throw lack
      unavailable(tip)
      return
    }
    isAbsent = false
    isWaiting = given.length === 0
    if (isWaiting && source.isFixed) throw truncated(source.name, last)
    accept(given)
  }
  const attempt = async (signal: AbortSignal) => {
    try {
      if (rejections > 0) await pause(rejections, options, signal)
      await step(signal)
      failures = 0
      if (!isUnavailable) problems.clear(PROBLEM)
    } catch (error) {
      if (signal.aborted) return
      if (isFinal(error, options)) {
        final = error
        throw error
      }
      failures += 1
      note(isFirnError(error) ? error : unexpected(error, source), failures, options)
      await pause(failures, options, signal)
    }
  }
  return {
    heads: () => queue,
    take(count) {
      for (const vertex of queue.slice(0, count)) bytes -= vertex.bytes.length
      queue = queue.slice(count)
      if (rejections > 0) problems.clear(PROBLEM)
      rejections = 0
    },
    request(signal) {
      const isOver = isEnded() || isUnavailable || final !== undefined
      if (flight !== undefined || isOver || !hasRoom() || isIdle() || signal.aborted) return
      const mine = attempt(signal).finally(() => {
        if (flight === mine) flight = undefined
      })
      // `arrival` reports the failure. Until it is called, the rejection must not end the process.
      mine.catch(() => undefined)
      flight = mine
    },
    arrival: () => (final === undefined ? (flight ?? Promise.resolve()) : Promise.reject(final)),
    reject(error, place) {
      rejections += 1
      generation += 1
      ;[last, queue, bytes] = [place, [], 0]
      note(error, TOLERATED, options)
    },
    isAbsent: () => isAbsent,
    isUnavailable: () => isUnavailable,
    isEnded,
    isFetching: () => flight !== undefined || final !== undefined,
    tip: () => tip,
  }
}

/** Returns whether the error ends the feed, because a retry cannot help or nobody waits for one. */
function isFinal(error: unknown, { source, once }: VertexFeedOptions): boolean {
  if (source.isFixed) return true
  return once && (!isFirnError(error) || error.code === 'INDEXER_NO_VERTICES')
}

/** Creates the error for a vertex that breaks a rule. */
export function refused(reason: string, words: string, origin: string, cause?: unknown): IndexerError {
  return new IndexerError('INDEXER_BLOCK', `vertex of the X-chain from ${origin}: ${words}`, {
    details: { chain: 'X', reason, origin },
    ...(cause === undefined ? {} : { cause }),
  })
}

function decode(
  { bytes, origin, acceptedAt }: SourceVertex,
  chainId: Uint8Array,
  last: Place | undefined,
): Vertices.Decoded {
  let vertex: Vertices.Decoded
  try {
    vertex = { ...Vertices.decode(bytes, chainId), acceptedAt }
  } catch (cause) {
    if (!isFirnError(cause)) throw refused('unexpected', String(cause), origin, cause)
    throw refused('bytes', cause.message, origin, cause)
  }
  if (last === undefined || compare(last, vertex) < 0) return vertex
  const words = `expected vertices ascending by height and id, got ${Id.format(vertex.id)} of height ${vertex.height}`
  throw refused('order', `${words} after ${Id.format(last.id)} of height ${last.height}`, origin)
}

function compare(a: Place, b: Place): number {
  if (a.height !== b.height) return a.height < b.height ? -1 : 1
  return Bytes.compare(a.id, b.id)
}

function truncated(name: string, last: Place | undefined): IndexerError {
  const words = last === undefined ? 'there are none' : `the last one is ${Id.format(last.id)}`
  return new IndexerError('INDEXER_ARCHIVE', `${name}: the vertices end before the stop vertex; ${words}`, {
    details: { origin: name },
  })
}

function note(
  error: FirnError,
  failures: number,
  { source, metrics, problems, log }: VertexFeedOptions,
): void {
  const { reason, origin } = error.details as Partial<Record<string, unknown>>
  const facts = { chain: 'X', code: error.code, failures }
  if (reason === 'unexpected')
    log.error({ ...facts, err: error.cause }, `unexpected error, which is a bug: ${error.message}`)
  if (error.code === 'INDEXER_BLOCK') {
    metrics.refused.inc({ chain: 'X', reason: String(reason), origin: String(origin) })
    source.refuse(String(origin), error)
    problems.set(PROBLEM, error.message)
    log.warn(facts, `refused ${error.message}`)
    return
  }
  metrics.faults.inc({ chain: 'X', code: error.code })
  if (failures < TOLERATED) {
    log.debug(facts, error.message)
    return
  }
  problems.set(PROBLEM, error.message)
  log.warn(facts, error.message)
}
