import { expect, test } from 'vitest'
import { createAnswerCache } from './AnswerCache.ts'
import * as EntityTag from './EntityTag.ts'

const answer = (body: string) => ({ body, height: 1n, time: 2n })

test('computes an answer once for all concurrent callers, and caches it until the space is needed', async () => {
  const cache = createAnswerCache(1_000)
  let made = 0
  const make = async () => answer(`${++made}`)
  const both = await Promise.all([cache.of('a', make), cache.of('a', make)])
  expect(both.map(({ text }) => text)).toEqual(['"1"', '"1"'])
  expect((await cache.of('a', make)).text).toBe('"1"')
  expect((await cache.of('b', make)).text).toBe('"2"')
  for (const other of ['c', 'd', 'e']) await cache.of(other, async () => answer('x'.repeat(200)))
  expect((await cache.of('a', make)).text).toBe('"3"')
})

test('keeps the entity tag with the text, so that it is computed once', async () => {
  const cache = createAnswerCache(1_000)
  const make = async () => answer('1')
  const first = await cache.of('a', make)
  expect(first.tag).toBe(EntityTag.create('"1"'))
  expect(await cache.of('a', make)).toBe(first)
})

test('rejects all waiting callers when the computation fails, and does not cache the failure', async () => {
  const cache = createAnswerCache(1_000)
  const fail = () => Promise.reject(new RangeError('no'))
  const waiting = [cache.of('a', fail), cache.of('a', async () => answer('never asked for'))]
  for (const one of waiting) await expect(one).rejects.toThrow('no')
  expect((await cache.of('a', async () => answer('yes'))).text).toBe('"yes"')
})

test('caches nothing if the size is 0', async () => {
  const cache = createAnswerCache(0)
  for (const text of ['1', '2'])
    expect((await cache.of('a', async () => answer(text))).text).toBe(`"${text}"`)
})
