import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

describe('createTurns', () => {
  it('runs work in the order of the calls, also after work that failed', async () => {
    const inTurn = createTurns()
    const order: number[] = []
    const failed = inTurn(async () => {
      await new Promise((settle) => setTimeout(settle, 1))
      order.push(1)
      throw new RangeError('refused')
    })
    const next = inTurn(async () => void order.push(2))
    await expect(failed).rejects.toThrow('refused')
    await next
    expect(order).toEqual([1, 2])
  })
})
