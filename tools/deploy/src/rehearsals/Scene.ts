import { setTimeout as sleep } from 'node:timers/promises'
import { DeployError } from '../DeployError.ts'
import * as Chains from './Chains.ts'
import type * as Program from './Program.ts'
import type { Print } from './Steps.ts'

/** A chain's node and the two replicas that serve the chain. */
export interface Scene {
  readonly name: Chains.Name
  readonly node: Program.Program
  /** The replicas behind the load balancer, which are replaced during a rehearsal. */
  readonly replicas: [Program.Program, Program.Program]
}

/** Starts the node and two replicas of a chain. `closers` gets what ends them. */
export const start = async (
  name: Chains.Name,
  databaseUrl: string,
  root: string | undefined,
  closers: (() => Promise<unknown>)[],
): Promise<Scene> => {
  const node = await Chains.startNode(name, 20)
  closers.push(() => node.end('SIGTERM'))
  const replica = () => Chains.startReplica(name, node.found, databaseUrl, root)
  const scene: Scene = { name, node, replicas: [await replica(), await replica()] }
  closers.push(() => Promise.all(scene.replicas.map((one) => one.end('SIGKILL'))))
  return scene
}

/** Starts the node and two replicas of each chain of {@link Chains.NAMES}. */
export const startAll = async (
  databaseUrl: string,
  closers: (() => Promise<unknown>)[],
): Promise<readonly Scene[]> => {
  const scenes: Scene[] = []
  for (const name of Chains.NAMES) scenes.push(await start(name, databaseUrl, undefined, closers))
  return scenes
}

/** Counts of the reads of a rehearsal. */
export interface Reads {
  total: number
  /** Number of reads that a second replica answered. */
  retried: number
  /** Number of reads that no replica answered within the patience. */
  failed: number
  /** Longest time in milliseconds in which no replica answered. */
  longestMs: number
  /** Largest number of blocks by which the height of a replica went back. */
  back: number
}

const READ_MS = 50
const RETRY_MS = 250

/**
 * Reads the newest block from the replicas in turn until the signal is aborted, as behind a load balancer, which asks the
 * other replica if one fails. A read that fails on both is repeated, and counts as failed after `patienceMs`.
 */
export const read = async (scene: Scene, patienceMs: number, signal: AbortSignal): Promise<Reads> => {
  const reads: Reads = { total: 0, retried: 0, failed: 0, longestMs: 0, back: 0 }
  const seen = new Map<string, number>()
  for (let turn = 0; !signal.aborted; turn++) {
    const begin = performance.now()
    let found: number | undefined
    for (let attempt = 0; found === undefined; attempt++) {
      const url = scene.replicas[(turn + attempt) % 2]?.found ?? ''
      found = await Chains.height(scene.name, url)
      if (found !== undefined) {
        reads.back = Math.max(reads.back, (seen.get(url) ?? 0) - found)
        seen.set(url, found)
      } else if (attempt % 2 === 0) reads.retried += 1
      else if (performance.now() - begin > patienceMs) break
      else await sleep(RETRY_MS)
    }
    reads.total += 1
    if (found === undefined) reads.failed += 1
    reads.longestMs = Math.max(reads.longestMs, performance.now() - begin)
    await sleep(READ_MS)
  }
  return reads
}

/** Lets a chain grow to a share of its blocks over some milliseconds. */
export const grow = async ({ name, node }: Scene, from: number, to: number, ms: number): Promise<void> => {
  const { blocks } = Chains.CHAINS[name]
  const steps = 20
  for (let step = 1; step <= steps; step++) {
    await sleep(ms / steps)
    node.write(String(Math.floor(20 + (blocks - 20) * (from + ((to - from) * step) / steps))))
  }
}

/** Ends a replica as an operator does. @throws DeployError `DEPLOY_STEP` if its exit code is not 0 or 130 */
export const stop = async (replica: Program.Program): Promise<void> => {
  const code = await replica.end('SIGTERM')
  if (code !== 0 && code !== 130)
    throw new DeployError('DEPLOY_STEP', `a replica ended with ${code}:\n${replica.output()}`)
}

/**
 * Prints the reads of a chain.
 * @throws DeployError `DEPLOY_STEP` if one failed, or if a height went back and `mayGoBack` is not set
 */
export const assertServed = ({ name }: Scene, reads: Reads, print: Print, mayGoBack = false): void => {
  const { total, retried, failed, longestMs, back } = reads
  const longest = `longest ${(longestMs / 1_000).toFixed(1)} s`
  print(`${name}: ${total} reads, ${retried} repeated, ${failed} failed, ${longest}, ${back} blocks back`)
  if (failed > 0) throw new DeployError('DEPLOY_STEP', `${name}: ${failed} reads failed`)
  if (back > 0 && !mayGoBack) throw new DeployError('DEPLOY_STEP', `${name}: the height went back by ${back}`)
}
