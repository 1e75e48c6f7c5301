import { Bytes, Hex, isFirnError } from '@firn/codec'
import type { Block } from '@firn/evm'
import type { EvmWriter, IndexedBlock } from '@firn/store/evm'
import type { Clock } from '../Clock.ts'
import { pause } from '../internal/backoff.ts'
import type { Logger } from '../Logger.ts'
import type { Problems } from '../Problems.ts'
import { findFork } from './Branch.ts'
import type { ContractReader, Seen } from './ContractReader.ts'
import type { EvmHead, Head } from './EvmHead.ts'
import type { EvmUpstreams } from './EvmUpstreams.ts'
import { blockWeight } from './internal/blockWeight.ts'
import { contractsOf } from './internal/contractsOf.ts'
import { createWindow, type Window } from './internal/Window.ts'

/** The writer, as far as following needs it. */
export type Sink = Pick<EvmWriter, 'cursor' | 'hashAt' | 'unknownContracts' | 'commit' | 'undo'>

/** Options of {@link follow}. */
export interface FollowOptions {
  readonly upstreams: EvmUpstreams
  readonly head: EvmHead
  readonly contracts: ContractReader
  readonly sink: Sink
  /** The first block that is stored. */
  readonly firstHeight: bigint
  /** Most blocks that may be undone. */
  readonly maxReorgDepth: number
  /** End at the head instead of waiting for more. */
  readonly once: boolean
  /** Most blocks of one transaction; fewer where they take long to store. */
  readonly batchBlocks: number
  /** What blocks ahead of the writer may weigh, in bytes. */
  readonly windowBytes: number
  /** Groups of blocks on their way at a time. */
  readonly groups: number
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  readonly problems: Problems
  /** Told after each commit; `head` is the one whose block is the newest of it. */
  readonly onCommit: (blocks: readonly Block[], head: Head | undefined) => void
  /** Told after blocks above a height were undone. */
  readonly onUndo: (height: bigint, blocks: number) => void
}

type Run = FollowOptions & {
  readonly window: Window
  readonly signal: AbortSignal
  /** Hashes of what was lately written, by height. */
  readonly written: Map<bigint, Uint8Array>
  /** Attempts in a row that brought nothing. */
  failures: number
  /** Looks in a row that found another branch, which isn't believed at once. */
  doubts: number
  seen: number
  /** Most blocks of the next transaction. */
  batch: number
}

const KEPT_HASHES = 256
const BATCH_BYTES = 16 << 20
/** Most blocks of the first transaction, before it is known how long they take. */
const FIRST_BATCH = 32
/** About what a transaction may take, in milliseconds: what is lost when the process is killed. */
const BATCH_MS = 1_000
/** Looks in a row that must find the same before blocks are undone for a shorter branch, or all is given up for a deeper one. */
const DOUBTS = 4

/**
 * Brings the database from where it stands to the head, and stays there unless `once`. Returns when the signal is aborted; what is
 * being written then is finished.
 * @throws IndexerError `INDEXER_REORGANISATION`, `INDEXER_RESET`; StoreError, after which another writer is needed
 */
export async function follow(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const { upstreams, head, sink, firstHeight, windowBytes, groups } = options
  const window = createWindow(nextOf(sink, firstHeight), {
    fetch: (wanted, aborted) => upstreams.blocks(wanted, aborted, head.best()?.upstream),
    groupBlocks: () => upstreams.groupBlocks(),
    groups,
    bytes: windowBytes,
    signal: either,
  })
  const state = { written: new Map(), failures: 0, doubts: 0, seen: 0, batch: FIRST_BATCH }
  const run: Run = { ...options, ...state, window, signal: either }
  try {
    while (!signal.aborted && !(await step(run)));
  } catch (error) {
    if (!signal.aborted || isFirnError(error)) throw error
  } finally {
    ended.abort()
  }
}

/** One step; true at the end. */
async function step(run: Run): Promise<boolean> {
  const { head, sink, firstHeight, signal } = run
  const foreign = run.upstreams.foreign()
  if (foreign !== undefined) throw foreign
  const best = head.best()
  const next = nextOf(sink, firstHeight)
  if (best !== undefined && next <= best.height) {
    run.window.fill(best.height, best.hash)
    await advance(run, await run.window.take())
    return false
  }
  if (best !== undefined && (await isReplaced(run))) {
    await reorganise(run)
    return false
  }
  if (best !== undefined && run.once) return true
  run.seen = await head.changed(run.seen, signal)
  return false
}

function nextOf({ cursor }: Sink, firstHeight: bigint): bigint {
  return cursor === undefined ? firstHeight : cursor.height + 1n
}

/** Whether what was told last is another block than the one written at its height. */
async function isReplaced(run: Run): Promise<boolean> {
  const told = run.head.latest()
  const { cursor } = run.sink
  if (told === undefined || cursor === undefined || told.height > cursor.height) return false
  const stored = await storedHash(run, told.height)
  return stored !== undefined && Hex.encode(stored) !== told.hash
}

async function storedHash({ written, sink }: Run, height: bigint): Promise<Uint8Array | undefined> {
  return written.get(height) ?? (await sink.hashAt(height))
}

/** Writes what came, as far as it follows; what doesn't may be of another branch. */
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
  const linked = linkedPart(run.sink.cursor?.hash, blocks)
  const isWritten = linked.length === 0 || (await write(run, linked))
  if (isWritten && linked.length > 0) {
    run.failures = 0
    run.doubts = 0
    run.problems.clear('fetch')
  }
  if (!isWritten || linked.length < blocks.length) await reorganise(run)
}

function weightOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + blockWeight(block), 0)
}

/** The blocks from the first one on that follow each other. */
function linkedPart(parent: Uint8Array | undefined, blocks: readonly Block[]): readonly Block[] {
  let before = parent
  const end = blocks.findIndex(({ parentHash, hash }) => {
    const isLinked = before === undefined || Bytes.equals(parentHash, before)
    before = hash
    return !isLinked
  })
  return end < 0 ? blocks : blocks.slice(0, end)
}

/** Has the next transaction take as many blocks as fit into the time, and at most twice as many as before. */
function adapt(run: Run, blocks: number, ms: number): void {
  const fitting = Math.floor((blocks * BATCH_MS) / Math.max(ms, 1))
  run.batch = Math.max(Math.min(fitting, 2 * Math.max(blocks, run.batch)), 1)
}

/** False when the contracts of the blocks can't be read, as no node has the blocks any more. */
async function write(run: Run, blocks: readonly Block[]): Promise<boolean> {
  const { sink, written, head, clock } = run
  const since = clock.now()
  let indexed: readonly IndexedBlock[]
  try {
    indexed = await withContracts(run, blocks)
  } catch (error) {
    if (!isFirnError(error) || error.code !== 'INDEXER_ABSENT') throw error
    run.problems.set('contracts', error.message)
    return false
  }
  run.problems.clear('contracts')
  await sink.commit(indexed)
  adapt(run, blocks.length, clock.now() - since)
  for (const { height, hash } of blocks) {
    written.set(height, hash)
    written.delete(height - BigInt(KEPT_HASHES))
  }
  const last = blocks.at(-1)
  const best = head.best()
  run.onCommit(blocks, last !== undefined && best?.height === last.height ? best : undefined)
  return true
}

/** Each contract that isn't known yet with the block that it is first seen in, as it was at that block. */
async function withContracts(run: Run, blocks: readonly Block[]): Promise<readonly IndexedBlock[]> {
  const { sink, contracts, signal } = run
  const seen = blocks.map(contractsOf)
  const all = new Map<string, Seen>(seen.flatMap((one) => [...one]))
  if (all.size === 0) return blocks.map((block) => ({ block, contracts: [] }))
  const unknown = await sink.unknownContracts([...all.values()].map(({ address }) => address))
  const open = new Set<string>(unknown.map((address) => Hex.encode(address)))
  const news = seen.map((one) => [...one].filter(([key]) => open.delete(key)).map(([, contract]) => contract))
  return Promise.all(
    blocks.map(async (block, i) => {
      const here = news[i] ?? []
      return { block, contracts: here.length === 0 ? [] : await contracts.facts(here, block, signal) }
    }),
  )
}

/** Finds out whether the chain was rewritten below what is written, and undoes what is of no branch any more. */
async function reorganise(run: Run): Promise<void> {
  const { sink, upstreams, firstHeight, maxReorgDepth: maxDepth, signal, window, log, written } = run
  const { cursor } = sink
  window.reset(nextOf(sink, firstHeight))
  if (cursor === undefined) return await wait(run)
  const { height } = cursor
  // What doesn't follow may be of a chain that was begun anew.
  upstreams.recheck()
  const hashAt = (at: bigint) => storedHash(run, at)
  try {
    const fork = await findFork({ upstreams, hashAt, height, firstHeight, maxDepth, signal })
    run.doubts = fork.kind === 'none' ? 0 : run.doubts + 1
    if (fork.kind === 'deep' && run.doubts >= DOUBTS) throw fork.error
    if (fork.kind !== 'fork' || (fork.isShorter && run.doubts < DOUBTS)) return await wait(run)
    const blocks = Number(height - fork.ancestor)
    log.warn(
      { from: `${height}`, to: `${fork.ancestor}`, blocks },
      'the chain was rewritten: blocks are undone',
    )
    await sink.undo(fork.ancestor)
    for (const at of written.keys()) if (at > fork.ancestor) written.delete(at)
    run.onUndo(fork.ancestor, blocks)
    run.doubts = 0
    run.failures = 0
    window.reset(nextOf(sink, firstHeight))
  } catch (error) {
    if (signal.aborted || !isFirnError(error) || !/^INDEXER_(RPC_|ABSENT)/.test(error.code)) throw error
    await wait(run)
  }
}

/** Pauses longer the more attempts brought nothing. */
async function wait(run: Run): Promise<void> {
  run.failures += 1
  const words = run.upstreams.problems()
  if (words.length > 0 && run.failures > 2) run.problems.set('fetch', words.join('; '))
  // At the head the next block mostly is there a moment later.
  const failures = Math.min(run.failures, run.upstreams.problems().length > 0 ? 6 : 4)
  await pause(failures, run, run.signal)
}
