import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as BlockReader from './BlockReader.ts'
import { EvmError } from './EvmError.ts'
import { inventedChain } from './testing/inventedChain.ts'
import { RECORDED, recordedChain } from './testing/recordedChain.ts'

type Json = Record<string, unknown> | unknown[]
type Path = readonly (string | number)[]

const RICH = ({ receipts }: BlockReader.Parts) => (receipts as unknown[]).length > 1
const blocks: readonly BlockReader.Parts[] = [
  ...RECORDED.flatMap((name) => recordedChain(name).filter(RICH)),
  ...inventedChain({ seed: 3, transactions: [2, 6] }).grow(60),
]

/** Returns the paths of all members and elements of a value. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value).flatMap((key) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key]
    return [at, ...pathsOf((value as Record<string, unknown>)[key], at)]
  })
}

/** Returns the object or array that contains the value at `path`. */
function holder(parts: BlockReader.Parts, path: Path): Json {
  return path
    .slice(0, -1)
    .reduce<unknown>((one, key) => (one as Record<string | number, unknown>)[key], parts) as Json
}

/** Returns the block, or undefined if the parts were rejected with a typed error. */
function attempt(parts: BlockReader.Parts) {
  try {
    return BlockReader.read(parts)
  } catch (error) {
    if (error instanceof EvmError) return undefined
    throw error
  }
}

/**
 * Members of blocks and transactions that some nodes omit, depending on their version or chain. A missing
 * member is therefore valid.
 */
const MAY_BE_ABSENT = new Set([
  ...['baseFeePerGas', 'blockGasCost', 'settledHeight', 'minDelayExcess', 'timestampMilliseconds'],
  ...['maxFeePerGas', 'maxPriorityFeePerGas', 'type', 'traces'],
])

/**
 * Returns whether the reader cannot detect that the value at `path` is missing. This applies to logs, topics, types
 * of transactions, inner calls, and the recipients and errors of inner calls.
 */
function isLost(path: Path): boolean {
  const [last, parent] = [path.at(-1), path.at(-2)]
  const isInner = path.includes('calls')
  if (last === 'calls' || last === 'type' || parent === 'logs' || parent === 'topics') return true
  return isInner && (last === 'error' || parent === 'calls' || last === 'to')
}

describe('a modified part of an answer', () => {
  const cases = fc.record({ block: fc.nat(), path: fc.nat() }).map(({ block, path }) => {
    const parts = structuredClone(blocks[block % blocks.length] ?? { block: {}, receipts: [] })
    const paths = pathsOf(parts)
    return { parts, original: BlockReader.read(parts), path: paths[path % paths.length] ?? [] }
  })

  test('rejects a missing or null value unless the value is optional or has no effect on the result', () => {
    let tried = 0
    let refused = 0
    fc.assert(
      fc.property(cases, fc.boolean(), ({ parts, original, path }, isNull) => {
        const [inside, key] = [holder(parts, path), path.at(-1) ?? '']
        if (isNull) Object.assign(inside, { [key]: null })
        else if (Array.isArray(inside)) inside.splice(Number(key), 1)
        else delete inside[key]
        const read = attempt(parts)
        tried += 1
        if (read === undefined) refused += 1
        else if (!MAY_BE_ABSENT.has(String(key)) && !(isLost(path) && !isNull)) expect(read).toEqual(original)
      }),
      { numRuns: 3_000 },
    )
    expect(refused / tried).toBeGreaterThan(1 / 6)
  })

  test('rejects a value of the wrong type unless the reader ignores that member', () => {
    const odd = fc.constantFrom<unknown>(
      7,
      -1,
      1.5,
      true,
      '',
      'x',
      '0x',
      '0xzz',
      {},
      [],
      [[]],
      { length: 3 },
      '0X1',
    )
    let tried = 0
    let refused = 0
    fc.assert(
      fc.property(cases, odd, ({ parts, original, path }, value) => {
        const [inside, key] = [holder(parts, path), String(path.at(-1))]
        const before = (inside as Record<string, unknown>)[key]
        // An empty byte string of variable length is valid, and so is an empty array.
        if (value === '0x' && /^(input|data)$/.test(key)) return
        if (Array.isArray(value) && value.length === 0 && /^(logs|topics|calls)$/.test(key)) return
        // Any error text means a failure, so a changed text is valid. Only the outermost call must agree with
        // the receipt.
        if (typeof value === 'string' && key === 'error') return
        Object.assign(inside, { [key]: value })
        const read = attempt(parts)
        tried += 1
        if (read === undefined) refused += 1
        else expect([key, before, read]).toEqual([key, before, original])
      }),
      { numRuns: 3_000 },
    )
    expect(refused / tried).toBeGreaterThan(1 / 6)
  })

  test('rejects an array in which an element is duplicated', () => {
    fc.assert(
      fc.property(cases, ({ parts, path }) => {
        const [inside, key] = [holder(parts, path), path.at(-1)]
        fc.pre(
          Array.isArray(inside) &&
            typeof key === 'number' &&
            !/^(calls|topics|uncles)$/.test(String(path.at(-2))),
        )
        fc.pre(!path.includes('accessList'))
        if (Array.isArray(inside)) inside.splice(Number(key), 0, structuredClone(inside[Number(key)]))
        expect(attempt(parts)).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  test('rejects a block, receipts or traces that belong to different blocks', () => {
    const part = fc.constantFrom('block', 'receipts', 'traces')
    fc.assert(
      fc.property(fc.nat(), fc.nat(), part, (one, other, name) => {
        const [first, second] = [blocks[one % blocks.length], blocks[other % blocks.length]]
        fc.pre(first !== second && first !== undefined && second?.[name as 'block'] !== undefined)
        expect(attempt({ ...first, [name]: second?.[name as 'block'] } as BlockReader.Parts)).toBeUndefined()
      }),
      { numRuns: 1_000 },
    )
  })
})

test('accepts receipts in any order, but rejects transactions or traces in the wrong order', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.nat(),
      fc.constantFrom('transactions', 'receipts', 'traces'),
      (which, place, name) => {
        const parts = structuredClone(blocks[which % blocks.length] ?? { block: {}, receipts: [] })
        const original = BlockReader.read(parts)
        const list = (
          name === 'transactions' ? (parts.block as never)[name] : parts[name as 'receipts']
        ) as unknown[]
        fc.pre(list !== undefined)
        const at = place % (list.length - 1)
        ;[list[at], list[at + 1]] = [list[at + 1], list[at]]
        if (name === 'receipts') expect(BlockReader.read(parts)).toEqual(original)
        else expect(attempt(parts)).toBeUndefined()
      },
    ),
    { numRuns: 500 },
  )
})

test('rejects arbitrary JSON with a typed error', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (block, receipts, traces) => {
      expect(attempt({ block, receipts, traces })).toBeUndefined()
    }),
  )
})
