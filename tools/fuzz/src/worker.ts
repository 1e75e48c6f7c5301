import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import * as Case from './Case.ts'
import { BEAT_CELL, CASE_CELL, type Order, type Report, type WorkerData } from './Protocol.ts'
import type { Session, Target } from './Target.ts'

// Growth is only meaningful after garbage collection, so the worker must be able to request one.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const { registry, progress } = workerData as WorkerData
const cells = new Int32Array(progress)
const { targets } = (await import(registry)) as { targets: readonly Target[] }
const sessions = new Map<string, Session>()

const sessionOf = async (name: string): Promise<Session> => {
  const open = sessions.get(name)
  if (open) return open
  const target = targets.find((candidate) => candidate.name === name) as Target
  const session = await target.open()
  sessions.set(name, session)
  return session
}

/** Returns the memory in use in bytes, including garbage. */
const usedMemory = (): number => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const usedMemoryWithoutGarbage = (): number => {
  collectGarbage()
  return usedMemory()
}

/** Memory in use after the last garbage collection that this module requested. */
let base = usedMemoryWithoutGarbage()

/**
 * Part of the memory cap by which memory may have grown since the last collection when a target starts. A
 * collection takes a tenth of a second, so it is skipped as long as there is little garbage.
 */
const SLACK = 1 / 4

/** Minimum number of cases, even if no time is left. A target without cases would appear correct. */
const FEWEST_CASES = 32

const runCases = async (session: Session, order: Order) => {
  const started = performance.now()
  let ran = 0
  while (ran < order.cases && (ran < FEWEST_CASES || performance.now() - started < order.durationMs)) {
    const index = order.from + ran
    Atomics.store(cells, CASE_CELL, index)
    Atomics.add(cells, BEAT_CELL, 1)
    const problem = await Case.run(session, Case.inputOf(session.corpus, order.seed, order.target, index))
    ran++
    // Work that a case deferred (an unhandled rejection, an event of a socket) must run while the number of
    // the case is still known.
    await nextTurn()
    if (problem !== undefined) return { ran, failure: { index, problem } }
  }
  return { ran }
}

const execute = async (order: Order): Promise<Report> => {
  const session = await sessionOf(order.target)
  if (usedMemory() - base > order.memoryCap * SLACK) base = usedMemoryWithoutGarbage()
  const outcome = await runCases(session, order)
  await nextTurn()
  // The case has ended. The following work belongs to the worker and must not be reported as a hang of the
  // case.
  Atomics.store(cells, CASE_CELL, -1)
  // No collection is needed as long as the growth including garbage is below the cap.
  const grownAtMost = Math.max(0, usedMemory() - base)
  const grownBytes =
    grownAtMost <= order.memoryCap ? grownAtMost : Math.max(0, usedMemoryWithoutGarbage() - base)
  if (outcome.failure || grownBytes <= order.memoryCap) return { ...outcome, grownBytes }
  const problem = `memory grew by ${grownBytes} bytes over ${outcome.ran} cases, more than the limit of ${order.memoryCap} bytes`
  return { ...outcome, grownBytes, failure: { index: order.from + outcome.ran - 1, problem } }
}

parentPort?.on('message', async (order: Order | 'close') => {
  if (order !== 'close') {
    parentPort?.postMessage(await execute(order))
    return
  }
  for (const session of sessions.values()) await session.close?.()
  process.exit(0)
})
