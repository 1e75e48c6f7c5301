import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from './Clock.ts'
import { silentLogger } from './Logger.ts'
import { createThreads, serveJobs, type ThreadPort, type Threads, type ThreadsOptions } from './Threads.ts'
import { createFakeClock } from './testing/FakeClock.ts'

/** Code of a thread that counts the messages in `Atomics`, and ends instead of replying to the first `deaths` of them. */
const CODE = `
  const { parentPort, workerData: { log, deaths } } = require('node:worker_threads')
  parentPort.on('message', (requests) => {
    if (Atomics.add(log, 0, 1) < deaths) process.exit(1)
    Atomics.add(log, 1, requests.length)
    for (const { id, input } of requests) {
      if (input.length === 0) parentPort.postMessage({ id, error: 'an empty job' })
      else parentPort.postMessage({ id, output: input })
    }
  })`

type Jobs = { readonly echo: { readonly input: Uint8Array; readonly output: Uint8Array } }

let threads: Threads<Jobs> | undefined
afterEach(() => threads?.close())

/** Returns a pool of threads that reply with their input. The log counts messages, and jobs with a reply. */
function createPool(deaths: number, options: Partial<ThreadsOptions> = {}) {
  const log = new Int32Array(new SharedArrayBuffer(8))
  let started = 0
  threads = createThreads<Jobs>({
    count: 1,
    clock: systemClock,
    log: silentLogger,
    start: () => {
      started += 1
      return new Worker(CODE, { eval: true, workerData: { log, deaths } })
    },
    ...options,
  })
  return { pool: threads, log, started: () => started }
}

const input = (...bytes: number[]) => Uint8Array.from(bytes)

describe('createThreads', () => {
  it('starts its threads with the first job, and resolves each job with its own output', async () => {
    const { pool, started } = createPool(0, { count: 2 })
    expect(started()).toBe(0)
    const jobs = Array.from({ length: 50 }, (_, job) => pool.run('echo', input(job)))
    expect(await Promise.all(jobs)).toEqual(jobs.map((_, job) => input(job)))
    expect([started(), pool.waiting, pool.deaths]).toEqual([2, 0, 0])
  })

  it('sends several waiting jobs in one message', async () => {
    const { pool, log } = createPool(0)
    await Promise.all(Array.from({ length: 100 }, (_, job) => pool.run('echo', input(job))))
    expect(log[1]).toBe(100)
    expect(log[0]).toBeLessThan(40)
  })

  it('replaces a thread that dies, and runs its jobs again', async () => {
    const { pool, started } = createPool(1, { clock: { ...systemClock, sleep: async () => undefined } })
    const jobs = Array.from({ length: 40 }, (_, job) => pool.run('echo', input(job)))
    expect(await Promise.all(jobs)).toEqual(jobs.map((_, job) => input(job)))
    expect([started(), pool.deaths]).toEqual([2, 1])
  })

  it('gives up a job during which three threads died', async () => {
    const { pool } = createPool(3, { clock: { ...systemClock, sleep: async () => undefined } })
    await expect(pool.run('echo', input(1))).rejects.toThrow('3 worker threads ended during this job')
    await expect(pool.run('echo', input(2))).resolves.toEqual(input(2))
  })

  it('waits before it replaces a thread that died before its first reply', async () => {
    const clock = createFakeClock()
    const { pool, started } = createPool(1, { clock })
    const job = pool.run('echo', input(1))
    await expect.poll(() => pool.deaths).toBe(1)
    expect(started()).toBe(1)
    await clock.advance(1_000)
    expect(await job).toEqual(input(1))
  })

  it('rejects a job whose thread reports an error, and all jobs when it is closed', async () => {
    const { pool } = createPool(0)
    await expect(pool.run('echo', input())).rejects.toThrow('a worker thread failed: an empty job')
    const job = pool.run('echo', input(1))
    const outcome = expect(job).rejects.toThrow('the worker threads are closed')
    await pool.close()
    await outcome
    await expect(pool.run('echo', input(1))).rejects.toThrow('the worker threads are closed')
  })
})

describe('serveJobs', () => {
  it('replies to each job with its output, or with the text of its error', async () => {
    let receive: (message: unknown) => void = () => undefined
    const replies: unknown[] = []
    const port: ThreadPort = {
      postMessage: (reply) => void replies.push(reply),
      on: (_event, listener) => {
        receive = listener
      },
    }
    serveJobs<Jobs>(port, {
      echo: async (input) => {
        if (input.length === 0) throw new RangeError('an empty job')
        return input
      },
    })
    const requests = [input(), input(1)].map((job, id) => ({ id, kind: 'echo', input: job }))
    receive(requests)
    await expect.poll(() => replies.length).toBe(2)
    expect(replies).toEqual([
      { id: 0, error: 'RangeError: an empty job' },
      { id: 1, output: input(1) },
    ])
  })
})
