import { type ChainAlias, Hex } from '@firn/codec'
import { type Snapshot, type Store, Transactions, Utxos } from '@firn/store'
import { PlatformTx, UnsignedTx } from '@firn/txs'

/** A transaction that a block decided, with what it changed. */
export interface Decided {
  readonly listed: Transactions.Decided
  /** The decoded transaction, on the P-chain. */
  readonly platform: UnsignedTx.UnsignedTx | undefined
  readonly consumed: readonly Utxos.UtxoHistory[]
  /** Outputs that were created at this time, including returned stakes, rewards and refunds. */
  readonly made: readonly Utxos.UtxoHistory[]
}

/** Returns the transactions that the blocks after the height `after` through `until` decided, in order. */
export async function decidedIn(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  after: bigint,
  until: bigint,
): Promise<readonly Decided[]> {
  const listed = await Transactions.decided(store, chain, after, until)
  const platform = listed.map(({ bytes }) =>
    chain === 'P' ? PlatformTx.decode(bytes).unsignedTx : undefined,
  )
  const ids = listed.flatMap(({ id }, i) => [id, ...rewarded(platform[i])])
  if (ids.length === 0) return []
  const { made, consumed } = await Utxos.touched(store, at, ids)
  const byMaker = Map.groupBy(made, ({ txId }) => Hex.encodeBare(txId))
  const byConsumer = Map.groupBy(consumed, (utxo) => Hex.encodeBare(utxo.consumed?.txId ?? new Uint8Array()))
  return listed.map((one, i) => ({
    listed: one,
    platform: platform[i],
    consumed: byConsumer.get(Hex.encodeBare(one.id)) ?? [],
    made: [one.id, ...rewarded(platform[i])]
      .flatMap((id) => byMaker.get(Hex.encodeBare(id)) ?? [])
      // Stakes and rewards have the id of the transaction that added the staker, but a later height.
      .filter(({ height }) => height === one.height || height === one.decidedHeight),
  }))
}

/** Returns the id of the transaction whose staker a transaction rewards, if it does that. */
export function rewarded(tx: UnsignedTx.UnsignedTx | undefined): readonly Uint8Array[] {
  return tx !== undefined && UnsignedTx.isReward(tx) ? [tx.txID] : []
}
