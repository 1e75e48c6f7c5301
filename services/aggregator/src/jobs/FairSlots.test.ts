import { describe, expect, it } from 'vitest'
import { createFairSlots } from './FairSlots.ts'

const never = new AbortController().signal
const SHARE = { caller: 'a', request: '1' }

/**
 * Returns slots, the names of the work that started, and a function that ends the work with a name. The first character
 * of a name is the caller, and the second one the request.
 */
function setUp(max: number) {
  const slots = createFairSlots(max)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, signal = never) =>
    slots.run({ caller: name[0] ?? '', request: name[1] ?? '' }, signal, () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const settle = () => new Promise(setImmediate)
  const end = async (name: string) => {
    await settle()
    ends.get(name)?.()
    await settle()
  }
  return { run, started, end }
}

describe('createFairSlots', () => {
  it('starts waiting work in turns by caller', async () => {
    const { run, started, end } = setUp(1)
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void run(name)
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name)
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  })

  it('starts the work of one caller in turns by request', async () => {
    const { run, started, end } = setUp(1)
    for (const name of ['a1x', 'a1y', 'a1z', 'a2x', 'b1x', 'a2y']) void run(name)
    for (const name of ['a1x', 'a1y', 'b1x', 'a2x', 'a1z', 'a2y']) await end(name)
    expect(started).toEqual(['a1x', 'a1y', 'b1x', 'a2x', 'a1z', 'a2y'])
  })

  it('skips work whose signal aborted while it waited, and frees the slot of failed work', async () => {
    const { run, started, end } = setUp(1)
    const controller = new AbortController()
    void run('a1')
    const aborted = run('b1', controller.signal)
    void run('c1')
    controller.abort(new RangeError('changed my mind'))
    await expect(aborted).rejects.toThrow('changed my mind')
    await expect(run('d1', controller.signal)).rejects.toThrow('changed my mind')
    await end('a1')
    expect(started).toEqual(['a1', 'c1'])
    const slots = createFairSlots(1)
    const failure = slots.run(SHARE, never, () => Promise.reject(new RangeError('failed')))
    await expect(failure).rejects.toThrow('failed')
    await expect(slots.run(SHARE, never, async () => 1)).resolves.toBe(1)
  })

  it.each([0, 1, 2, 3, 4, 5, 6])(
    'starts the next work if the first in line aborts %i steps after a slot became free',
    async (steps) => {
      const slots = createFairSlots(1)
      const controller = new AbortController()
      const first = Promise.withResolvers<void>()
      void slots.run(SHARE, never, () => first.promise)
      await new Promise(setImmediate)
      const aborted = slots.run({ ...SHARE, caller: 'b' }, controller.signal, async () => {}).catch(() => {})
      const next = slots.run({ ...SHARE, caller: 'c' }, never, async () => 'c')
      first.resolve()
      for (let step = 0; step < steps; step++) await Promise.resolve()
      controller.abort()
      await aborted
      expect(await next).toBe('c')
    },
  )
})
