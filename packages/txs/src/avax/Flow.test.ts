import { Id } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as Amount from './Amount.ts'
import * as Flow from './Flow.ts'
import * as UtxoId from './UtxoId.ts'

const [a, b] = ['a', 'b'].map((name) => Id.hash(new TextEncoder().encode(name))) as [Uint8Array, Uint8Array]
const share = (assetId: Uint8Array, amount: bigint) => ({ assetID: assetId, amount })

describe('Flow', () => {
  it('accepts flows that produce no more of any asset than they consume', () => {
    Flow.assertBalanced([share(a, 5n), share(b, 1n), share(a, 2n)], [share(a, 3n), share(a, 4n)])
  })

  it.each([
    ['more than there is', [share(a, 5n)], [share(a, 6n)], 'TXS_FUNDS'],
    ['what there is none of', [share(a, 5n)], [share(b, 1n)], 'TXS_FUNDS'],
    ['a sum over 64 bits', [share(a, Amount.MAX), share(a, 1n)], [], 'TXS_OVERFLOW'],
  ])('refuses %s', (_what, consumed, produced, code) => {
    expect(() => Flow.assertBalanced(consumed, produced)).toThrow(expect.objectContaining({ code }))
  })

  it('reports what is missing', () => {
    expect(() => Flow.assertBalanced([share(a, 5n)], [share(a, 6n)])).toThrow(
      expect.objectContaining({ details: { assetID: Id.format(a), consumed: 5n, produced: 6n } }),
    )
  })
})

describe('UtxoId', () => {
  it('is ordered by transaction, then by index', () => {
    const ids = [
      { txID: a, outputIndex: 2 },
      { txID: b, outputIndex: 0 },
      { txID: a, outputIndex: 10 },
    ]
    const sorted = ids.toSorted(UtxoId.compare).map(UtxoId.format)
    expect(sorted.indexOf(UtxoId.format(ids[0] as never))).toBe(
      sorted.indexOf(UtxoId.format(ids[2] as never)) - 1,
    )
  })
})
