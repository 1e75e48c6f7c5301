import { expect, it } from 'vitest'
import { readBytes } from './readBytes.ts'

async function* parts(...lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const [i, length] of lengths.entries()) yield new Uint8Array(length).fill(i + 1)
}

it('joins all parts in order, and does not change the first part', async () => {
  const first = new Uint8Array([9, 9])
  async function* all() {
    yield first
    yield* parts(0, 1, 3, 40, 2)
  }
  const expected = [9, 9, 2, 3, 3, 3, ...new Array(40).fill(4), 5, 5]
  expect([...(await readBytes(all(), () => undefined))]).toEqual(expected)
  expect([...first]).toEqual([9, 9])
  expect(await readBytes(parts(), () => undefined)).toEqual(new Uint8Array())
})

it('reports the length so far with each part, and stops at the first error', async () => {
  const lengths: number[] = []
  const reading = readBytes(parts(2, 3, 4, 5), (part, length) => {
    lengths.push(part.length, length)
    if (length > 8) throw new RangeError('too long')
  })
  await expect(reading).rejects.toThrow('too long')
  expect(lengths).toEqual([2, 2, 3, 5, 4, 9])
})
