import { expect, test } from 'vitest'
import { createAnswerCache, type Rendered } from './AnswerCache.ts'
import * as EntityTag from './EntityTag.ts'

const answer = (body: string) => ({ body, height: 1n, time: 2n })
const textOf = ({ bytes }: Rendered) => bytes.toString()

test('computes an answer once for all concurrent callers, and caches it until the space is needed', async () => {
  const cache = createAnswerCache(1_000)
  let made = 0
  const make = async () => answer(`${++made}`)
  const both = await Promise.all([cache.of('a', make), cache.of('a', make)])
  expect(both.map(textOf)).toEqual(['"1"', '"1"'])
  expect(textOf(await cache.of('a', make))).toBe('"1"')
  expect(textOf(await cache.of('b', make))).toBe('"2"')
  for (const other of ['c', 'd', 'e']) await cache.of(other, async () => answer('x'.repeat(200)))
  expect(textOf(await cache.of('a', make))).toBe('"3"')
})

test('computes an answer again for a caller with a different budget, and gives the cached one to all', async () => {
  const cache = createAnswerCache(1_000)
  const fail = () => Promise.reject(new RangeError('no'))
  const few = cache.of('a', fail, '10')
  expect(cache.get('a')).toBeUndefined()
  const many = cache.of('a', async () => answer('yes'), '100')
  await expect(few).rejects.toThrow('no')
  expect(textOf(await many)).toBe('"yes"')
  expect(textOf(await cache.of('a', fail, '10'))).toBe('"yes"')
  expect(cache.get('a')).toBe(await many)
})

test('retains no memory besides the bytes of an answer', async () => {
  const { bytes } = await createAnswerCache(1_000).of('a', async () => answer('π'))
  expect([bytes.toString(), bytes.buffer.byteLength]).toEqual(['"π"', 4])
})

test('keeps the entity tag with the body, so that it is computed once', async () => {
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
  expect(textOf(await cache.of('a', async () => answer('yes')))).toBe('"yes"')
})

test('caches nothing if the size is 0', async () => {
  const cache = createAnswerCache(0)
  for (const text of ['1', '2'])
    expect(textOf(await cache.of('a', async () => answer(text)))).toBe(`"${text}"`)
})
