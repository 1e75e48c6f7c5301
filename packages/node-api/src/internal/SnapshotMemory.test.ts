import { Snapshots } from '@firn/store'
import { expect, test } from 'vitest'
import { createSnapshotMemory } from './SnapshotMemory.ts'

const at = (height: bigint) => {
  const position = { height, blockId: new Uint8Array(32), time: 0n }
  return Snapshots.create({ P: position, X: position, C: position })
}

test('computes a value once per snapshot and key, and again after the snapshot changes', async () => {
  const memory = createSnapshotMemory<string>(4)
  let count = 0
  const get = (height: bigint, key: string) =>
    memory.get(at(height), key, async () => `${height}${key}${count++}`)
  expect(await Promise.all([get(1n, 'a'), get(1n, 'a'), get(1n, 'b')])).toEqual(['1a0', '1a0', '1b1'])
  expect(await get(2n, 'a')).toBe('2a2')
  expect(await get(2n, 'a')).toBe('2a2')
  expect(await get(1n, 'a')).toBe('1a3')
})

test('does not cache a failed computation', async () => {
  const memory = createSnapshotMemory<string>(4)
  const failing = memory.get(at(1n), 'a', () => Promise.reject(new RangeError('first')))
  await expect(failing).rejects.toThrow('first')
  expect(await memory.get(at(1n), 'a', async () => 'second')).toBe('second')
})

test('evicts the oldest values if there are more than the limit', async () => {
  const memory = createSnapshotMemory<string>(2)
  const get = (key: string, value: string) => memory.get(at(1n), key, async () => value)
  for (const key of ['a', 'b', 'c']) await get(key, 'first')
  expect(await get('b', 'second')).toBe('first')
  expect(await get('c', 'second')).toBe('first')
  expect(await get('a', 'second')).toBe('second')
})
