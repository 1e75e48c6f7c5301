import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Fork, findFork } from './Branch.ts'

const hash = (height: bigint, branch: number): Uint8Array =>
  new Uint8Array(32).fill(branch).with(0, Number(height) % 256)

interface Case {
  readonly height: number
  readonly first: number
  readonly maxDepth: number
  /** Highest height at which nodes and database have the same block. */
  readonly common: number
  /** Head height of the nodes. */
  readonly nodes: number
}

const find = async ({ height, first, maxDepth, common, nodes }: Case, unknown: readonly number[] = []) => {
  const asked: bigint[] = []
  const fork: Fork = await findFork({
    upstreams: {
      canonical: async (heights) => {
        asked.push(...heights)
        return heights.map((at) => {
          if (at > BigInt(nodes) || unknown.includes(Number(at))) return undefined
          return hash(at, at <= BigInt(common) ? 1 : 2)
        })
      },
    },
    hashAt: async (at) => (at >= BigInt(first) && at <= BigInt(height) ? hash(at, 1) : undefined),
    height: BigInt(height),
    firstHeight: BigInt(first),
    maxDepth,
    signal: new AbortController().signal,
  })
  return { fork, asked }
}

it('returns the newest common block, or reports that none exists within the reorg limit', async () => {
  const cases = fc
    .record({
      first: fc.nat(20),
      length: fc.nat(150),
      maxDepth: fc.integer({ min: 1, max: 100 }),
      back: fc.nat(160),
      ahead: fc.integer({ min: -20, max: 20 }),
    })
    .map(({ first, length, maxDepth, back, ahead }): Case => {
      const height = first + length
      const common = Math.max(height - back, first - 1)
      return { height, first, maxDepth, common, nodes: Math.max(height + ahead, common) }
    })
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      const { fork } = await find(one)
      const { height, first, maxDepth, common, nodes } = one
      const isReplaced = nodes > common && common < height
      const lowest = Math.max(height - maxDepth, first)
      const canSee = Math.min(nodes, height) >= lowest
      const isConfirmed = nodes >= height
      if (!isReplaced || !canSee) expect(fork.kind).toBe(isConfirmed ? 'none' : 'unknown')
      else if (common < lowest) expect(fork.kind).toBe('deep')
      else expect(fork).toEqual({ kind: 'fork', ancestor: BigInt(common), isShorter: nodes < height })
    }),
  )
})

it('requests only the newest hashes after a short reorg', async () => {
  const { asked } = await find({ height: 100, first: 0, maxDepth: 64, common: 98, nodes: 101 })
  expect(asked).toEqual([100n, 99n, 98n, 97n])
})

it('ignores heights at which the nodes disagree', async () => {
  const one = { height: 100, first: 0, maxDepth: 64, common: 98, nodes: 101 }
  expect((await find(one, [98])).fork).toEqual({ kind: 'fork', ancestor: 97n, isShorter: false })
  expect((await find({ ...one, common: 100 }, [100])).fork).toEqual({ kind: 'unknown' })
  expect((await find({ ...one, common: 100 }, [99])).fork).toEqual({ kind: 'none' })
})
