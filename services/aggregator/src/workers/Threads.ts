import { Worker } from 'node:worker_threads'
import { createThreads as createPool, type Threads as Pool, type ThreadsOptions } from '@firn/runtime'
import type { Jobs } from './Jobs.ts'

/** A pool of threads that verify signatures. */
export type Threads = Pool<Jobs>

/** Limit of a thread's memory for new objects. V8 would use up to 192 MB before it collects them. */
const YOUNG_MEGABYTES = 24

/**
 * Whether this module runs from its TypeScript source. In this case, the thread must also resolve packages to their
 * sources.
 */
const IS_SOURCE = import.meta.url.endsWith('.ts')

/** Returns a pool whose threads start with the first job. They do not keep the process alive. */
export function createThreads(options: Omit<ThreadsOptions, 'start'>): Threads {
  return createPool<Jobs>({ ...options, start })
}

function start(): Worker {
  return new Worker(new URL(`./bls.worker.${IS_SOURCE ? 'ts' : 'js'}`, import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    ...(IS_SOURCE ? { execArgv: ['--conditions=source'] } : {}),
  })
}
