import { describe, expect, test } from 'vitest'
import type { Caller } from '../endpoint/Caller.ts'
import { createBudgets } from './Budget.ts'

const units = { unitsPerMinute: 1_000, unitsPerDay: 1_000 }
const caller = (id: string, allowance: Partial<Caller['allowance']>): Caller => ({
  limits: [{ key: id, factor: 1 }],
  allowance: { ...units, ...allowance },
  advice: 'use an API key, or ask for less',
})
const read = async (mostRows: number) => mostRows

describe('createBudgets', () => {
  test('rejects requests beyond the rows per second of their caller until the next second begins', async () => {
    let now = 1_500
    const budgets = createBudgets(() => now)
    const one = caller('one', { rowsPerSecond: 100 })
    await expect(budgets.run(one, 60, read)).resolves.toBe(100)
    await expect(budgets.run(one, 60, read)).rejects.toMatchObject({
      code: 'DATA_RATE_LIMIT',
      message: expect.stringContaining('use an API key, or ask for less'),
      details: { headers: { 'retry-after': '1' } },
    })
    // A rejected request reads nothing, so it uses no rows.
    await expect(budgets.run(one, 40, read)).resolves.toBe(100)
    await expect(budgets.run(caller('other', { rowsPerSecond: 100 }), 60, read)).resolves.toBe(100)
    now = 2_000
    await expect(budgets.run(one, 60, read)).resolves.toBe(100)
  })

  test('rejects a request that may read more rows than its caller may ever read', async () => {
    const budgets = createBudgets(() => 0)
    const rejected = budgets.run(caller('one', { rowsPerSecond: 100 }), 101, read)
    await expect(rejected).rejects.toMatchObject({
      code: 'DATA_PARAMETER',
      message:
        'this request may read 101 rows, and you may read 100 per second; use an API key, or ask for less',
    })
  })

  test('lets requests of a caller wait while too many are in progress, and rejects them when too many wait', async () => {
    const budgets = createBudgets(() => 0)
    const ends: (() => void)[] = []
    const work = () => new Promise<string>((resolve) => ends.push(() => resolve('done')))
    const one = caller('one', { concurrent: 2 })
    const all = Array.from({ length: 40 }, () => budgets.run(one, 1, work).catch(({ code }) => code))
    await expect.poll(() => ends.length).toBe(2)
    await expect(budgets.run(caller('other', { concurrent: 2 }), 1, read)).resolves.toBe(
      Number.POSITIVE_INFINITY,
    )
    for (let ended = 0; ended < 34; ended++) {
      await expect.poll(() => ends.length).toBeGreaterThan(ended)
      ends[ended]?.()
    }
    expect(await Promise.all(all)).toEqual([...Array(34).fill('done'), ...Array(6).fill('DATA_RATE_LIMIT')])
  })
})
