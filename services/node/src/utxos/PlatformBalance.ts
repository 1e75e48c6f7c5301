import { Id } from '@firn/codec'
import type { PlatformUtxoMethods, Result } from '@firn/rpc'
import type { Utxos } from '@firn/store'
import * as Amounts from './Amounts.ts'

/** The result of `platform.getBalance`. */
export type Balance = Result<typeof PlatformUtxoMethods, 'platform.getBalance'>

/**
 * The balance of UTXOs at a time (Unix seconds). Each counts in one of three ways: it can be spent, only staked, or neither. Source:
 * avalanchego `vms/platformvm/service.go`, `GetBalance`.
 */
export function of(holdings: readonly Utxos.Holding[], seconds: bigint, avaxAssetID: Uint8Array): Balance {
  const unlockeds: Amounts.Amounts = new Map()
  const lockedStakeables: Amounts.Amounts = new Map()
  const lockedNotStakeables: Amounts.Amounts = new Map()
  for (const { assetID, amount = 0n, locktime, stakeableLocktime = 0n } of holdings) {
    if (locktime > seconds) Amounts.add(lockedNotStakeables, assetID, amount)
    else if (stakeableLocktime > seconds) Amounts.add(lockedStakeables, assetID, amount)
    else Amounts.add(unlockeds, assetID, amount)
  }
  const balances = Amounts.total(unlockeds, lockedStakeables, lockedNotStakeables)
  const avax = (amounts: ReadonlyMap<string, bigint>) => amounts.get(Id.format(avaxAssetID)) ?? 0n
  return {
    balance: avax(balances),
    unlocked: avax(unlockeds),
    lockedStakeable: avax(lockedStakeables),
    lockedNotStakeable: avax(lockedNotStakeables),
    balances,
    unlockeds,
    lockedStakeables,
    lockedNotStakeables,
    utxoIDs: holdings.length === 0 ? null : holdings.map(({ txID, outputIndex }) => ({ txID, outputIndex })),
  }
}
