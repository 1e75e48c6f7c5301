import { describe, expect, it } from 'vitest'
import { inParallel } from './inParallel.ts'

describe.each([false, true])('inParallel (yields: %s)', (yields) => {
  it('starts a part before earlier ones have ended', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await inParallel([() => promise, async () => resolve()], yields)
  })

  it('waits for all parts, and throws the first error in time', async () => {
    const inTurn = <T>(work: () => Promise<T>) => Promise.resolve().then(work)
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
