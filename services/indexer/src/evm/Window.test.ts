import type { Block } from '@firn/evm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { BlockRequest } from './upstream/assemble.ts'
import { createWindow } from './Window.ts'

const blockOf = ({ height }: BlockRequest): Block => ({ height, transactions: [] }) as unknown as Block

it('returns every height once and in order, despite incomplete, late and failed answers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat(5)), fc.integer({ min: 1, max: 6 }), async (short, group) => {
      let [flying, most] = [0, 0]
      const window = createWindow(3n, {
        async fetch(requests) {
          flying += 1
          most = Math.max(most, flying)
          await new Promise((settle) => setImmediate(settle))
          flying -= 1
          const lack = short.next().value ?? 0
          return requests.slice(0, Math.max(requests.length - (lack > 2 ? lack - 2 : 0), 0)).map(blockOf)
        },
        groupBlocks: () => group,
        groups: 4,
        bytes: 1 << 30,
        signal: new AbortController().signal,
      })
      const heights: bigint[] = []
      for (let i = 0; heights.length < 40 && i < 5_000; i++) {
        window.fill(42n)
        heights.push(...(await window.take()).map(({ height }) => height))
        heights.push(...window.takeReady(7).map(({ height }) => height))
      }
      expect(heights).toEqual(Array.from({ length: 40 }, (_, i) => BigInt(i + 3)))
      expect(most).toBeLessThanOrEqual(5)
    }),
    { numRuns: 40 },
  )
})

it('respects the memory limit, and requests a block by hash if the hash is known', () => {
  const asked: (readonly BlockRequest[])[] = []
  const window = createWindow(0n, {
    fetch: async (requests) => {
      asked.push(requests)
      return requests.map(blockOf)
    },
    groupBlocks: () => 4,
    groups: 100,
    // This is room for ten blocks: a block counts as 100,000 bytes until a first size is known.
    bytes: 1_000_000,
    signal: new AbortController().signal,
  })
  window.fill(1_000n)
  expect(asked.length).toBe(2)
  window.reset(7n)
  window.fill(7n, '0xab')
  expect(asked.at(-1)).toEqual([{ height: 7n, hash: '0xab' }])
})

it('aborts pending requests on a reset', () => {
  let signal: AbortSignal | undefined
  const window = createWindow(0n, {
    fetch: async (_wanted, one) => {
      signal = one
      return new Promise(() => undefined)
    },
    groupBlocks: () => 4,
    groups: 1,
    bytes: 1 << 30,
    signal: new AbortController().signal,
  })
  window.fill(9n)
  window.reset(0n)
  expect(signal?.aborted).toBe(true)
})
