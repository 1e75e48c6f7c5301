import { Hex, isFirnError } from '@firn/codec'
import { findFork } from './Branch.ts'
import { allStored, nextOf, type Run, storedHash, succeeded, wait } from './Following.ts'
import type { Contradiction } from './follows.ts'

/**
 * Number of consecutive checks that must find another branch before blocks are removed in favour of a shorter branch,
 * or before indexing fails because of a deep reorg.
 */
const CONFIRMATIONS = 4
/** Number of consecutive checks in which two nodes disagree, after which the one with the higher head is followed. */
const MOST_DISAGREEMENTS = 8

/**
 * Checks for a reorg of written blocks, and removes the blocks that are no longer on the chain. If the stored blocks are
 * on the chain, the node of a block that does not follow them is blamed.
 */
export async function reorganise(run: Run, broken?: Contradiction): Promise<void> {
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
 * Rejects a block with an impossible time. If its time is before the time of the newest stored block, either may be wrong,
 * so the stored ones are requested again, and those whose time was wrong are removed.
 */
export async function refuse(run: Run, broken: Contradiction): Promise<void> {
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
