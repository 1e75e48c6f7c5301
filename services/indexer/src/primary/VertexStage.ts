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

/** Creates the stage that continues from `options.vertices`. */
export function createVertexStage(
  options: FollowOptions & { readonly vertices: Vertices.Progress },
  state: LedgerState.LedgerState,
  sink: Sink,
): VertexStage {
  const { store, metrics, stopwatch, genesis } = options
  const { constants, chainIds } = state.rules
  const { cortinaXChainStopVertexId: stopVertexId } = constants.upgrades
  const source = withVertices(options.source, { store, stopVertexId, since: genesis.platform.timestamp })
  let progress = options.vertices
  let missing: readonly Vertices.Missing[] = []
  let awaited = new Set<string>()
  let arrived = 0
  const most = Math.min(MAX_BATCH, options.batchBlocks)
  let size = most
  // What waiting transactions lack is only known once they were tried.
  let isTried = progress.waiting.length === 0
  const feed = createVertexFeed({
    ...options,
    source,
    chainId: chainIds.X,
    stopVertexId,
    after: progress.last,
  })

  let [isMany, counted] = [progress.vertices > 0, 0]
  /**
   * Returns whether the network has few vertices, which are applied at once and in the order of nodes, or many, which
   * are applied in batches by height and id; undefined while it is not known.
   */
  const amount = (): 'few' | 'many' | undefined => {
    const heads = feed.heads()
    if (!isMany && heads.length !== counted) isMany = !VertexOrder.fitsOneAnswer(heads)
    counted = heads.length
    if (isMany) return 'many'
    return feed.isEnded() ? 'few' : undefined
  }
  const hasNext = () => feed.heads().length > 0 && amount() !== undefined
  /** Returns the next vertices to apply, in order. */
  const next = (): VertexOrder.VertexOrder => {
    const heads = feed.heads()
    if (amount() === 'many') return { vertices: heads.slice(0, size), txs: [] }
    if (!hasNext()) return { vertices: [], txs: [] }
    return VertexOrder.ofNode(heads, stopVertexId)
  }
  /** Applies vertices after reading what they need. Most inputs are outputs of the X-chain that exist. */
  const apply = async ({ vertices, txs }: VertexOrder.VertexOrder): Promise<Vertices.Applied> => {
    if (!isMany && vertices.length < feed.heads().length) throw refused('parent', STRAY, source.name)
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
  const reject = (error: unknown, count: number) => {
    if (isFirnError(error) && error.code.startsWith('STORE_')) throw error
    if (count > 1 && isMany) {
      size = count >> 1
      return undefined
    }
    const cause = toRefusal(error, source.name)
    if (source.isFixed) throw cause
    arrived = 0
    isTried = true
    feed.reject(cause, progress.last)
    return undefined
  }
  const report = () => {
    metrics.vertices.set(progress.vertices)
    metrics.waiting.set(progress.waiting.length)
  }
  report()
  const isDone = () => Vertices.isDone(state.rules, progress)
  return {
    request: feed.request,
    arrival: feed.arrival,
    isAbsent: feed.isAbsent,
    tip: feed.tip,
    isDone,
    status: () => ({ applied: progress.vertices, waiting: progress.waiting.length }),
    note(changes) {
      if (awaited.size === 0) return
      for (const change of changes) {
        if (change.type !== 'utxo' || change.after === undefined) continue
        if (awaited.delete(Hex.encodeBare(change.after.id))) arrived += 1
      }
    },
    isReady() {
      if (!isTried || (arrived > 0 && awaited.size === 0)) return true
      return hasNext() && progress.waiting.length < MAX_WAITING
    },
    canStep(isStuck) {
      if (arrived > 0) return true
      return hasNext() && missing.every((one) => isStuck(one.source))
    },
    async step() {
      const order = next()
      const count = order.vertices.length
      const applied = await apply(order).catch((error) => reject(error, count))
      if (applied === undefined) return
      const { changes } = applied
      if (count > 0 || changes.length > 0) {
        const entry = { chain: 'X', vertices: applied.vertices, changes, progress: applied.progress } as const
        await stopwatch.writing(() => sink.commit([entry]))
        LedgerState.commit(state, changes)
      }
      progress = applied.progress
      size = Math.min(most, size * 2)
      missing = applied.missing
      awaited = new Set(missing.map(({ id }) => Hex.encodeBare(id)))
      arrived = 0
      isTried = true
      feed.take(count)
      report()
      if (isDone()) await assertNoneStray(options, stopVertexId)
    },
    isIdle: () => !feed.isFetching(),
    problem() {
      if (feed.isUnavailable()) return `the X-chain's vertices are missing: ${source.name} does not have them`
      const [first] = missing
      if (first === undefined) return undefined
      const words = `transaction ${Id.format(first.txId)} imports something that no block of the ${first.source}-chain has exported yet`
      return refused('rules', words, source.name).message
    },
  }
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
async function assertNoneStray({ store, source }: FollowOptions, stopVertexId: Uint8Array): Promise<void> {
  const stray = await StoredVertices.childless(store, stopVertexId)
  if (stray === undefined || Bytes.equals(stray, stopVertexId)) return
  const words = `${Id.format(stray)} is not an ancestor of the stop vertex; index again into an empty database`
  throw refused('parent', words, source.name)
}
