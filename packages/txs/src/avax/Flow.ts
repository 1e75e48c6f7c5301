import { Hex, Id } from '@firn/codec'
import { TxsError } from '../TxsError.ts'
import * as Amount from './Amount.ts'

/** An amount of an asset that a transaction consumes or produces. A fee counts as produced. */
export interface Share {
  readonly assetID: Uint8Array
  readonly amount: bigint
}

/**
 * Checks that a transaction produces no more of any asset than it consumes.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Flow } from '@firn/txs'
 *
 * const assetID = Id.parse('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z')
 * Flow.assertBalanced([{ assetID, amount: 5n }], [{ assetID, amount: 4n }])
 * ```
 * @throws TxsError `TXS_OVERFLOW` if the sum of an asset overflows; `TXS_FUNDS` with `assetId`, `consumed`,
 * `produced`
 */
export function assertBalanced(consumed: Iterable<Share>, produced: Iterable<Share>): void {
  const [ins, outs] = [totals(consumed), totals(produced)]
  for (const [key, out] of outs) {
    const available = ins.get(key)?.amount ?? 0n
    if (out.amount <= available) continue
    const assetId = Id.format(out.assetID)
    throw new TxsError(
      'TXS_FUNDS',
      `the transaction needs ${out.amount} of asset ${assetId} but consumes only ${available}`,
      { details: { assetId, consumed: available, produced: out.amount } },
    )
  }
}

function totals(shares: Iterable<Share>): Map<string, Share> {
  const byAsset = new Map<string, Share>()
  for (const { assetID: assetId, amount } of shares) {
    const key = Hex.encodeBare(assetId)
    byAsset.set(key, { assetID: assetId, amount: Amount.sum([byAsset.get(key)?.amount ?? 0n, amount]) })
  }
  return byAsset
}
