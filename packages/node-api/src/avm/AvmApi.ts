import { Bytes, Id } from '@firn/codec'
import type { AvmMethods, WalletMethods } from '@firn/rpc'
import { Assets, Blocks, Transactions } from '@firn/store'
import type { FreshnessTable, NodeContext } from '../Context.ts'
import { issue } from '../internal/issue.ts'
import { type Handlers, methodError } from '../Service.ts'
import * as GetUtxos from '../utxos/GetUtxos.ts'
import * as Balances from './Balances.ts'
import * as Rendering from './Rendering.ts'

/** How long results may be cached. Balances depend on the clock, because locks expire. */
export const FRESHNESS: FreshnessTable<typeof AvmMethods & typeof WalletMethods> = {
  'avm.getAllBalances': 'second',
  'avm.getBalance': 'second',
  'avm.getAssetDescription': 'forever',
  'avm.getBlock': 'forever',
  'avm.getBlockByHeight': 'forever',
  'avm.getHeight': 'snapshot',
  'avm.getTx': 'forever',
  'avm.getTxFee': 'forever',
  'avm.getTxStatus': 'snapshot',
  'avm.getUTXOs': 'snapshot',
  'avm.issueTx': 'volatile',
  'wallet.issueTx': 'volatile',
}

type Api = Handlers<typeof AvmMethods>

/** Returns the handlers of the X-chain's API. */
export function handlers(context: NodeContext): Api {
  const assets = Rendering.genesisAssets(context)
  return { ...blocks(context), ...transactions(context, assets), ...balances(context, assets) }
}

/**
 * Returns the handlers of the wallet API methods that nodes still serve. The upstream queues a transaction
 * that depends on an unknown transaction.
 */
export function walletHandlers(context: NodeContext): Handlers<typeof WalletMethods> {
  const route = {
    chain: 'X',
    path: '/ext/bc/X/wallet',
    method: 'wallet.issueTx',
    undecodable: UNDECODABLE,
  } as const
  return { 'wallet.issueTx': (params) => issue(context, route, params) }
}

const UNDECODABLE = 'problem decoding transaction'

function blocks(context: NodeContext): Pick<Api, 'avm.getBlock' | 'avm.getBlockByHeight' | 'avm.getHeight'> {
  const { store } = context
  return {
    'avm.getBlock': async ({ blockID: blockId, encoding = 'hex' }) => {
      const block = await Blocks.byId(store, await context.snapshot(), 'X', blockId)
      if (block === undefined)
        throw methodError(`couldn't get block with id ${Id.format(blockId)}: not found`)
      return { block: Rendering.block(context, block.bytes, encoding), encoding }
    },
    'avm.getBlockByHeight': async ({ height, encoding = 'hex' }) => {
      const block = await Blocks.byHeight(store, await context.snapshot(), 'X', height)
      if (block === undefined) throw methodError(`couldn't get block at height ${height}: not found`)
      return { block: Rendering.block(context, block.bytes, encoding), encoding }
    },
    'avm.getHeight': async () => ({ height: (await context.snapshot()).X.height }),
  }
}

function transactions(
  context: NodeContext,
  assets: Rendering.GenesisAssets,
): Pick<Api, 'avm.getTx' | 'avm.getTxStatus' | 'avm.getTxFee' | 'avm.issueTx'> {
  const { store, constants } = context
  const route = { chain: 'X', path: '/ext/bc/X', method: 'avm.issueTx', undecodable: UNDECODABLE } as const
  return {
    'avm.getTx': async ({ txID: txId, encoding = 'hex' }) => {
      assertId(txId)
      const found = await Transactions.byId(store, await context.snapshot(), 'X', txId)
      if (found === undefined) throw methodError('not found')
      return { tx: Rendering.transaction(context, assets, found, encoding), encoding }
    },
    'avm.getTxStatus': async ({ txID: txId }) => {
      assertId(txId)
      const found = await Transactions.statusById(store, await context.snapshot(), 'X', txId)
      return { status: found === undefined ? 'Unknown' : 'Accepted' }
    },
    'avm.getTxFee': () => ({ txFee: constants.txFee, createAssetTxFee: constants.createAssetTxFee }),
    'avm.issueTx': (params) => issue(context, route, params),
  }
}

function balances(
  context: NodeContext,
  assets: Rendering.GenesisAssets,
): Pick<Api, 'avm.getAllBalances' | 'avm.getBalance' | 'avm.getAssetDescription' | 'avm.getUTXOs'> {
  return {
    'avm.getAllBalances': async (params) => {
      const sums = Balances.sums(await Balances.holdings(context, params))
      return {
        balances: [...sums].map(([asset, balance]) => ({ asset: assets.names.get(asset) ?? asset, balance })),
      }
    },
    'avm.getBalance': async (params) => {
      Balances.parseAddress(context, params.address)
      const assetId = Balances.assetOf(assets.byName, params.assetID)
      const all = await Balances.holdings(context, params)
      const held = all.filter((holding) => Bytes.equals(holding.assetId, assetId))
      return {
        balance: Balances.sumOf(held),
        utxoIDs: held.map(({ txId, outputIndex }) => ({ txID: txId, outputIndex })),
      }
    },
    'avm.getAssetDescription': async (params) => {
      const assetId = Balances.assetOf(assets.byName, params.assetID)
      const at = await context.snapshot()
      const asset = await Assets.byId(context.store, at, assetId)
      if (asset !== undefined) {
        const { name, symbol, denomination } = asset
        return { assetID: asset.assetId, name, symbol, denomination }
      }
      const other = await Transactions.statusById(context.store, at, 'X', assetId)
      throw methodError(other === undefined ? 'not found' : "transaction doesn't create an asset")
    },
    'avm.getUTXOs': (params) => GetUtxos.answer(context, 'X', params, 'string'),
  }
}

function assertId(txId: Uint8Array): void {
  if (Bytes.isZero(txId)) throw methodError('nil transaction ID')
}
