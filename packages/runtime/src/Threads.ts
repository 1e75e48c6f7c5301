import type { Clock } from './Clock.ts'
import type { Logger } from './Logger.ts'

/** The kinds of work of a pool of threads by name. Inputs and outputs are copied from one thread to another. */
export type JobKinds<Jobs> = {
  readonly [Kind in keyof Jobs]: { readonly input: unknown; readonly output: unknown }
}

/** A pool of worker threads; created by {@link createThreads}. */
export interface Threads<Jobs extends JobKinds<Jobs>> {
  /**
   * Runs a job in one of the threads and resolves with its output. If the thread dies, another one runs the job again.
   * @throws (rejects) Error if the job fails, if it has been given up, or if the pool is closed
   */
  run<Kind extends keyof Jobs & string>(kind: Kind, input: Jobs[Kind]['input']): Promise<Jobs[Kind]['output']>
  /** Number of jobs that no thread has taken yet. */
  readonly waiting: number
  /** Number of threads that died and were replaced. */
  readonly deaths: number
  /** Ends all threads. The jobs in progress are rejected. */
  close(): Promise<void>
}

/** Options of {@link createThreads}. */
export interface ThreadsOptions {
  readonly count: number
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  /** Starts a thread that calls {@link serveJobs}. */
  readonly start: () => WorkerThread
}

/** A thread as its starter sees it, such as a `Worker` of Node.js. */
export interface WorkerThread {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'exit', listener: () => void): unknown
  unref(): void
  terminate(): Promise<unknown>
}

/** The starter as a thread sees it, such as the `parentPort` of Node.js. */
export interface ThreadPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/** A job with the number under which the thread replies. */
interface Request {
  readonly id: number
  readonly kind: string
  readonly input: unknown
}

/** The reply of a thread to one request: the job's output, or the text of an unexpected error. */
type Reply =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly error: string }

/**
 * Most jobs that one thread has at a time. A thread that has half of them or fewer gets further ones, all in one
 * message.
 */
const MAX_JOBS = 16
/** Number of threads that may die of the same job before it is given up. */
const MAX_DEATHS = 3
/** Pause before a thread is replaced that died before it did any work. */
const RESTART_MS = 1_000

interface Task extends Request {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: Error) => void
  deaths: number
}

interface Thread {
  readonly worker: WorkerThread
  /** The jobs that the thread has, by id. */
  readonly tasks: Map<number, Task>
  hasReplied: boolean
}

/**
 * Returns a pool whose threads start with the first job. They do not keep the process alive.
 *
 * @example
 * ```ts
 * import { Worker } from 'node:worker_threads'
 * import { createThreads, silentLogger, systemClock } from '@firn/runtime'
 *
 * type Jobs = { length: { input: string; output: number } }
 * const start = () => new Worker(new URL('length.worker.js', import.meta.url))
 * const threads = createThreads<Jobs>({ count: 2, clock: systemClock, log: silentLogger, start })
 * console.log(await threads.run('length', 'four'))
 * await threads.close()
 * ```
 */
export function createThreads<Jobs extends JobKinds<Jobs>>(options: ThreadsOptions): Threads<Jobs> {
  return new ThreadPool<Jobs>(options)
}

/**
 * Runs the jobs of a pool in the thread that calls it. Messages are handled concurrently: while a job waits, the jobs of
 * the next message run.
 *
 * @example
 * ```ts
 * import { parentPort } from 'node:worker_threads'
 * import { serveJobs } from '@firn/runtime'
 *
 * type Jobs = { length: { input: string; output: number } }
 * if (parentPort) serveJobs<Jobs>(parentPort, { length: (text) => text.length })
 * ```
 */
export function serveJobs<Jobs extends JobKinds<Jobs>>(
  port: ThreadPort,
  work: { readonly [Kind in keyof Jobs]: (input: Jobs[Kind]['input']) => Output<Jobs[Kind]['output']> },
): void {
  const perform = async ({ id, kind, input }: Request): Promise<Reply> => {
    try {
      return { id, output: await work[kind as keyof Jobs](input) }
    } catch (error) {
      return { id, error: String(error) }
    }
  }
  const answer = async (requests: readonly Request[]) => {
    for (const request of requests) port.postMessage(await perform(request))
  }
  port.on('message', (requests) => void answer(requests as readonly Request[]))
}

type Output<T> = T | Promise<T>

class ThreadPool<Jobs extends JobKinds<Jobs>> implements Threads<Jobs> {
  readonly #options: ThreadsOptions
  readonly #threads = new Set<Thread>()
  readonly #closing = new AbortController()
  #queue: Task[] = []
  #isStarted = false
  #nextId = 0
  #deaths = 0

  constructor(options: ThreadsOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#queue.length
  }

  get deaths(): number {
    return this.#deaths
  }

  run<Kind extends keyof Jobs & string>(
    kind: Kind,
    input: Jobs[Kind]['input'],
  ): Promise<Jobs[Kind]['output']> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#closing.signal.aborted) return reject(closed())
      this.#queue.push({ id: this.#nextId++, kind, input, resolve, reject, deaths: 0 })
      if (this.#isStarted) this.#dispatch()
      else this.#startAll()
    })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const threads = [...this.#threads]
    for (const task of [...threads.flatMap(({ tasks }) => [...tasks.values()]), ...this.#queue.splice(0)])
      task.reject(closed())
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  #startAll(): void {
    this.#isStarted = true
    for (let i = 0; i < this.#options.count; i++) this.#start()
  }

  #start(): void {
    const { start, log } = this.#options
    const thread: Thread = { worker: start(), tasks: new Map(), hasReplied: false }
    this.#threads.add(thread)
    thread.worker.unref()
    thread.worker.on('message', (reply) => this.#settle(thread, reply as Reply))
    thread.worker.on('error', (err) => log.warn({ err }, 'a worker thread failed'))
    thread.worker.on('exit', () => this.#replace(thread))
    this.#dispatch()
  }

  /** Gives waiting jobs to the threads with the fewest jobs. */
  #dispatch(): void {
    while (this.#queue.length > 0) {
      const [least] = [...this.#threads].sort((a, b) => a.tasks.size - b.tasks.size)
      if (least === undefined || least.tasks.size > MAX_JOBS / 2) return
      const tasks = this.#queue.splice(0, MAX_JOBS - least.tasks.size)
      for (const task of tasks) least.tasks.set(task.id, task)
      least.worker.postMessage(tasks.map(({ id, kind, input }): Request => ({ id, kind, input })))
    }
  }

  #settle(thread: Thread, reply: Reply): void {
    const task = thread.tasks.get(reply.id)
    thread.hasReplied = true
    thread.tasks.delete(reply.id)
    if ('error' in reply) task?.reject(new Error(`a worker thread failed: ${reply.error}`))
    else task?.resolve(reply.output)
    this.#dispatch()
  }

  /** Starts another thread in place of one that ended, and runs the jobs of that thread again, before all others. */
  #replace(thread: Thread): void {
    this.#threads.delete(thread)
    const { signal } = this.#closing
    if (signal.aborted) return
    this.#deaths += 1
    for (const task of thread.tasks.values()) task.deaths += 1
    const [again, hopeless] = partition([...thread.tasks.values()], ({ deaths }) => deaths < MAX_DEATHS)
    for (const task of hopeless) task.reject(new Error(`${MAX_DEATHS} worker threads ended during this job`))
    this.#queue = [...again, ...this.#queue]
    this.#options.log.warn({ jobs: again.length }, 'a worker thread ended, starting another one')
    if (thread.hasReplied) this.#start()
    else
      this.#options.clock.sleep(RESTART_MS, signal).then(
        () => this.#start(),
        () => undefined,
      )
    this.#dispatch()
  }
}

function closed(): Error {
  return new Error('the worker threads are closed')
}

function partition<T>(items: readonly T[], select: (item: T) => boolean): [T[], T[]] {
  return [items.filter(select), items.filter((item) => !select(item))]
}
