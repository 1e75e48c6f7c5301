import { Hex } from '@firn/codec'
import { type Snapshot, type Store, TransactionPages, type TransactionUtxos } from '@firn/store'
import { type PlatformFacts, platformFacts } from './platform/Facts.ts'
import { rewardRole } from './platform/shape.ts'
import type { Role } from './shapes/PlatformUtxo.ts'

/** What a reward was paid for. */
export interface RewardFacts extends Role {
  /** The transaction under which it was made, with its staker. */
  readonly facts: PlatformFacts
}

/** What the rewards among some outputs were paid for, by the output's id in hex: a fixed number of statements. */
export async function rewardRoles(
  store: Store,
  at: Snapshot,
  utxos: readonly TransactionUtxos.UtxoHistory[],
): Promise<ReadonlyMap<string, RewardFacts>> {
  const rewards = utxos.filter(({ origin }) => origin === 'reward')
  if (rewards.length === 0) return new Map()
  const ids = [...new Map(rewards.map(({ txID: txId }) => [Hex.encodeBare(txId), txId])).values()]
  const all = await platformFacts(store, at, await TransactionPages.byIds(store, at, 'P', ids))
  const byId = new Map(all.map((facts) => [Hex.encodeBare(facts.listed.id), facts]))
  return new Map(
    rewards.flatMap((utxo) => {
      const facts = byId.get(Hex.encodeBare(utxo.txID))
      const made = facts?.made.find(({ outputIndex }) => outputIndex === utxo.outputIndex)
      if (facts === undefined || made === undefined) return []
      return [[Hex.encodeBare(utxo.id), { ...rewardRole(facts, made), facts }] as const]
    }),
  )
}
