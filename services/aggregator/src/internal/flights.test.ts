import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { abortable } from './flights.ts'

describe('abortable', () => {
  const unhandled: unknown[] = []
  const record = (reason: unknown) => void unhandled.push(reason)
  beforeEach(() => void process.on('unhandledRejection', record))
  afterEach(() => void process.off('unhandledRejection', record))

  it("rejects with the signal's reason, and handles a later failure of the promise", async () => {
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    const load = async () => {
      await sleep(1)
      throw new Error('the upstream failed')
    }
    const during = abortable(load(), controller.signal)
    controller.abort(reason)
    await expect(during).rejects.toBe(reason)
    await expect(abortable(load(), controller.signal)).rejects.toBe(reason)
    await sleep(10)
    expect(unhandled).toEqual([])
  })
})
