import { Hex } from '@firn/codec'
import {
  L1ValidatorPages,
  type Snapshot,
  Stakings,
  type Store,
  TransactionPages,
  TransactionUtxos,
} from '@firn/store'
import { PlatformTx, UnsignedTx, type UtxoId } from '@firn/txs'
import { l1Validators } from './describe.ts'
import type { L1Facts } from './l1Validations.ts'

/** A transaction of the P-chain with all that its shape is made of. */
export interface PlatformFacts {
  readonly listed: TransactionPages.Listed
  readonly tx: PlatformTx.PlatformTx
  /** The outputs that it consumed, and those that were made under its id, rewards and what came back included. */
  readonly consumed: readonly TransactionUtxos.UtxoHistory[]
  readonly made: readonly TransactionUtxos.UtxoHistory[]
  /** The staker that it added. */
  readonly staking: Stakings.Staking | undefined
  /** The transaction that rewarded (committed) or refused to reward (aborted) its staker. */
  readonly reward: TransactionPages.Listed | undefined
  readonly l1: L1Facts
}

/** Reads what the shapes of a page's transactions need: a fixed number of statements for any page. */
export async function platformFacts(
  store: Store,
  at: Snapshot,
  page: readonly TransactionPages.Listed[],
): Promise<PlatformFacts[]> {
  const ids = page.map(({ id }) => id)
  const txs = page.map(({ bytes }) => PlatformTx.decode(bytes))
  const l1 = txs.map(({ unsignedTx }) => l1Validators(unsignedTx).map(({ validationId }) => validationId))
  const l1Heights = page.filter((_, i) => l1[i]?.length).map(({ height }) => height)
  const [{ made, consumed }, stakings, versions, accruedFees] = await Promise.all([
    TransactionUtxos.touched(store, at, ids),
    Stakings.byTransactions(store, at, page),
    L1ValidatorPages.versions(store, at, l1.flat()),
    L1ValidatorPages.accruedFeesAt(store, [...new Set(l1Heights)]),
  ])
  const rewards = await rewardTransactions(store, at, [...stakings.values()])
  const byConsumer = Map.groupBy(consumed, (utxo) => hexOf(utxo.consumed?.txID))
  const byMaker = Map.groupBy(made, ({ txID: txId }) => hexOf(txId))
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

/** A staker ends with the block that decides on its reward, of which the block before is the proposal. */
async function rewardTransactions(
  store: Store,
  at: Snapshot,
  stakings: readonly Stakings.Staking[],
): Promise<ReadonlyMap<string, TransactionPages.Listed>> {
  const heights = stakings.flatMap(({ endHeight }) => (endHeight === undefined ? [] : [endHeight - 1n]))
  const proposals = await TransactionPages.rewards(store, at, [...new Set(heights)])
  return new Map(
    proposals.flatMap((proposal) => {
      const { unsignedTx: tx } = PlatformTx.decode(proposal.bytes)
      return UnsignedTx.isReward(tx) ? [[hexOf(tx.txID), proposal] as const] : []
    }),
  )
}

/** What a transaction consumed, in the order of its inputs. */
function inOrder(
  tx: PlatformTx.PlatformTx,
  consumed: readonly TransactionUtxos.UtxoHistory[],
): TransactionUtxos.UtxoHistory[] {
  if (consumed.length < 2) return [...consumed]
  // By what inputs name: to hash it to an id would cost more than all the rest.
  const keyOf = ({ txID: txId, outputIndex }: UtxoId.UtxoId) => `${hexOf(txId)}${outputIndex}`
  const places = new Map(PlatformTx.inputs(tx).map((input, place) => [keyOf(input), place]))
  const placeOf = (utxo: UtxoId.UtxoId) => places.get(keyOf(utxo)) ?? 0
  return consumed.toSorted((a, b) => placeOf(a) - placeOf(b))
}

function hexOf(id: Uint8Array | undefined): string {
  return id === undefined ? '' : Hex.encodeBare(id)
}
