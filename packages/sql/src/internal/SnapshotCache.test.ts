import { expect, test } from 'vitest'
import { SnapshotCache } from './SnapshotCache.ts'

test('retries a failed snapshot read and shares one read among concurrent readers', async () => {
  let reads = 0
  const snapshot = { height: 0n }
  const cache = new SnapshotCache(
    async () => {
      reads++
      if (reads === 1) throw new RangeError('not now')
      return snapshot
    },
    () => 0,
  )
  await expect(Promise.all([cache.get(), cache.get()])).rejects.toThrow('not now')
  expect(reads).toBe(1)
  expect(await Promise.all([cache.get(), cache.get()])).toEqual([snapshot, snapshot])
  expect(reads).toBe(2)
})
