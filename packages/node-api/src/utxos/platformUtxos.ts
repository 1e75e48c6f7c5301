import { Id } from '@firn/codec'
import type { PlatformUtxoMethods } from '@firn/rpc'
import { Utxos } from '@firn/store'
import * as Addresses from '../Addresses.ts'
import type { FreshnessTable, NodeContext } from '../Context.ts'
import type { Handlers } from '../Service.ts'
import * as GetUtxos from './GetUtxos.ts'
import * as PlatformBalance from './PlatformBalance.ts'

/** How long results may be cached. Balances are never cached; they depend on the clock, because locks expire. */
export const FRESHNESS: FreshnessTable<typeof PlatformUtxoMethods> = {
  'platform.getUTXOs': 'snapshot',
  'platform.getBalance': 'volatile',
}

/** Returns the handlers of `platform.getUTXOs` and `platform.getBalance`. */
export function handlers(context: NodeContext): Handlers<typeof PlatformUtxoMethods> {
  return {
    'platform.getUTXOs': (params) => GetUtxos.answer(context, 'P', params, 'json'),
    'platform.getBalance': async ({ addresses = [] }) => {
      const owners = Addresses.parseAll(addresses, Id.EMPTY, context)
      const { store, snapshot, now, genesis } = context
      const holdings = owners.length === 0 ? [] : await Utxos.holdings(store, await snapshot(), 'P', owners)
      return PlatformBalance.of(holdings, BigInt(Math.floor(now() / 1000)), genesis.avaxAssetId)
    },
  }
}
