import { Id } from '@firn/codec'
import type { PlatformUtxoMethods, Result } from '@firn/rpc'
import type { Utxos } from '@firn/store'
import * as Amounts from './Amounts.ts'

/** The result of `platform.getBalance`. */
export type Balance = Result<typeof PlatformUtxoMethods, 'platform.getBalance'>

/**
 * Returns the sums of the UTXOs' amounts at a time (Unix seconds). Each UTXO counts as unlocked, locked but
 * stakeable, or locked. Source: avalanchego `vms/platformvm/service.go`, `GetBalance`.
 */
export function of(holdings: readonly Utxos.Holding[], seconds: bigint, avaxAssetId: Uint8Array): Balance {
  const unlockeds: Amounts.Amounts = new Map()
  const lockedStakeables: Amounts.Amounts = new Map()
  const lockedNotStakeables: Amounts.Amounts = new Map()
  for (const { assetId, amount = 0n, locktime, stakeableLocktime = 0n } of holdings) {
    if (locktime > seconds) Amounts.add(lockedNotStakeables, assetId, amount)
    else if (stakeableLocktime > seconds) Amounts.add(lockedStakeables, assetId, amount)
    else Amounts.add(unlockeds, assetId, amount)
  }
  const balances = Amounts.total(unlockeds, lockedStakeables, lockedNotStakeables)
  const avax = (amounts: ReadonlyMap<string, bigint>) => amounts.get(Id.format(avaxAssetId)) ?? 0n
  return {
    balance: avax(balances),
    unlocked: avax(unlockeds),
    lockedStakeable: avax(lockedStakeables),
    lockedNotStakeable: avax(lockedNotStakeables),
    balances,
    unlockeds,
    lockedStakeables,
    lockedNotStakeables,
    utxoIDs:
      holdings.length === 0 ? null : holdings.map(({ txId, outputIndex }) => ({ txID: txId, outputIndex })),
  }
}
