import { Hex, isFirnError } from '@firn/codec'
import type { Block } from '@firn/evm'
import type { IndexedBlock } from '@firn/evm-store'
import { type Attributes, silentTracer, traced } from '@firn/runtime'
import { IndexerError } from '../common/IndexerError.ts'
import { blockWeight } from './blockWeight.ts'
import type { Seen } from './contracts/ContractReader.ts'
import { contractsOf } from './contracts/contractsOf.ts'
import {
  allStored,
  type FollowOptions,
  nextOf,
  type Run,
  storedHash,
  succeeded,
  tipOf,
  wait,
} from './Following.ts'
import { linkedPart } from './follows.ts'
import { refuse, reorganise } from './reorganise.ts'
import { TRACE_TIMEOUT_MS } from './upstream/Requests.ts'
import { createWindow } from './Window.ts'

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

/** Returns whether the last reported head differs from the block written at the same height. */
async function isReplaced(run: Run): Promise<boolean> {
  const reported = run.head.latest()
  const { cursor } = run.sink
  if (reported === undefined || cursor === undefined || reported.height > cursor.height) return false
  const stored = await storedHash(run, reported.height)
  return stored !== undefined && Hex.encode(stored) !== reported.hash
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
 * blocks.
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
