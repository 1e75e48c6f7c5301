import { describe, expect, test } from 'vitest'
import { createTurns } from './Turns.ts'

/** Runs tasks of callers, each of which goes on with its next one when one has ended, and returns their order. */
async function orderOf(callers: readonly (readonly string[])[], tasks: number): Promise<readonly string[]> {
  const turns = createTurns()
  const order: string[] = []
  const all = callers.map(async (names) => {
    for (let i = 0; i < tasks; i++) {
      await turns.run(names, async () => {
        order.push(names[0] ?? '')
        await new Promise((resolve) => setImmediate(resolve))
      })
    }
  })
  await Promise.all(all)
  return order
}

describe('turns', () => {
  test('run one task at a time, and give its result or error', async () => {
    const turns = createTurns()
    let running = 0
    const task = async (value: number) => {
      running += 1
      expect(running).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      if (value === 3) throw new Error('three')
      return value
    }
    const all = [1, 2, 3, 4].map((value) => turns.run(['a'], () => task(value)))
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    ])
  })

  test('go round by caller, regardless of the number of exports that one has', async () => {
    const greedy = Array.from({ length: 20 }, () => ['greedy'])
    const order = await orderOf([...greedy, ['modest']], 5)
    const turnsOf = order.flatMap((name, at) => (name === 'modest' ? [at] : []))
    expect(turnsOf).toHaveLength(5)
    expect(turnsOf.at(-1)).toBeLessThan(12)
  })

  test('go round by network first, and by caller within it', async () => {
    const site = Array.from({ length: 100 }, (_, i) => [`network ${i}`, 'site'])
    const order = await orderOf([...site, ['modest']], 3)
    expect(order.lastIndexOf('modest')).toBeLessThan(8)
    expect(new Set(order.filter((name) => name !== 'modest').slice(0, 100)).size).toBe(100)
  })
})
