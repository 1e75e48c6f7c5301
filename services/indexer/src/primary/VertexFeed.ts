import { Bytes, type FirnError, Id, isFirnError } from '@firn/codec'
import { VertexOrder, Vertices } from '@firn/ledger'
import { IndexerError } from '../common/IndexerError.ts'
import type { FeedOptions } from './Feed.ts'
import * as Requests from './FeedRequests.ts'
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
const PROBLEM = 'vertices X'

type State = VertexFeedOptions & {
  readonly requests: Requests.FeedRequests
  /** The last vertex of the queue. */
  last: Place | undefined
  queue: Vertices.Decoded[]
  /** Size of the queue in bytes. */
  bytes: number
  isAbsent: boolean
  isUnavailable: boolean
  /** Whether the source has no next vertex yet. */
  isWaiting: boolean
  tip: bigint | undefined
  askedAt: number
}

/** Creates a feed that has not fetched any vertices yet. */
export function createVertexFeed(options: VertexFeedOptions): VertexFeed {
  const names = { failed: PROBLEM, rejected: PROBLEM }
  const requests = Requests.create({ ...options, chain: 'X' }, 'INDEXER_NO_VERTICES', names)
  const feed: State = {
    ...{ ...options, requests, last: options.after, queue: [], bytes: 0, tip: undefined },
    ...{ isAbsent: false, isUnavailable: false, isWaiting: false, askedAt: Number.NEGATIVE_INFINITY },
  }
  return {
    heads: () => feed.queue,
    take(count) {
      for (const vertex of feed.queue.slice(0, count)) feed.bytes -= vertex.bytes.length
      feed.queue = feed.queue.slice(count)
      Requests.accept(requests)
    },
    request(signal) {
      if (isEnded(feed) || feed.isUnavailable || !hasRoom(feed) || isIdle(feed)) return
      Requests.start(requests, (until) => attempt(feed, until), signal)
    },
    arrival: () => Requests.arrival(requests),
    reject(error, last) {
      Object.assign(feed, { last, queue: [], bytes: 0 })
      Requests.reject(requests, error, Requests.TOLERATED)
    },
    isAbsent: () => feed.isAbsent,
    isUnavailable: () => feed.isUnavailable,
    isEnded: () => isEnded(feed),
    isFetching: () => Requests.isPending(requests),
    tip: () => feed.tip,
  }
}

function isEnded({ last, stopVertexId }: State): boolean {
  return last !== undefined && Bytes.equals(last.id, stopVertexId)
}

function hasRoom({ queue, bytes }: State): boolean {
  return queue.length < MAX_VERTICES && bytes < MAX_BYTES
}

function isIdle({ isWaiting, clock, askedAt, pollMs }: State): boolean {
  return isWaiting && clock.now() - askedAt < pollMs
}

async function attempt(feed: State, signal: AbortSignal): Promise<void> {
  await step(feed, signal)
  if (!feed.isUnavailable) feed.problems.clear(PROBLEM)
}

async function step(feed: State, signal: AbortSignal): Promise<void> {
  const { source, stopwatch, requests, last } = feed
  const { generation } = requests
  feed.askedAt = feed.clock.now()
  let lack: unknown
  const given = await stopwatch.waiting('fetch', async () =>
    source.vertices?.(last, REQUEST, signal).catch((error) => {
      if (!isFirnError(error) || error.code !== 'INDEXER_NO_VERTICES') throw error
      lack = error
      return undefined
    }),
  )
  if (generation !== requests.generation) return
  if (given === undefined || (given.length === 0 && last === undefined && source.isFixed)) {
    feed.tip = (await stopwatch.waiting('fetch', () => source.tip('X', signal))) ?? 0n
    feed.metrics.sourceHeight.set({ chain: 'X' }, Number(feed.tip))
    if (lack !== undefined && feed.tip > 0n) throw lack
    markUnavailable(feed, feed.tip)
    return
  }
  feed.isAbsent = false
  feed.isWaiting = given.length === 0
  if (feed.isWaiting && source.isFixed) throw truncated(source.name, last)
  accept(feed, given)
}

/** Decodes an answer and adds it to the queue. Nothing of a wrong answer is added. */
function accept(feed: State, given: readonly SourceVertex[]): void {
  feed.stopwatch.during('decode', () => {
    const decoded: Vertices.Decoded[] = []
    for (const vertex of given) decoded.push(decode(vertex, feed.chainId, decoded.at(-1) ?? feed.last))
    for (const vertex of decoded) feed.bytes += vertex.bytes.length
    feed.queue.push(...decoded)
    const end = decoded.at(-1)
    if (end !== undefined) feed.last = { id: end.id, height: end.height }
  })
}

/** Handles a source without vertices. If it has no blocks of the X-chain either, nothing is missing yet. */
function markUnavailable(feed: State, reported: bigint): void {
  const { source, problems } = feed
  feed.isAbsent = reported === 0n
  feed.isWaiting = feed.isAbsent && !source.isFixed
  feed.isUnavailable = !feed.isWaiting
  if (feed.isAbsent) return
  const words = `the X-chain of this network has vertices before its block 1, and ${source.name} does not have them`
  if (!source.isFixed) {
    problems.set(PROBLEM, `${words}; use an archive that contains x/vertices.jsonl`)
    return
  }
  throw new IndexerError('INDEXER_ARCHIVE', `${words}; add x/vertices.jsonl to the archive`, {
    details: { origin: source.name },
  })
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
