import { describe, expect, it } from 'vitest'
import { createTurns } from '../../internal/turns.ts'
import { inParallel } from './inParallel.ts'

describe.each([false, true])('inParallel (yields: %s)', (yields) => {
  it('starts a part before earlier ones have ended', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await inParallel([() => promise, async () => resolve()], yields)
  })

  it('waits for all parts, and throws the first error in time', async () => {
    const inTurn = createTurns()
    const { promise, reject } = Promise.withResolvers<void>()
    let isAborted = false
    const first = async () => {
      await promise.catch(() => undefined)
      await inTurn(async () => {
        isAborted = true
        throw new RangeError('the transaction is aborted')
      })
    }
    const second = async () => {
      reject(new RangeError('duplicate key'))
      await promise
    }
    await expect(inParallel([first, second], yields)).rejects.toThrow('duplicate key')
    expect(isAborted).toBe(true)
  })
})

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
