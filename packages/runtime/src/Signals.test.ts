import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { withAnySignal } from './Signals.ts'

const untilAborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }))

describe('withAnySignal', () => {
  it.each([0, 1])('aborts the work with the reason of signal %i', async (index) => {
    const controllers = [new AbortController(), new AbortController()]
    const working = withAnySignal(
      controllers.map(({ signal }) => signal),
      untilAborted,
    )
    controllers[index]?.abort('enough')
    expect(await working).toBe('enough')
  })

  it('starts the work with an aborted signal if one is aborted already', async () => {
    const signals = [new AbortController().signal, AbortSignal.abort('enough')]
    const seen = await withAnySignal(signals, async ({ aborted, reason }) => ({ aborted, reason }))
    expect(seen).toEqual({ aborted: true, reason: 'enough' })
  })

  it('leaves no listeners on the signals after the work ends or fails', async () => {
    const [long, short] = [new AbortController(), new AbortController()]
    const signals = [long.signal, short.signal]
    const failing = () => Promise.reject(new RangeError('no'))
    await withAnySignal(signals, async () => {
      expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([1, 1])
    })
    await expect(withAnySignal(signals, failing)).rejects.toThrow('no')
    expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 0])
  })
})
