import { expect, test } from 'vitest'
import { shareReads } from './shareReads.ts'

/** Reads that stay open until the test ends them. */
function openReads() {
  const reads: { readonly keys: readonly number[]; readonly end: PromiseWithResolvers<string> }[] = []
  const read = shareReads(async (keys: readonly number[]) => {
    const end = Promise.withResolvers<string>()
    reads.push({ keys, end })
    return end.promise
  })
  return { reads, read }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('shares a read among callers that call at the same time', async () => {
  const { reads, read } = openReads()
  const results = Promise.all([read(1), read(2), read(1)])
  await settle()
  expect(reads.map(({ keys }) => keys)).toEqual([[1, 2]])
  reads[0]?.end.resolve('a')
  await expect(results).resolves.toEqual(['a', 'a', 'a'])
})

test('never returns the result of a read that started before the call', async () => {
  const { reads, read } = openReads()
  const first = read(1)
  await settle()
  const later = Promise.all([read(1), read(2)])
  await settle()
  expect(reads).toHaveLength(1)
  reads[0]?.end.resolve('old')
  await settle()
  reads[1]?.end.resolve('new')
  await expect(first).resolves.toBe('old')
  await expect(later).resolves.toEqual(['new', 'new'])
  expect(reads.map(({ keys }) => keys)).toEqual([[1], [1, 2]])
})

test('returns a failure to the callers that share the read, and reads again for later ones', async () => {
  const { reads, read } = openReads()
  const failing = Promise.allSettled([read(1), read(2)])
  await settle()
  const later = read(3)
  reads[0]?.end.reject(new Error('lost'))
  await expect(failing).resolves.toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  await settle()
  reads[1]?.end.resolve('b')
  await expect(later).resolves.toBe('b')
})
