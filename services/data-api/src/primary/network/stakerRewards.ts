import { Hex } from '@firn/codec'
import { type Snapshot, type Stakers, type Store, Transactions, Utxos } from '@firn/store'
import { PlatformTx, UnsignedTx } from '@firn/txs'

/** Payments for a staker that has left. */
export interface StakerReward {
  /** Transaction that granted or denied the reward. */
  readonly txId: Uint8Array
  readonly isRewarded: boolean
  /** Reward for the staker's own stake. */
  readonly own: bigint
  /** Commission on the rewards of the validator's delegators. */
  readonly fee: bigint
}

/**
 * Returns the payments to former stakers, by transaction id in hex. Stakers that never get rewards are
 * omitted. For an auto-renewed validator, only the payment of its last period is returned.
 */
export async function stakerRewards(
  store: Store,
  at: Snapshot,
  left: readonly Stakers.Details[],
): Promise<ReadonlyMap<string, StakerReward>> {
  // The reward transaction is in the block before the one that decides on the reward.
  const heights = left.flatMap(({ end }) => (end === undefined ? [] : [end.height - 1n]))
  const proposals = await Transactions.rewards(store, at, [...new Set(heights)])
  const byStaker = new Map(proposals.flatMap((one) => stakerOf(one).map((txId) => [txId, one] as const)))
  const makers = [...left.map(({ staker }) => staker.txId), ...proposals.map(({ id }) => id)]
  const made = makers.length === 0 ? [] : await Utxos.made(store, at, makers)
  const paid = Map.groupBy(
    made.filter(({ origin }) => origin === 'reward'),
    ({ txId }) => Hex.encodeBare(txId),
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

function stakerOf({ bytes }: Transactions.Details): string[] {
  const { unsignedTx: tx } = PlatformTx.decode(bytes)
  return UnsignedTx.isReward(tx) ? [Hex.encodeBare(tx.txID)] : []
}
