import { Hex } from '@firn/codec'
import { type Snapshot, type StakerPages, type Store, TransactionPages, TransactionUtxos } from '@firn/store'
import { PlatformTx, UnsignedTx } from '@firn/txs'

/** What was paid when a staker left. */
export interface StakerReward {
  /** The transaction that rewarded it, or refused to. */
  readonly txId: Uint8Array
  readonly isRewarded: boolean
  /** For its own stake. */
  readonly own: bigint
  /** A validator's part of its delegators' rewards. */
  readonly fee: bigint
}

/**
 * What stakers that have left were paid, by their transaction's id in hex; those that nobody rewards are left out. Of an
 * auto-renewed validator it is what its last period was paid.
 */
export async function stakerRewards(
  store: Store,
  at: Snapshot,
  left: readonly StakerPages.Listed[],
): Promise<ReadonlyMap<string, StakerReward>> {
  // The block before the one that decides is the proposal.
  const heights = left.flatMap(({ end }) => (end === undefined ? [] : [end.height - 1n]))
  const proposals = await TransactionPages.rewards(store, at, [...new Set(heights)])
  const byStaker = new Map(proposals.flatMap((one) => stakerOf(one).map((txId) => [txId, one] as const)))
  const makers = [...left.map(({ staker }) => staker.txId), ...proposals.map(({ id }) => id)]
  const made = makers.length === 0 ? [] : await TransactionUtxos.made(store, at, makers)
  const paid = Map.groupBy(
    made.filter(({ origin }) => origin === 'reward'),
    ({ txID: txId }) => Hex.encodeBare(txId),
  )
  return new Map(
    left.flatMap(({ staker }) => {
      const key = Hex.encodeBare(staker.txId)
      const proposal = byStaker.get(key)
      if (proposal === undefined) return []
      const { id: txId, status } = proposal
      const isRewarded = status === 'Committed'
      const under = staker.autoRenewal === undefined ? key : Hex.encodeBare(txId)
      const amounts = (paid.get(under) ?? []).map(({ amount }) => amount)
      const own = isRewarded && staker.potentialReward > 0n ? (amounts.shift() ?? 0n) : 0n
      const fee = amounts.reduce((sum, amount) => sum + amount, 0n)
      return [[key, { txId, isRewarded, own, fee }] as const]
    }),
  )
}

function stakerOf({ bytes }: TransactionPages.Listed): string[] {
  const { unsignedTx: tx } = PlatformTx.decode(bytes)
  return UnsignedTx.isReward(tx) ? [Hex.encodeBare(tx.txID)] : []
}
