import { Worker } from 'node:worker_threads'
import type { Clock, Logger } from '@firn/runtime'
import type { Job, Jobs, Kind, Reply, Request } from './Job.ts'

/** A pool of worker threads; created by {@link createThreads}. */
export interface Threads {
  /**
   * Runs a job in one of the threads and resolves with its output. If the thread dies, another one runs the job again.
   * @throws (rejects) Error if the job fails, if it has been given up, or if the pool is closed
   */
  run<K extends Kind>(kind: K, input: Jobs[K]['input']): Promise<Jobs[K]['output']>
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
  /** Starts a thread. Default: the thread that verifies signatures. */
  readonly start?: () => Worker
}

/**
 * Most jobs that one thread has at a time. A thread that has half of them or fewer gets further ones, all in one
 * message.
 */
const MAX_JOBS = 16
/** Number of threads that may die of the same job before it is given up. */
const MAX_DEATHS = 3
/** Pause before a thread is replaced that died before it did any work. */
const RESTART_MS = 1_000
/** Limit of a thread's memory for new objects. V8 would use up to 192 MB before it collects them. */
const YOUNG_MEGABYTES = 24

/**
 * Whether this module runs from its TypeScript source. In this case, the thread must also resolve packages to their
 * sources.
 */
const IS_SOURCE = import.meta.url.endsWith('.ts')

interface Task extends Request {
  readonly resolve: (output: Jobs[Kind]['output']) => void
  readonly reject: (error: Error) => void
  deaths: number
}

interface Thread {
  readonly worker: Worker
  /** The jobs that the thread has, by id. */
  readonly tasks: Map<number, Task>
  hasReplied: boolean
}

/** Returns a pool whose threads start with the first job. They do not keep the process alive. */
export function createThreads(options: ThreadsOptions): Threads {
  return new ThreadPool(options)
}

class ThreadPool implements Threads {
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

  run<K extends Kind>(kind: K, input: Jobs[K]['input']): Promise<Jobs[K]['output']> {
    return new Promise<Jobs[Kind]['output']>((resolve, reject) => {
      if (this.#closing.signal.aborted) return reject(closed())
      const job = { kind, input } as Job
      this.#queue.push({ id: this.#nextId++, job, resolve, reject, deaths: 0 })
      if (this.#isStarted) this.#dispatch()
      else this.#startAll()
    }) as Promise<Jobs[K]['output']>
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
    const { start = startWorker, log } = this.#options
    const thread: Thread = { worker: start(), tasks: new Map(), hasReplied: false }
    this.#threads.add(thread)
    thread.worker.unref()
    thread.worker.on('message', (reply: Reply) => this.#settle(thread, reply))
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
      least.worker.postMessage(tasks.map(({ id, job }): Request => ({ id, job })))
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

function startWorker(): Worker {
  return new Worker(new URL(`./bls.worker.${IS_SOURCE ? 'ts' : 'js'}`, import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    ...(IS_SOURCE ? { execArgv: ['--conditions=source'] } : {}),
  })
}

function closed(): Error {
  return new Error('the worker threads are closed')
}

function partition<T>(items: readonly T[], select: (item: T) => boolean): [T[], T[]] {
  return [items.filter(select), items.filter((item) => !select(item))]
}
