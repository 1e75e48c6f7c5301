import { Bytes, CHAIN_ALIASES, type ChainAlias, isFirnError } from '@firn/codec'
import { Ledger, LedgerState, type Reads } from '@firn/ledger'
import { withAnySignal } from '@firn/runtime'
import { type Accepted, FetchedVertices } from '@firn/store'
import { IndexerError } from '../common/IndexerError.ts'
import * as Batch from './Batch.ts'
import * as DecodedBlock from './DecodedBlock.ts'
import { isPassing } from './Endings.ts'
import { createFeed, type Feed } from './Feed.ts'
import { type FollowOptions, type Progress, readHeights } from './FollowOptions.ts'
import { createPrefetch, type Prefetch } from './Prefetch.ts'
import type { Sink } from './Sink.ts'
import { chainsOf } from './Source.ts'
import { storedLink } from './storedLink.ts'
import { createVertexStage, type VertexStage } from './VertexStage.ts'

/**
 * Number of consecutive answers without new blocks that confirm the tip. A single answer could be outdated.
 */
const CONFIRMATIONS = 3
/** Number of such answers of an exporting chain after which an import without an export is taken for an invention. */
const INVENTED = 2 * CONFIRMATIONS
/** Maximum time in milliseconds for which applying blocks may delay other work, such as serving metrics. */
const SLICE_MS = 20
/** Number of consecutive faults of one chain after which the other chains continue without it. */
const STALLED = 3

type Run = FollowOptions & {
  readonly state: LedgerState.LedgerState
  readonly sink: Sink
  /** Feeds of the chains that the source has. The X-chain joins once its vertices are applied. */
  readonly feeds: Feed[]
  readonly feedOf: (chain: ChainAlias) => Feed
  /** Undefined once the X-chain's vertices are applied. */
  stage: VertexStage | undefined
  readonly links: Map<ChainAlias, DecodedBlock.Link>
  /**
   * Chains whose next block imports something that has not been exported yet, each with the chain that must
   * export it.
   */
  readonly waiting: Map<ChainAlias, ChainAlias>
  readonly batch: Batch.Batch
  readonly prefetch: Prefetch
  running: Promise<void>
}

type Missing = Pick<Reads.Read, 'table' | 'key'>

/**
 * Indexes up to the tip, and follows the tip unless `once` is set. When the signal is aborted, the current
 * batch is finished, no new batch is started, and the promise resolves.
 * @throws StoreError if a commit fails: the in-memory state is then ahead of the database and must be
 * discarded; IndexerError if a source fails permanently
 */
export async function follow(
  options: FollowOptions,
  state: LedgerState.LedgerState,
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  const links = new Map<ChainAlias, DecodedBlock.Link>()
  for (const chain of CHAIN_ALIASES) links.set(chain, await storedLink(options, state, chain))
  const prefetch = createPrefetch(state.rules, sink, options)
  const chains = chainsOf(options.source)
  const vertexStage = chains.includes('X') ? createVertexStage(options, state, sink) : undefined
  const stage = vertexStage?.isDone() === false ? vertexStage : undefined
  if (stage === undefined) await deleteFetched(options)
  const feedOf = (chain: ChainAlias) => {
    const [link, signedBy] = [
      links.get(chain) as DecodedBlock.Link,
      options.checkSignatures ? state.rules.chainIds[chain] : undefined,
    ]
    return createFeed({ ...options, chain, link, signedBy, onBlock: prefetch.add })
  }
  const feeds = chains.filter((chain) => chain !== 'X' || stage === undefined).map(feedOf)
  const batch = Batch.create()
  const waiting = new Map<ChainAlias, ChainAlias>()
  const running = Promise.resolve()
  const shared = { state, sink, links, waiting, batch, prefetch, running }
  const run: Run = { ...options, ...shared, feeds, feedOf, stage }
  const fetching = new AbortController()
  try {
    await advance(run, signal, AbortSignal.any([signal, fetching.signal]))
  } finally {
    fetching.abort()
    await prefetch.end()
    await run.running
  }
}

async function advance(run: Run, signal: AbortSignal, fetching: AbortSignal): Promise<void> {
  const { clock, batch } = run
  let since = clock.now()
  while (!signal.aborted) {
    const changes = run.source.changes?.count() ?? 0
    for (const feed of run.feeds) feed.request(fetching)
    run.stage?.request(fetching)
    if (run.stage?.isReady() === true) {
      await stepVertices(run, run.stage)
      continue
    }
    const feed = choose(run)
    if (feed !== undefined) {
      const missing = applyHead(run, feed)
      if (missing !== undefined) await run.prefetch.read(feed.head() as DecodedBlock.DecodedBlock, missing)
      if (Batch.isFull(run.batch, run.batchBlocks, run.clock.now())) await write(run)
      if (clock.now() - since < SLICE_MS) continue
      await new Promise((settle) => setImmediate(settle))
      since = clock.now()
      continue
    }
    if (run.stage?.canStep((chain) => isStuck(run, chain)) === true) {
      await stepVertices(run, run.stage)
      continue
    }
    if (batch.blocks.length > 0) {
      await write(run)
      continue
    }
    if (await isEnd(run)) return
    await rest(run, changes, signal)
    since = clock.now()
  }
}

/**
 * Applies the next vertices of the X-chain, and then follows its blocks once all are applied. What is already applied
 * is written first, because the stage reads the database.
 */
async function stepVertices(run: Run, stage: VertexStage): Promise<void> {
  const { batch, feeds } = run
  if (batch.blocks.length > 0) await write(run)
  await run.running
  await stage.step()
  release(run, 'X')
  if (stage.isDone()) {
    run.log.info({ applied: stage.status().applied }, 'applied all vertices of the X-chain')
    run.stage = undefined
    await deleteFetched(run)
    feeds.push(run.feedOf('X'))
    run.problems.clear('import X')
  }
  tell(run, [], readHeights(run.state), false)
}

/** Deletes the vertices that were fetched from nodes, once all are applied. Sources of peers delete their own. */
async function deleteFetched({ source, store, constants }: FollowOptions): Promise<void> {
  if (source.fetchVertices === undefined || Bytes.isZero(constants.upgrades.cortinaXChainStopVertexId)) return
  await FetchedVertices.clear(store)
}

/** Returns true if a chain has no block that can be applied now, and waiting for its source does not help. */
function isStuck({ feeds, waiting }: Run, chain: ChainAlias): boolean {
  const feed = feeds.find((one) => one.chain === chain)
  return waiting.has(chain) || (feed !== undefined && feed.head() === undefined && feed.confirmations() > 0)
}

/** Lets chains continue that wait for exports of another chain. */
function release({ waiting, problems }: Run, exporter: ChainAlias): void {
  for (const [blocked, source] of waiting) {
    if (source !== exporter) continue
    waiting.delete(blocked)
    problems.clear(`import ${blocked}`)
  }
}

/**
 * Returns the feed whose block is applied next: the feed of a chain from which a waiting import needs an export,
 * otherwise the feed with the oldest block. Returns undefined while a chain that may have an older block has not
 * answered yet.
 */
function choose({ feeds, waiting }: Run): Feed | undefined {
  const ready = feeds.filter((feed) => feed.head() !== undefined && !waiting.has(feed.chain))
  const isUnknown = (feed: Feed) =>
    feed.head() === undefined && feed.confirmations() === 0 && feed.failures() < STALLED
  const needed = ready.find((feed) => [...waiting.values()].includes(feed.chain))
  if (needed !== undefined) return needed
  if (feeds.some(isUnknown)) return undefined
  return ready.reduce<Feed | undefined>(
    (oldest, feed) => (oldest === undefined || timeOf(feed) < timeOf(oldest) ? feed : oldest),
    undefined,
  )
}

/**
 * Returns the time of the next block. A block without a time counts as older than all other blocks.
 */
function timeOf(feed: Feed): bigint {
  return feed.head()?.time ?? 0n
}

/**
 * Applies the next block of a feed. Returns a record that the block reads if it is not in memory; the block is then not
 * applied.
 */
function applyHead(run: Run, feed: Feed): Missing | undefined {
  const { state, waiting, batch, links, stopwatch, clock } = run
  const block = feed.head()
  if (block === undefined) return undefined
  const { chain, bytes } = block
  let changes: ReturnType<typeof Ledger.apply>
  try {
    changes = stopwatch.during('apply', () => Ledger.apply(state, chain, bytes))
  } catch (error) {
    const { code, details } = isFirnError(error) ? error : {}
    if (code === 'LEDGER_NOT_FETCHED') return details as Missing | undefined
    if (code === 'LEDGER_SHARED_MEMORY') waiting.set(chain, details?.['source'] as ChainAlias)
    else rejectHead(run, feed, DecodedBlock.refusedByRules(block, error))
    return undefined
  }
  // The state may be incomplete after an error here, so such an error ends the attempt.
  stopwatch.during('apply', () => LedgerState.commit(state, changes))
  feed.take()
  links.set(chain, DecodedBlock.linkOf(block))
  release(run, chain)
  run.stage?.note(changes)
  Batch.add(batch, block, changes, clock.now())
  return undefined
}

/**
 * Handles a block that follows its parent but breaks a ledger rule. The source may have returned a block that
 * was never accepted.
 */
function rejectHead(run: Run, feed: Feed, error: IndexerError): void {
  if (run.source.isFixed) throw error
  feed.reject(error, run.links.get(feed.chain) as DecodedBlock.Link)
}

/** Starts to write the current batch once the previous batch is written. */
async function write(run: Run): Promise<void> {
  const { sink, stopwatch, batch } = run
  await run.running
  const { blocks, origins } = batch
  const heights = readHeights(run.state)
  Object.assign(batch, Batch.create())
  const refuse = (error: unknown) => {
    if (!isPassing(error)) blame(run, origins, error)
    throw error
  }
  run.running = stopwatch
    .writing(() => sink.commit(blocks))
    .then(() => tell(run, blocks, heights, false), refuse)
  // The failure is reported where the promise is awaited. Until then, it must not end the process.
  run.running.catch(() => undefined)
}

/** Lets others answer first after the database refused blocks, which is a bug that their contents may have caused. */
function blame({ source }: Run, origins: ReadonlySet<string>, error: unknown): void {
  for (const origin of origins) {
    const words = `the database refused a batch with blocks from ${origin}: ${error}`
    source.refuse(origin, new IndexerError('INDEXER_SOURCE', words, { cause: error }))
  }
}

function tell(run: Run, written: readonly Accepted[], heights: Progress['heights'], isAtTip: boolean): void {
  const { feeds, stage } = run
  const [P, X, C] = CHAIN_ALIASES.map((chain) => feeds.find((feed) => feed.chain === chain)?.tip())
  const tips = { P, X: X ?? stage?.tip(), C }
  run.onProgress({ written, heights, tips, isAtTip, vertices: stage?.status() })
}

/**
 * Returns true if `once` is set and the tips of all chains are confirmed. Also reports progress at the tip, and
 * imports whose exports are missing.
 */
async function isEnd(run: Run): Promise<boolean> {
  const { feeds, waiting, source, once, stage } = run
  const needed = source.isFixed ? 1 : CONFIRMATIONS
  const isConfirmed = (feed: Feed) => feed.confirmations() >= needed
  const isComplete = stage === undefined || stage.isAbsent()
  if (isComplete && feeds.every((feed) => feed.confirmations() > 0)) {
    await run.running
    tell(run, [], readHeights(run.state), true)
  }
  if (isComplete && once && feeds.every(isConfirmed)) return true
  const isHeldUp = feeds.every((feed) => isConfirmed(feed) || waiting.has(feed.chain))
  if (!isHeldUp || (stage !== undefined && !stage.isIdle())) return false
  for (const [chain, exporter] of waiting) noteWaiting(run, chain, exporter)
  const words = stage?.problem()
  if (words !== undefined) noteVertices(run, words)
  return false
}

/**
 * Handles an import whose export is missing. For a fixed source this is an error, because no more blocks can
 * arrive. Otherwise it is reported as a problem until the export arrives. If the exporting chain stays at its tip, the
 * block may be invented, so it is requested again. A source that has checked the blocks returns only accepted ones.
 */
function noteWaiting(run: Run, chain: ChainAlias, exporter: ChainAlias): void {
  const { source, feeds, problems, waiting } = run
  const feed = feeds.find((one) => one.chain === chain)
  const block = feed?.head()
  const words = `the block imports something that no block of the ${exporter}-chain has exported yet`
  const error = DecodedBlock.refused(chain, block?.height, 'rules', words, block?.origin ?? source.name)
  if (source.isFixed) throw error
  const exporting = feeds.find((one) => one.chain === exporter)
  const isInvented = source.isVerified !== true && (exporting?.confirmations() ?? 0) >= INVENTED
  if (feed === undefined || !isInvented) {
    problems.set(`import ${chain}`, error.message)
    return
  }
  waiting.delete(chain)
  problems.clear(`import ${chain}`)
  rejectHead(run, feed, error)
}

/** Reports vertices, or exports that they import, that are missing. It is an error if no more can arrive. */
function noteVertices({ source, once, problems }: Run, words: string): void {
  if (source.isFixed || once)
    throw new IndexerError('INDEXER_BLOCK', words, { details: { chain: 'X', reason: 'rules' } })
  problems.set('import X', words)
}

/** Waits until requested blocks arrive or, at the tip, until the tip has changed since `changes` or the next poll. */
async function rest(run: Run, changes: number, signal: AbortSignal): Promise<void> {
  const { feeds, stage, clock, pollMs, source } = run
  const behind = feeds.filter((feed) => feed.head() === undefined && feed.confirmations() === 0)
  const isHeldUp = behind.length === 0 || feeds.some((feed) => feed.failures() >= STALLED)
  const ended = new AbortController()
  await withAnySignal([signal, ended.signal], async (waiting) => {
    const next = source.changes?.next(changes, waiting)
    const turn = isHeldUp ? [clock.sleep(pollMs, waiting), ...(next === undefined ? [] : [next])] : []
    try {
      const arriving = stage === undefined || stage.isIdle() ? [] : [stage.arrival()]
      // At the tip, an answer may name a new block, which must not wait for the next poll.
      const answers = feeds.flatMap((feed) => feed.answer() ?? [])
      await Promise.race([...behind.map((feed) => feed.arrival()), ...answers, ...arriving, ...turn])
      // An answer without blocks can settle immediately, so other work gets a turn here.
      await new Promise((settle) => setImmediate(settle))
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      ended.abort()
    }
  })
}
