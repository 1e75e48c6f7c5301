import { expect, it } from 'vitest'
import { createShared } from './Shared.ts'

/** Work that ends when its signal is aborted, or when `finish` is called. */
function createWork() {
  const finishes: ((result: string) => void)[] = []
  const shared = createShared(
    (signal) =>
      new Promise<string>((settle, fail) => {
        finishes.push(settle)
        signal.addEventListener('abort', () => fail(signal.reason))
      }),
  )
  return { shared, finishes }
}

it('runs once for all callers, and again only when it is forgotten', async () => {
  const { shared, finishes } = createWork()
  const { signal } = new AbortController()
  const both = [shared.get(signal), shared.get(signal)]
  finishes[0]?.('first')
  expect(await Promise.all(both)).toEqual(['first', 'first'])
  expect(await shared.get(signal)).toBe('first')
  shared.forget()
  const again = shared.get(signal)
  finishes[1]?.('second')
  expect(await again).toBe('second')
  expect(finishes).toHaveLength(2)
})

it('starts again for the other callers if the caller that started it is aborted', async () => {
  const { shared, finishes } = createWork()
  const aborted = new AbortController()
  const first = shared.get(aborted.signal)
  const others = [shared.get(new AbortController().signal), shared.get(new AbortController().signal)]
  aborted.abort()
  await expect(first).rejects.toThrow('aborted')
  finishes[1]?.('found')
  expect(await Promise.all(others)).toEqual(['found', 'found'])
  expect(finishes).toHaveLength(2)
})

it('starts again after an error', async () => {
  let attempts = 0
  const shared = createShared(async () => {
    attempts += 1
    if (attempts === 1) throw new RangeError('no answer')
    return attempts
  })
  const { signal } = new AbortController()
  await expect(shared.get(signal)).rejects.toThrow('no answer')
  expect(await shared.get(signal)).toBe(2)
})
