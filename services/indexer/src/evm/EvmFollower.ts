import { Hex, isFirnError } from '@firn/codec'
import type { Block } from '@firn/evm'
import {
  type Attributes,
  type Clock,
  type Logger,
  pause,
  silentTracer,
  type Tracer,
  traced,
} from '@firn/runtime'
import type { EvmWriter, IndexedBlock } from '@firn/store/evm'
import { IndexerError } from '../common/IndexerError.ts'
import type { Problems } from '../common/Problems.ts'
import { findFork } from './Branch.ts'
import { blockWeight } from './blockWeight.ts'
import type { ContractReader, Seen } from './contracts/ContractReader.ts'
import { contractsOf } from './contracts/contractsOf.ts'
import type { EvmHead, Head } from './EvmHead.ts'
import { type Contradiction, linkedPart } from './follows.ts'
import type { EvmUpstreams } from './upstream/EvmUpstreams.ts'
import { TRACE_TIMEOUT_MS } from './upstream/Requests.ts'
import { createWindow, type Window } from './Window.ts'

/** The writer's methods that {@link follow} needs. */
export type Sink = Pick<EvmWriter, 'cursor' | 'hashAt' | 'timeAt' | 'unknownContracts' | 'commit' | 'undo'>

/** Options of {@link follow}. */
export interface FollowOptions {
  readonly upstreams: EvmUpstreams
  readonly head: EvmHead
  readonly contracts: ContractReader
  readonly sink: Sink
  /** Height of the first stored block. */
  readonly firstHeight: bigint
  /** Maximum number of blocks that a reorg may remove. */
  readonly maxReorgDepth: number
  /** Whether to stop at the head instead of waiting for more blocks. */
  readonly once: boolean
  /** Maximum number of blocks in a database transaction. If storing is slow, transactions contain fewer blocks. */
  readonly batchBlocks: number
  /** Memory limit in bytes for blocks that are fetched ahead of the writer. */
  readonly windowBytes: number
  /** Number of groups of blocks that are fetched concurrently. */
  readonly groups: number
  /** Whether blocks may be ahead of the clock by any time, as on development chains; false by default. */
  readonly allowsFuture?: boolean | undefined
  /** Time in milliseconds until traces that no node has returned are requested again; default 240,000. */
  readonly traceRetryMs?: number | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  /** Records the fetching and the storing of blocks; by default nothing. */
  readonly tracer?: Tracer | undefined
  readonly problems: Problems
  /** Called after each commit. `head` is set if the newest committed block is the head. */
  readonly onCommit: (blocks: readonly Block[], head: Head | undefined) => void
  /** Called after the newest `blocks` blocks were removed. The newest remaining block is at `height`. */
  readonly onUndo: (height: bigint, blocks: number) => void
}

/** Blocks that the writer has got, and that it may not have stored yet. */
interface Submitted {
  readonly height: bigint
  readonly hash: Uint8Array
  readonly time: bigint
  /** Keys of the contracts whose facts are with the blocks. */
  readonly contracts: ReadonlySet<string>
  /** Resolves when these blocks and all earlier ones are stored. */
  readonly stored: Promise<void>
}

type Run = FollowOptions & {
  readonly window: Window
  readonly signal: AbortSignal
  /** Ends the run, because blocks could not be stored. */
  readonly stop: () => void
  /** The last blocks that the writer has got; undefined if all are known to be stored. */
  submitted: Submitted | undefined
  /** Time at which the last blocks were stored. */
  storedAt: number
  /** Hashes of recently written blocks, by height. */
  readonly written: Map<bigint, Uint8Array>
  /** Number of consecutive attempts without progress. */
  failures: number
  /** Number of consecutive checks that found another branch; see {@link CONFIRMATIONS}. */
  otherBranchChecks: number
  /** Number of consecutive checks in which the nodes did not agree on the newest stored block. */
  disagreements: number
  seen: number
  /** Maximum number of blocks in the next database transaction. */
  batch: number
}

const KEPT_HASHES = 256
const BATCH_BYTES = 8 << 20
/** Maximum number of blocks in the first database transaction, before the time per block is known. */
const FIRST_BATCH = 32
/**
 * Target duration of a database transaction in milliseconds. If the process is killed, at most about this amount of
 * work is lost.
 */
const BATCH_MS = 1_000
/**
 * Number of consecutive checks that must find another branch before blocks are removed in favour of a shorter branch,
 * or before indexing fails because of a deep reorg.
 */
const CONFIRMATIONS = 4
/** Number of consecutive checks in which two nodes disagree, after which the one with the higher head is followed. */
const MOST_DISAGREEMENTS = 8

/**
 * Indexes up to the head, and follows the head unless `once` is set. When the signal is aborted, finishes the
 * current batch and returns.
 * @throws IndexerError `INDEXER_REORGANISATION`, `INDEXER_RESET`; StoreError, after which a new writer is
 * needed
 */
export async function follow(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const { upstreams, head, sink, firstHeight, windowBytes, groups, tracer = silentTracer } = options
  const from = nextOf({ submitted: undefined, sink, firstHeight })
  const window = createWindow(from, {
    fetch: (requests, aborted) =>
      traced(
        tracer,
        'fetch blocks',
        () => rangeOf(requests),
        () => upstreams.blocks(requests, aborted, head.best()?.upstream),
      ),
    groupBlocks: () => upstreams.groupBlocks(),
    groups,
    bytes: windowBytes,
    signal: either,
  })
  const checks = { otherBranchChecks: 0, disagreements: 0 }
  const state = { written: new Map(), failures: 0, ...checks, seen: 0, batch: FIRST_BATCH }
  const storing = { submitted: undefined, storedAt: 0, stop: () => ended.abort() }
  const run: Run = { ...options, ...state, ...storing, window, signal: either }
  try {
    while (!signal.aborted && !(await step(run)));
  } catch (error) {
    // If blocks could not be stored, this error is only a consequence.
    await allStored(run)
    if (!signal.aborted || isFirnError(error)) throw error
  } finally {
    ended.abort()
  }
  await allStored(run)
}

/** Performs one step of indexing. Returns true when indexing is done. */
async function step(run: Run): Promise<boolean> {
  const { head, signal } = run
  const foreign = run.upstreams.foreign()
  if (foreign !== undefined) throw foreign
  const best = head.best()
  if (best !== undefined && nextOf(run) <= best.height) {
    run.window.fill(best.height, best.hash)
    await advance(run, await run.window.take())
    return false
  }
  await allStored(run)
  if (best !== undefined && (await isReplaced(run))) {
    await reorganise(run)
    return false
  }
  // Whatever could not be fetched is above the head now, for example because the chain was reset to a lower head.
  if (best !== undefined) succeeded(run)
  if (best !== undefined && run.once) return true
  run.seen = await head.changed(run.seen, signal)
  return false
}

/** Returns the last block that the writer has got. */
function tipOf({ submitted, sink }: Pick<Run, 'submitted' | 'sink'>) {
  return submitted ?? sink.cursor
}

function nextOf(run: Pick<Run, 'submitted' | 'sink' | 'firstHeight'>): bigint {
  const tip = tipOf(run)
  return tip === undefined ? run.firstHeight : tip.height + 1n
}

/** Waits until all blocks that the writer has got are stored. @throws StoreError */
async function allStored(run: Run): Promise<void> {
  await run.submitted?.stored
  run.submitted = undefined
}

/** Returns whether the last reported head differs from the block written at the same height. */
async function isReplaced(run: Run): Promise<boolean> {
  const reported = run.head.latest()
  const { cursor } = run.sink
  if (reported === undefined || cursor === undefined || reported.height > cursor.height) return false
  const stored = await storedHash(run, reported.height)
  return stored !== undefined && Hex.encode(stored) !== reported.hash
}

async function storedHash({ written, sink }: Run, height: bigint): Promise<Uint8Array | undefined> {
  return written.get(height) ?? (await sink.hashAt(height))
}

/**
 * Writes the fetched blocks that extend the chain. If the next block does not follow the last written one,
 * checks for a reorg.
 */
async function advance(run: Run, first: readonly Block[]): Promise<void> {
  if (first.length === 0) return await wait(run)
  const blocks = [...first]
  let bytes = weightOf(blocks)
  const most = Math.min(run.batch, run.batchBlocks)
  while (bytes < BATCH_BYTES && blocks.length < most) {
    const more = run.window.takeReady(most - blocks.length)
    if (more.length === 0) break
    blocks.push(...more)
    bytes += weightOf(more)
  }
  const latest = run.allowsFuture === true ? undefined : BigInt(Math.floor(run.clock.now() / 1000))
  const { linked, broken } = linkedPart(tipOf(run), blocks, latest)
  const isWritten = linked.length === 0 || (await write(run, linked))
  if (isWritten && linked.length > 0) succeeded(run)
  // Blocks after one that is not written contradict nothing that is stored.
  if (!isWritten) await reorganise(run)
  else if (broken?.kind === 'parent') await reorganise(run, broken)
  else if (broken !== undefined) await refuse(run, broken)
}

/** Records that blocks could be fetched. */
function succeeded(run: Run): void {
  run.failures = 0
  run.otherBranchChecks = 0
  run.disagreements = 0
  run.problems.clear('fetch')
  run.problems.clear('block')
}

/** Returns the attributes of consecutive blocks. */
function rangeOf(blocks: readonly { readonly height: bigint }[]): Attributes {
  return { 'evm.block': String(blocks[0]?.height), 'firn.blocks': blocks.length }
}

function weightOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + blockWeight(block), 0)
}

/**
 * Sets the maximum number of blocks in the next database transaction, so that it takes about the target
 * duration. The number at most doubles.
 */
function adapt(run: Run, blocks: number, ms: number): void {
  const fitting = Math.floor((blocks * BATCH_MS) / Math.max(ms, 1))
  run.batch = Math.max(Math.min(fitting, 2 * Math.max(blocks, run.batch)), 1)
}

/**
 * Passes blocks and the facts about their contracts to the writer, and waits until all earlier blocks are stored. So the
 * next blocks are prepared while these are stored. Returns false if the contracts cannot be read because no node has the
 * blocks any more.
 */
async function write(run: Run, blocks: readonly Block[]): Promise<boolean> {
  const { sink, clock, submitted, tracer = silentTracer } = run
  const range = () => rangeOf(blocks)
  const last = blocks.at(-1)
  if (last === undefined) return true
  let indexed: readonly IndexedBlock[]
  try {
    indexed = await traced(tracer, 'read contracts', range, () => withContracts(run, blocks))
  } catch (error) {
    if (!isFirnError(error) || error.code !== 'INDEXER_ABSENT') throw error
    run.problems.set('contracts', error.message)
    return false
  }
  run.problems.clear('contracts')
  const since = clock.now()
  const commit = traced(tracer, 'store blocks', range, () => sink.commit(indexed))
  const stored = Promise.all([commit, submitted?.stored]).then(() => onStored(run, blocks, since))
  stored.catch(run.stop)
  const contracts = new Set(indexed.flatMap((one) => one.contracts.map(({ address }) => Hex.encode(address))))
  run.submitted = { height: last.height, hash: last.hash, time: last.timestamp, contracts, stored }
  await submitted?.stored
  return true
}

/** Records that blocks are stored, which the writer got at the time `since`. */
function onStored(run: Run, blocks: readonly Block[], since: number): void {
  const { written, head, clock } = run
  const now = clock.now()
  adapt(run, blocks.length, now - Math.max(since, run.storedAt))
  run.storedAt = now
  for (const { height, hash } of blocks) {
    // The bytes of a block share memory, of which the copy is independent.
    written.set(height, hash.slice())
    written.delete(height - BigInt(KEPT_HASHES))
  }
  const best = head.best()
  run.onCommit(blocks, best?.height === blocks.at(-1)?.height ? best : undefined)
}

/**
 * Adds the facts about contracts that are not stored yet. Each contract is added to the block in which it
 * first appears, with its state at that block.
 */
async function withContracts(run: Run, blocks: readonly Block[]): Promise<readonly IndexedBlock[]> {
  const { sink, submitted } = run
  const due = (block: Block) => (run.upstreams.isUntraced(block) ? { tracesDue: dueAt(run, block) } : {})
  const seen = blocks.map(contractsOf)
  const all = new Map<string, Seen>(seen.flatMap((one) => [...one]))
  for (const key of submitted?.contracts ?? []) all.delete(key)
  if (all.size === 0) return blocks.map((block) => ({ block, contracts: [], ...due(block) }))
  const unknown = await sink.unknownContracts([...all.values()].map(({ address }) => address))
  const open = new Set<string>(unknown.map((address) => Hex.encode(address)))
  const news = seen.map((one) => [...one].filter(([key]) => open.delete(key)).map(([, contract]) => contract))
  return Promise.all(
    blocks.map(async (block, i) => {
      const here = news[i] ?? []
      return { block, contracts: here.length === 0 ? [] : await factsAt(run, here, block), ...due(block) }
    }),
  )
}

/** Returns when traces that no node has returned are requested again, in Unix seconds. */
function dueAt({ clock, log, traceRetryMs = TRACE_TIMEOUT_MS }: Run, { height }: Block): bigint {
  log.warn(
    { height: `${height}` },
    'no node returned the traces of a block in time; its internal calls are added later',
  )
  return BigInt(Math.ceil((clock.now() + traceRetryMs) / 1_000))
}

/** Reads contracts at a block. If no node has the block, its node is tried last for a while, because it may have invented it. */
async function factsAt({ contracts, upstreams, signal }: Run, seen: readonly Seen[], block: Block) {
  try {
    return await contracts.facts(seen, block, signal)
  } catch (error) {
    if (error instanceof IndexerError && error.code === 'INDEXER_ABSENT') upstreams.blame(block, error)
    throw error
  }
}

/**
 * Checks for a reorg of written blocks, and removes the blocks that are no longer on the chain. If the stored blocks are
 * on the chain, the node of a block that does not follow them is blamed.
 */
async function reorganise(run: Run, broken?: Contradiction): Promise<void> {
  await allStored(run)
  const { sink, upstreams, firstHeight, maxReorgDepth: maxDepth, signal, window } = run
  const { cursor } = sink
  window.reset(nextOf(run))
  if (cursor === undefined) return await wait(run)
  const { height } = cursor
  // A block that does not follow its predecessor may come from a node whose chain was reset.
  upstreams.recheck()
  const hashAt = (at: bigint) => storedHash(run, at)
  const decides = run.disagreements >= MOST_DISAGREEMENTS
  await unlessUnanswered(run, async () => {
    const fork = await findFork({ upstreams, hashAt, height, firstHeight, maxDepth, decides, signal })
    run.otherBranchChecks = fork.kind === 'fork' || fork.kind === 'deep' ? run.otherBranchChecks + 1 : 0
    run.disagreements = fork.kind === 'unknown' ? run.disagreements + 1 : 0
    if (fork.kind === 'none' && broken !== undefined) blame(run, broken)
    if (fork.kind === 'deep' && run.otherBranchChecks >= CONFIRMATIONS) throw fork.error
    if (fork.kind !== 'fork' || (fork.isShorter && run.otherBranchChecks < CONFIRMATIONS))
      return await wait(run)
    await remove(run, height, fork.ancestor, 'reorg: removing blocks')
  })
}

/** Removes the stored blocks above `ancestor`. `height` is the height of the newest one. */
async function remove(run: Run, height: bigint, ancestor: bigint, message: string): Promise<void> {
  const { sink, log, written, window } = run
  const blocks = Number(height - ancestor)
  log.warn({ from: `${height}`, to: `${ancestor}`, blocks }, message)
  await sink.undo(ancestor)
  for (const at of written.keys()) if (at > ancestor) written.delete(at)
  run.onUndo(ancestor, blocks)
  succeeded(run)
  window.reset(nextOf(run))
}

/**
 * Rejects a block with an impossible time. If its time is before that of the newest stored block, either may be wrong,
 * so the stored ones are requested again, and those whose time was wrong are removed.
 */
async function refuse(run: Run, broken: Contradiction): Promise<void> {
  await allStored(run)
  const { sink, window } = run
  const { cursor } = sink
  window.reset(nextOf(run))
  const ancestor =
    broken.kind === 'time' && cursor !== undefined ? await lastRight(run, cursor.height) : undefined
  if (ancestor === 'unknown') return await wait(run)
  if (ancestor !== undefined && cursor !== undefined && ancestor < cursor.height)
    return await remove(run, cursor.height, ancestor, 'stored blocks had a wrong time: removing them')
  blame(run, broken)
  await wait(run)
}

/**
 * Requests stored blocks again, from the newest one at `height` down to the first one with the stored time, and returns
 * its height. Returns undefined if the received times contradict the stored ones, so that they are no better, and
 * `unknown` if no node has the blocks.
 */
async function lastRight(run: Run, height: bigint): Promise<bigint | 'unknown' | undefined> {
  const { sink, upstreams, firstHeight, maxReorgDepth, signal } = run
  let above: bigint | undefined
  for (let at = height; at >= firstHeight && at > height - BigInt(maxReorgDepth); at--) {
    const [hash, time] = await Promise.all([storedHash(run, at), sink.timeAt(at)])
    if (hash === undefined || time === undefined) return undefined
    // The received block above must not be before this one, which is right unless it is removed too.
    const [again] = await upstreams.blocks([{ height: at, hash: Hex.encode(hash) }], signal)
    if (again === undefined) return 'unknown'
    if (above !== undefined && above < again.timestamp) return undefined
    if (again.timestamp === time) return at
    above = again.timestamp
  }
  return above === undefined || height - firstHeight >= BigInt(maxReorgDepth) ? undefined : firstHeight - 1n
}

function blame({ upstreams, problems }: Run, { block, error }: Contradiction): void {
  upstreams.blame(block, error)
  problems.set('block', error.message)
}

/** Runs `work`, and waits if the nodes do not answer. */
async function unlessUnanswered(run: Run, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (run.signal.aborted || !isFirnError(error) || !/^INDEXER_(RPC_|ABSENT)/.test(error.code)) throw error
    await wait(run)
  }
}

/** Waits before the next attempt. The pause grows with each consecutive attempt without progress. */
async function wait(run: Run): Promise<void> {
  run.failures += 1
  const words = run.upstreams.problems()
  if (words.length > 0 && run.failures > 2) run.problems.set('fetch', words.join('; '))
  // At the head, the next block usually arrives soon, so the pause is shorter.
  const failures = Math.min(run.failures, run.upstreams.problems().length > 0 ? 6 : 4)
  await pause(failures, run, run.signal)
}
