import { Hex } from '@firn/codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Activity from './Activity.ts'
import * as BlockReader from './BlockReader.ts'
import * as Creations from './Creations.ts'
import * as InternalCalls from './InternalCalls.ts'
import * as Transfers from './Transfers.ts'
import { inventedChain } from './testing/inventedChain.ts'
import * as Plain from './testing/plain.ts'
import { RECORDED, recordedChain } from './testing/recordedChain.ts'

const hex = (bytes: Uint8Array | undefined) => (bytes === undefined ? '-' : Hex.encode(bytes))

/**
 * Returns the data derived from a block as text, in the format of the independent calculation in
 * `testing/plain.ts`.
 */
function derived(parts: BlockReader.Parts) {
  const block = BlockReader.read(parts)
  const transfers = Transfers.of(block)
  const activity = Activity.of(block, transfers)
  return {
    transfers: transfers.map((one) =>
      [
        ...[one.transactionIndex, one.logIndex, one.position, one.standard, hex(one.contract)],
        ...[hex(one.from), hex(one.to), one.tokenId ?? '-', one.amount],
      ].join(' '),
    ),
    creations: Creations.of(block).map((one) =>
      [
        ...[one.transactionIndex, one.position, one.opcode, hex(one.contract)],
        ...[hex(one.deployer), hex(one.creator), one.succeeded],
      ].join(' '),
    ),
    internalCalls: InternalCalls.of(block).map((one) =>
      [
        ...[one.transactionIndex, one.position, one.type, hex(one.from), hex(one.to)],
        ...[one.value, one.gas, one.gasUsed, one.succeeded],
      ].join(' '),
    ),
    activity: {
      addresses: [...activity.addresses].sort(),
      senders: [...activity.senders].sort(),
      deployers: [...activity.deployers].sort(),
    },
  }
}

function plain(parts: Plain.PlainParts) {
  return {
    transfers: Plain.transfers(parts),
    creations: Plain.creations(parts),
    internalCalls: Plain.internalCalls(parts),
    activity: Plain.activity(parts),
  }
}

describe('derived data', () => {
  test.each([
    ['c', { transfers: 25, creations: 15, internalCalls: 20 }],
    ['l1', { transfers: 25, creations: 15, internalCalls: 20 }],
    ['helicon', { transfers: 53, creations: 31, internalCalls: 33 }],
  ] as const)(
    'derives the same data as an independent calculation from every recorded block of the chain %s',
    (name, counts) => {
      const all = recordedChain(name).map((parts) => {
        // For blocks without recorded traces, creations are derived from receipts, which another test checks.
        const found = derived(parts)
        const expected = plain(parts as Plain.PlainParts)
        expect(found).toEqual(
          parts.traces === undefined ? { ...expected, creations: found.creations } : expected,
        )
        return found
      })
      const count = (key: keyof typeof counts) => all.reduce((sum, one) => sum + one[key].length, 0)
      expect(count('transfers')).toBe(counts.transfers)
      expect(count('creations')).toBe(counts.creations)
      expect(count('internalCalls')).toBe(counts.internalCalls)
    },
  )

  test('derives the same data as an independent calculation from generated blocks with logs that resemble transfers', () => {
    const seeds = fc.record({ seed: fc.nat(), isAsynchronous: fc.boolean() })
    fc.assert(
      fc.property(seeds, (options) => {
        const chain = inventedChain({ ...options, transactions: [0, 10] })
        for (const parts of chain.grow(5)) {
          expect(derived(parts)).toEqual(plain(parts as unknown as Plain.PlainParts))
        }
      }),
      { numRuns: 100 },
    )
  })
})

test('reads top-level creations from receipts if there are no traces', () => {
  const outermost = (parts: BlockReader.Parts) =>
    derived(parts).creations.filter((line) => line.split(' ')[1] === '0')
  const blocks = RECORDED.flatMap((name) => recordedChain(name).filter(({ traces }) => traces !== undefined))
  const compared = blocks.map((parts) => {
    const { traces: _, ...untraced } = parts
    expect(derived(untraced).creations).toEqual(outermost(parts))
    expect(derived(untraced).internalCalls).toEqual([])
    expect(derived(untraced).activity.deployers).toEqual([])
    return outermost(parts).length
  })
  expect(compared.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(20)
})
