import { Bytes, type ChainAlias, Hex, Id, isFirnError } from '@firn/codec'
import { type Change, LedgerState, type Reads, VertexOrder, Vertices } from '@firn/ledger'
import { Vertices as StoredVertices } from '@firn/store'
import { IndexerError } from '../common/IndexerError.ts'
import type { FollowOptions } from './FollowOptions.ts'
import type { Sink } from './Sink.ts'
import { withVertices } from './Source.ts'
import type { VertexStatus } from './Status.ts'
import { createVertexFeed, refused, type VertexFeed } from './VertexFeed.ts'

/**
 * Maximum number of transactions that wait for exports of other chains before those chains are followed first. It
 * limits memory.
 */
const MAX_WAITING = 2_000
/** Maximum number of vertices that are applied and written at once. */
const MAX_BATCH = 256

const STRAY = 'some vertices are not ancestors of the stop vertex'

/** Applies the X-chain's vertices before its block 1. */
export interface VertexStage extends Pick<VertexFeed, 'request' | 'arrival' | 'isAbsent' | 'tip'> {
  readonly isDone: () => boolean
  readonly status: () => VertexStatus
  /** Tells the stage what a block of another chain changed. */
  readonly note: (changes: readonly Change.Change[]) => void
  /** Returns true if the next step should precede blocks of other chains. */
  readonly isReady: () => boolean
  /**
   * Returns true if a step is possible while no block of another chain can be applied.
   * @param isStuck returns whether a chain has no block that can be applied now, and will not get one by waiting
   */
  readonly canStep: (isStuck: (chain: ChainAlias) => boolean) => boolean
  /** Applies and writes the next vertices, and transactions that waited. Nothing else may be being written. */
  readonly step: () => Promise<void>
  /** Returns true if nothing can be done until more vertices arrive, or more blocks of other chains. */
  readonly isIdle: () => boolean
  /** Returns a message about what is missing; undefined if nothing is. */
  readonly problem: () => string | undefined
}

type Stage = FollowOptions & {
  readonly state: LedgerState.LedgerState
  readonly sink: Sink
  readonly stopVertexId: Uint8Array
  readonly feed: VertexFeed
  /** Maximum size of a batch, and size of the next one. */
  readonly most: number
  size: number
  progress: Vertices.Progress
  /** What waiting transactions import, their ids, and the number of those that have arrived. */
  missing: readonly Vertices.Missing[]
  awaited: Set<string>
  arrived: number
  /** Whether the waiting transactions were tried, after which it is known what they lack. */
  isTried: boolean
  /** Whether the vertices are known not to fit in one answer of a node, and how many were counted to find out. */
  isMany: boolean
  counted: number
}

/** Creates the stage that continues from `options.vertices`. */
export function createVertexStage(
  options: FollowOptions & { readonly vertices: Vertices.Progress },
  state: LedgerState.LedgerState,
  sink: Sink,
): VertexStage {
  const { store, genesis, vertices: progress } = options
  const { constants, chainIds } = state.rules
  const { cortinaXChainStopVertexId: stopVertexId } = constants.upgrades
  const source = withVertices(options.source, { store, stopVertexId, since: genesis.platform.timestamp })
  const most = Math.min(MAX_BATCH, options.batchBlocks)
  const feed = createVertexFeed({
    ...{ ...options, source, stopVertexId },
    chainId: chainIds.X,
    after: progress.last,
  })
  const stage: Stage = {
    ...{ ...options, source, state, sink, stopVertexId, feed, most, size: most, progress },
    ...{ missing: [], awaited: new Set(), arrived: 0, isTried: progress.waiting.length === 0 },
    ...{ isMany: progress.vertices > 0, counted: 0 },
  }
  measure(stage)
  return {
    request: feed.request,
    arrival: feed.arrival,
    isAbsent: feed.isAbsent,
    tip: feed.tip,
    isDone: () => Vertices.isDone(state.rules, stage.progress),
    status: () => ({ applied: stage.progress.vertices, waiting: stage.progress.waiting.length }),
    note: (changes) => note(stage, changes),
    isReady() {
      if (!stage.isTried || (stage.arrived > 0 && stage.awaited.size === 0)) return true
      return hasNext(stage) && stage.progress.waiting.length < MAX_WAITING
    },
    canStep: (isStuck) =>
      stage.arrived > 0 || (hasNext(stage) && stage.missing.every((one) => isStuck(one.source))),
    step: () => step(stage),
    isIdle: () => !feed.isFetching(),
    problem: () => problem(stage),
  }
}

function measure({ metrics, progress }: Stage): void {
  metrics.vertices.set(progress.vertices)
  metrics.waiting.set(progress.waiting.length)
}

/**
 * Returns whether the network has few vertices, which are applied at once and in the order of nodes, or many, which
 * are applied in batches by height and id; undefined while it is not known.
 */
function amount(stage: Stage): 'few' | 'many' | undefined {
  const heads = stage.feed.heads()
  if (!stage.isMany && heads.length !== stage.counted) stage.isMany = !VertexOrder.fitsOneAnswer(heads)
  stage.counted = heads.length
  if (stage.isMany) return 'many'
  return stage.feed.isEnded() ? 'few' : undefined
}

function hasNext(stage: Stage): boolean {
  return stage.feed.heads().length > 0 && amount(stage) !== undefined
}

/** Returns the next vertices to apply, in order. */
function next(stage: Stage): VertexOrder.VertexOrder {
  const heads = stage.feed.heads()
  if (amount(stage) === 'many') return { vertices: heads.slice(0, stage.size), txs: [] }
  if (!hasNext(stage)) return { vertices: [], txs: [] }
  return VertexOrder.ofNode(heads, stage.stopVertexId)
}

/** Applies vertices after reading what they need. Most inputs are outputs of the X-chain that exist. */
async function apply(stage: Stage, { vertices, txs }: VertexOrder.VertexOrder): Promise<Vertices.Applied> {
  const { store, state, sink, stopwatch, source, progress } = stage
  if (!stage.isMany && vertices.length < stage.feed.heads().length)
    throw refused('parent', STRAY, source.name)
  const known = await StoredVertices.known(store, vertices)
  let reads = Vertices.reads(state.rules, progress, vertices)
  for (;;) {
    await sink.fetch?.(reads)
    try {
      return stopwatch.during('apply', () => Vertices.apply(state, progress, vertices, known, txs))
    } catch (error) {
      if (!isFirnError(error) || error.code !== 'LEDGER_NOT_FETCHED') throw error
      const { table, key } = error.details as Pick<Reads.Read, 'table' | 'key'>
      const unsourced = reads.map((read) => ({ ...read, source: undefined }))
      reads = [...unsourced, { table, key, source: undefined }]
    }
  }
}

/**
 * Handles a batch of `count` vertices of which one breaks a rule. Smaller batches follow until that one is alone, so
 * that those before it are applied, unless all vertices are applied at once.
 */
function reject(stage: Stage, error: unknown, count: number): undefined {
  if (isFirnError(error) && error.code.startsWith('STORE_')) throw error
  if (count > 1 && stage.isMany) {
    stage.size = count >> 1
    return
  }
  const cause = toRefusal(error, stage.source.name)
  if (stage.source.isFixed) throw cause
  stage.arrived = 0
  stage.isTried = true
  stage.feed.reject(cause, stage.progress.last)
}

async function step(stage: Stage): Promise<void> {
  const { state, sink, stopwatch, feed } = stage
  const order = next(stage)
  const count = order.vertices.length
  const applied = await apply(stage, order).catch((error) => reject(stage, error, count))
  if (applied === undefined) return
  const { changes, progress, missing, vertices } = applied
  if (count > 0 || changes.length > 0) {
    await stopwatch.writing(() => sink.commit([{ chain: 'X', vertices, changes, progress }]))
    LedgerState.commit(state, changes)
  }
  const awaited = new Set(missing.map(({ id }) => Hex.encodeBare(id)))
  const size = Math.min(stage.most, stage.size * 2)
  Object.assign(stage, { progress, size, missing, awaited, arrived: 0, isTried: true })
  feed.take(count)
  measure(stage)
  if (Vertices.isDone(state.rules, progress)) await assertNoneStray(stage)
}

function note(stage: Stage, changes: readonly Change.Change[]): void {
  if (stage.awaited.size === 0) return
  for (const change of changes) {
    if (change.type !== 'utxo' || change.after === undefined) continue
    if (stage.awaited.delete(Hex.encodeBare(change.after.id))) stage.arrived += 1
  }
}

function problem({ feed, source, missing: [first] }: Stage): string | undefined {
  if (feed.isUnavailable()) return `the X-chain's vertices are missing: ${source.name} does not have them`
  if (first === undefined) return undefined
  const words = `transaction ${Id.format(first.txId)} imports something that no block of the ${first.source}-chain has exported yet`
  return refused('rules', words, source.name).message
}

function toRefusal(error: unknown, origin: string): IndexerError {
  if (error instanceof IndexerError) return error
  if (isFirnError(error)) return refused('rules', error.message, origin, error)
  return refused('unexpected', String(error), origin, error)
}

/**
 * Checks that all vertices are ancestors of the stop vertex.
 * @throws IndexerError `INDEXER_BLOCK`
 */
async function assertNoneStray({ store, source, stopVertexId }: Stage): Promise<void> {
  const stray = await StoredVertices.childless(store, stopVertexId)
  if (stray === undefined || Bytes.equals(stray, stopVertexId)) return
  const words = `${Id.format(stray)} is not an ancestor of the stop vertex; index again into an empty database`
  throw refused('parent', words, source.name)
}
