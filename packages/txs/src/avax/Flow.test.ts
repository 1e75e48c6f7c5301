import { Id } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as Amount from './Amount.ts'
import * as Flow from './Flow.ts'
import * as UtxoId from './UtxoId.ts'

const [a, b] = ['a', 'b'].map((name) => Id.hash(new TextEncoder().encode(name))) as [Uint8Array, Uint8Array]
const share = (assetId: Uint8Array, amount: bigint) => ({ assetID: assetId, amount })

describe('Flow', () => {
  it('accepts a transaction that produces no more of any asset than it consumes', () => {
    Flow.assertBalanced([share(a, 5n), share(b, 1n), share(a, 2n)], [share(a, 3n), share(a, 4n)])
  })

  it.each([
    ['producing more of an asset than is consumed', [share(a, 5n)], [share(a, 6n)], 'TXS_FUNDS'],
    ['producing an asset that is not consumed', [share(a, 5n)], [share(b, 1n)], 'TXS_FUNDS'],
    ['a sum over 64 bits', [share(a, Amount.MAX), share(a, 1n)], [], 'TXS_OVERFLOW'],
  ])('rejects invalid amounts: %s', (_what, consumed, produced, code) => {
    expect(() => Flow.assertBalanced(consumed, produced)).toThrow(expect.objectContaining({ code }))
  })

  it('reports the asset and the consumed and produced amounts', () => {
    expect(() => Flow.assertBalanced([share(a, 5n)], [share(a, 6n)])).toThrow(
      expect.objectContaining({ details: { assetId: Id.format(a), consumed: 5n, produced: 6n } }),
    )
  })
})

describe('UtxoId', () => {
  it('sorts UTXO ids by transaction id, then by output index', () => {
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
