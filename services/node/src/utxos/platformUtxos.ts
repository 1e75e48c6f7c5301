import { Id } from '@firn/codec'
import type { Handlers, PlatformUtxoMethods } from '@firn/rpc'
import { type Store, Utxos } from '@firn/store'
import * as Addresses from '../Addresses.ts'
import type { FreshnessTable, NodeContext } from '../Context.ts'
import * as Amounts from './Amounts.ts'
import * as GetUtxos from './GetUtxos.ts'

/** How long the results may be kept. Balances depend on the clock: locks end. */
export const FRESHNESS: FreshnessTable<typeof PlatformUtxoMethods> = {
  'platform.getUTXOs': 'snapshot',
  'platform.getBalance': 'volatile',
}

/** `platform.getUTXOs` and `platform.getBalance`. */
export function handlers(context: NodeContext): Handlers<typeof PlatformUtxoMethods> {
  return {
    'platform.getUTXOs': (params) => GetUtxos.answer(context, 'P', params, 'json'),
    'platform.getBalance': async ({ addresses = [] }) => {
      const owners = Addresses.parseAll(addresses, Id.EMPTY, context)
      return balance(context, owners)
    },
  }
}

type Balance = Awaited<ReturnType<Handlers<typeof PlatformUtxoMethods>['platform.getBalance']>>

/** A UTXO counts in one of three ways: it can be spent, only staked, or neither. */
async function balance(
  { store, snapshot, now, genesis }: NodeContext,
  owners: readonly Uint8Array[],
): Promise<Balance> {
  const holdings = await holdingsOf(store, await snapshot(), owners)
  const seconds = BigInt(Math.floor(now() / 1000))
  const unlockeds: Amounts.Amounts = new Map()
  const lockedStakeables: Amounts.Amounts = new Map()
  const lockedNotStakeables: Amounts.Amounts = new Map()
  for (const { assetID, amount = 0n, locktime, stakeableLocktime = 0n } of holdings) {
    if (locktime > seconds) Amounts.add(lockedNotStakeables, assetID, amount)
    else if (stakeableLocktime > seconds) Amounts.add(lockedStakeables, assetID, amount)
    else Amounts.add(unlockeds, assetID, amount)
  }
  const balances = Amounts.total(unlockeds, lockedStakeables, lockedNotStakeables)
  const avax = (amounts: ReadonlyMap<string, bigint>) => amounts.get(Id.format(genesis.avaxAssetID)) ?? 0n
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

async function holdingsOf(
  store: Store,
  at: Parameters<typeof Utxos.holdings>[1],
  owners: readonly Uint8Array[],
): Promise<Utxos.Holding[]> {
  return owners.length === 0 ? [] : Utxos.holdings(store, at, 'P', owners)
}
