import { Hex } from '@firn/codec'
import { L1Validators, type Snapshot, Stakers, type Store, Transactions, Utxos } from '@firn/store'
import { PlatformTx, UnsignedTx } from '@firn/txs'
import { l1Validators } from './describe.ts'
import type { L1Facts } from './l1Validations.ts'

/** A P-chain transaction with all data that is needed to format it. */
export interface PlatformFacts {
  readonly listed: Transactions.Details
  readonly tx: PlatformTx.PlatformTx
  /** Outputs that the transaction consumed. */
  readonly consumed: readonly Utxos.UtxoHistory[]
  /** Outputs that were created under the transaction's id, including rewards and refunds. */
  readonly made: readonly Utxos.UtxoHistory[]
  /** Staker that the transaction added. */
  readonly staking: Stakers.Staking | undefined
  /** Transaction that granted (committed) or denied (aborted) the staker's reward. */
  readonly reward: Transactions.Details | undefined
  readonly l1: L1Facts
}

/** Reads the data of a page of transactions with a fixed number of statements. */
export async function platformFacts(
  store: Store,
  at: Snapshot,
  page: readonly Transactions.Details[],
): Promise<PlatformFacts[]> {
  const ids = page.map(({ id }) => id)
  const txs = page.map(({ bytes }) => PlatformTx.decode(bytes))
  const l1 = txs.map(({ unsignedTx }) => l1Validators(unsignedTx).map(({ validationId }) => validationId))
  const l1Heights = page.filter((_, i) => l1[i]?.length).map(({ height }) => height)
  const [{ made, consumed }, stakings, versions, accruedFees] = await Promise.all([
    Utxos.touched(store, at, ids),
    Stakers.byTransactions(store, at, page),
    L1Validators.versions(store, at, l1.flat()),
    L1Validators.accruedFeesAt(store, [...new Set(l1Heights)]),
  ])
  const rewards = await rewardTransactions(store, at, [...stakings.values()])
  const byConsumer = Map.groupBy(consumed, (utxo) => hexOf(utxo.consumed?.txId))
  const byMaker = Map.groupBy(made, ({ txId }) => hexOf(txId))
  return page.map((listed, i) => {
    const key = hexOf(listed.id)
    return {
      listed,
      tx: txs[i] as PlatformTx.PlatformTx,
      consumed: inOrder(txs[i] as PlatformTx.PlatformTx, byConsumer.get(key) ?? []),
      made: byMaker.get(key) ?? [],
      staking: stakings.get(key),
      reward: rewards.get(key),
      l1: { versions, accruedFees },
    }
  })
}

/**
 * Returns the reward transactions of stakers, by the id of the staker's transaction in hex. A staker leaves in the
 * block that decides on its reward. The block before that one contains the reward transaction.
 */
async function rewardTransactions(
  store: Store,
  at: Snapshot,
  stakings: readonly Stakers.Staking[],
): Promise<ReadonlyMap<string, Transactions.Details>> {
  const heights = stakings.flatMap(({ endHeight }) => (endHeight === undefined ? [] : [endHeight - 1n]))
  const proposals = await Transactions.rewards(store, at, [...new Set(heights)])
  return new Map(
    proposals.flatMap((proposal) => {
      const { unsignedTx: tx } = PlatformTx.decode(proposal.bytes)
      return UnsignedTx.isReward(tx) ? [[hexOf(tx.txID), proposal] as const] : []
    }),
  )
}

/** Sorts the consumed outputs in the order of the transaction's inputs. */
function inOrder(tx: PlatformTx.PlatformTx, consumed: readonly Utxos.UtxoHistory[]): Utxos.UtxoHistory[] {
  if (consumed.length < 2) return [...consumed]
  // The key consists of the input's fields, because hashing them to an output id would be slow.
  const keyOf = (txId: Uint8Array, outputIndex: number) => `${hexOf(txId)}${outputIndex}`
  const places = new Map(
    PlatformTx.inputs(tx).map(({ txID: txId, outputIndex }, place) => [keyOf(txId, outputIndex), place]),
  )
  const placeOf = ({ txId, outputIndex }: Utxos.UtxoHistory) => places.get(keyOf(txId, outputIndex)) ?? 0
  return consumed.toSorted((a, b) => placeOf(a) - placeOf(b))
}

function hexOf(id: Uint8Array | undefined): string {
  return id === undefined ? '' : Hex.encodeBare(id)
}
