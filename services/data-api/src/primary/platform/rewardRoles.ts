import { Hex } from '@firn/codec'
import { type Snapshot, type Store, Transactions, type Utxos } from '@firn/store'
import type { Role } from '../shapes/PlatformUtxo.ts'
import { type PlatformFacts, platformFacts } from './Facts.ts'
import { rewardRole } from './shape.ts'

/** Kind of a reward, with the transaction and the staker that the reward belongs to. */
export interface RewardFacts extends Role {
  /** The transaction under whose id the reward was created, and the rewarded staker. */
  readonly facts: PlatformFacts
}

/**
 * Returns the kind of each reward among the given outputs, by output id in hex. Uses a fixed number of
 * statements.
 */
export async function rewardRoles(
  store: Store,
  at: Snapshot,
  utxos: readonly Utxos.UtxoHistory[],
): Promise<ReadonlyMap<string, RewardFacts>> {
  const rewards = utxos.filter(({ origin }) => origin === 'reward')
  if (rewards.length === 0) return new Map()
  const ids = [...new Map(rewards.map(({ txId }) => [Hex.encodeBare(txId), txId])).values()]
  const all = await platformFacts(store, at, await Transactions.detailsByIds(store, at, 'P', ids))
  const byId = new Map(all.map((facts) => [Hex.encodeBare(facts.listed.id), facts]))
  return new Map(
    rewards.flatMap((utxo) => {
      const facts = byId.get(Hex.encodeBare(utxo.txId))
      const made = facts?.made.find(({ outputIndex }) => outputIndex === utxo.outputIndex)
      if (facts === undefined || made === undefined) return []
      return [[Hex.encodeBare(utxo.id), { ...rewardRole(facts, made), facts }] as const]
    }),
  )
}
