import { describe, expect, test } from 'vitest'
import { createConcurrencyLimit } from './ConcurrencyLimit.ts'

/** Creates tasks that run until the test releases them, and counts the running tasks. */
function createWork() {
  let [running, most, started] = [0, 0, 0]
  const releases: (() => void)[] = []
  return {
    work: async (value: string) => {
      running += 1
      started += 1
      most = Math.max(most, running)
      await new Promise<void>((settle) => void releases.push(settle))
      running -= 1
      return value
    },
    release: () => releases.shift()?.(),
    running: () => running,
    started: () => started,
    most: () => most,
  }
}

const LONG = 60_000

describe('createConcurrencyLimit', () => {
  test('runs a limited number of tasks at a time and queues the others in order of arrival', async () => {
    const limit = createConcurrencyLimit({ most: 2, mostWaiting: 10, waitMs: LONG })
    const work = createWork()
    const done: string[] = []
    const all = ['a', 'b', 'c', 'd', 'e'].map((key) =>
      limit.run(key, () => work.work(key)).then((value) => done.push(value)),
    )
    for (let i = 0; i < 5; i++) {
      await expect.poll(work.running).toBe(Math.min(2, 5 - i))
      work.release()
      await expect.poll(() => done.length).toBe(i + 1)
    }
    await Promise.all(all)
    expect(done).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(work.most()).toBe(2)
  })

  test('shares one run among callers with the same key, and starts a new run once the first has ended', async () => {
    const limit = createConcurrencyLimit({ most: 1, mostWaiting: 0, waitMs: LONG })
    const work = createWork()
    const all = Array.from({ length: 200 }, () => limit.run('same', () => work.work('x')))
    await expect.poll(work.running).toBe(1)
    work.release()
    expect(new Set(await Promise.all(all))).toEqual(new Set(['x']))
    expect(work.started()).toBe(1)
    const next = limit.run('same', () => work.work('y'))
    await expect.poll(work.running).toBe(1)
    work.release()
    expect(await next).toBe('y')
  })

  test('rejects a task with retry-after if it waits too long or too many tasks are waiting', async () => {
    const limit = createConcurrencyLimit({ most: 1, mostWaiting: 1, waitMs: 20 })
    const work = createWork()
    const first = limit.run('first', () => work.work('first'))
    const refusal = { code: 'DATA_UNAVAILABLE', details: { headers: { 'retry-after': '1' } } }
    const late = expect(limit.run('late', () => work.work('late'))).rejects.toMatchObject(refusal)
    await expect(limit.run('many', () => work.work('many'))).rejects.toMatchObject(refusal)
    await late
    work.release()
    expect(await first).toBe('first')
    expect(work.started()).toBe(1)
    // A failed task must free its slot too.
    const failing = () => Promise.reject(new RangeError('no'))
    await expect(limit.run('failing', failing)).rejects.toThrow('no')
    const next = limit.run('next', () => work.work('next'))
    await expect.poll(work.running).toBe(1)
    work.release()
    expect(await next).toBe('next')
  })
})
