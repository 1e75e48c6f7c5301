import { Worker } from 'node:worker_threads'
import { BEAT_CELL, CASE_CELL, type Order, type Report, type WorkerData } from './Protocol.ts'
import type { Target } from './Target.ts'

/** Options of {@link run}. */
export type Options = {
  /** URL of the module that exports `targets`. The worker loads it as well. */
  readonly registry: string
  readonly targets: readonly Target[]
  readonly seed: number
  /** Time in milliseconds for all targets together. */
  readonly durationMs: number
  /** Number of the single case to run for each target; defaults to all cases. */
  readonly onlyCase?: number
  /** Maximum duration of one case in milliseconds. */
  readonly caseLimitMs?: number
  /** Maximum growth of memory per target, in bytes. */
  readonly memoryCap?: number
  readonly onTarget?: (outcome: Outcome) => void
}

/** Outcome of one target. */
export type Outcome = {
  readonly target: string
  readonly cases: number
  readonly grownBytes: number
  readonly failure?: Failure
}

/** A failing case, with the data needed to reproduce it. */
export type Failure = {
  readonly kind: 'error' | 'hang' | 'crash'
  readonly seed: number
  readonly index: number
  readonly problem: string
}

const DEFAULT_CASE_LIMIT = 5_000
const DEFAULT_MEMORY_CAP = 64 << 20
/**
 * Heap limit of the worker in MiB. The engine ends a worker that exceeds it, which is reported as a crash
 * before the machine runs out of memory.
 */
const HEAP_LIMIT_MIB = 1024
/**
 * Time limit in milliseconds for opening a target. Opening creates keys and sockets and reads vectors, so it
 * may take longer than a case.
 */
const OPEN_LIMIT = 60_000

type Thread = { readonly worker: Worker; readonly cells: Int32Array; readonly deaths: string[] }

const start = (registry: string): Thread => {
  const progress = new SharedArrayBuffer(8)
  const cells = new Int32Array(progress)
  cells[CASE_CELL] = -1
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { registry, progress } satisfies WorkerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MIB },
    execArgv: ['--conditions=source'],
  })
  const deaths: string[] = []
  worker.on('error', (error: Error) => deaths.push(error.stack ?? String(error)))
  return { worker, cells, deaths }
}

type Reply = { readonly report: Report } | { readonly died: string } | { readonly hung: number }

/**
 * Sends an order to the worker. Waits for the report, for the end of the thread, or until a case exceeds its
 * time limit.
 */
const execute = ({ worker, cells, deaths }: Thread, order: Order, caseLimitMs: number): Promise<Reply> =>
  new Promise((settle) => {
    let beat = cells[BEAT_CELL]
    let since = performance.now()
    const watch = setInterval(() => {
      if (deaths[0] !== undefined) return finish({ died: deaths[0] })
      const now = performance.now()
      const current = Atomics.load(cells, BEAT_CELL)
      if (current !== beat) {
        beat = current
        since = now
      }
      const limit = Atomics.load(cells, CASE_CELL) === -1 ? OPEN_LIMIT : caseLimitMs
      if (now - since > limit) finish({ hung: Math.round(now - since) })
    }, 20)
    const finish = (reply: Reply) => {
      clearInterval(watch)
      worker.off('message', onMessage).off('exit', onExit)
      settle(reply)
    }
    const onMessage = (report: Report) => finish({ report })
    const onExit = (code: number) =>
      finish({ died: deaths[0] ?? `the worker thread ended with exit code ${code}` })
    worker.on('message', onMessage).on('exit', onExit)
    worker.postMessage(order)
  })

const close = async ({ worker }: Thread): Promise<void> => {
  const ended = new Promise<void>((settle) => worker.once('exit', () => settle()))
  worker.postMessage('close')
  await Promise.race([ended, new Promise((settle) => setTimeout(settle, 2_000).unref())])
  await worker.terminate()
}

const failureOf = (reply: Reply, seed: number, at: number): Failure | undefined => {
  if ('hung' in reply)
    return { kind: 'hang', seed, index: at, problem: `the case did not end within ${reply.hung} ms` }
  if ('died' in reply) return { kind: 'crash', seed, index: at, problem: reply.died }
  return reply.report.failure && { kind: 'error', seed, ...reply.report.failure }
}

/**
 * Runs mutated inputs on each target in a worker thread, and returns the outcome of each target. A target
 * ends when its share of the time is used up or when it fails. Targets run one after another. The thread is
 * replaced after a hang or a crash.
 */
export const run = async (options: Options): Promise<readonly Outcome[]> => {
  const {
    targets,
    seed,
    onlyCase,
    memoryCap = DEFAULT_MEMORY_CAP,
    caseLimitMs = DEFAULT_CASE_LIMIT,
  } = options
  const ends = performance.now() + options.durationMs
  const outcomes: Outcome[] = []
  let thread = start(options.registry)
  for (const [position, { name, caseLimitMs: own, share = 1 }] of targets.entries()) {
    const shares = targets.slice(position).reduce((sum, target) => sum + (target.share ?? 1), 0)
    const durationMs = (Math.max(0, ends - performance.now()) * share) / shares
    const order: Order = {
      target: name,
      seed,
      from: onlyCase ?? 0,
      cases: onlyCase === undefined ? Number.MAX_SAFE_INTEGER : 1,
      durationMs: onlyCase === undefined ? durationMs : Number.MAX_SAFE_INTEGER,
      memoryCap,
    }
    const reply = await execute(thread, order, own ?? caseLimitMs)
    const at = Math.max(0, Atomics.load(thread.cells, CASE_CELL))
    const failure = failureOf(reply, seed, at)
    const [cases, grownBytes] =
      'report' in reply ? [reply.report.ran, reply.report.grownBytes] : [at - order.from + 1, 0]
    const outcome = { target: name, cases, grownBytes, ...(failure ? { failure } : {}) }
    outcomes.push(outcome)
    options.onTarget?.(outcome)
    if ('report' in reply) continue
    await thread.worker.terminate()
    thread = start(options.registry)
  }
  await close(thread)
  return outcomes
}
