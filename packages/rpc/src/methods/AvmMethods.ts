import type { Json } from '@firn/codec'
import type { MethodLayouts } from '../Layout.ts'
import * as Layout from '../Layout.ts'
import { GetUtxos, IssueTx, UtxoId } from './UtxoMethods.ts'

const none = Layout.struct({})
const encoding = Layout.optional(Layout.encoding)
/**
 * A transaction or block: an encoded string, or an object for the encoding json. The string has a checksum
 * unless the encoding is hexnc.
 */
const body: Layout.Layout<Json.Json> = Layout.json
const block = Layout.struct({ block: body, encoding: Layout.encoding })
/**
 * Arguments of the methods that return a balance. Outputs with several addresses or a lock count only if
 * `includePartial` is set.
 */
const balanceParams = { address: Layout.string, includePartial: Layout.optional(Layout.boolean) }

/** The X-chain's API, served at `/ext/bc/X`. Assets are identified by their alias (such as `AVAX`) or id. */
export const AvmMethods = {
  'avm.getAllBalances': {
    params: Layout.struct(balanceParams),
    result: Layout.struct({
      balances: Layout.array(Layout.struct({ asset: Layout.string, balance: Layout.u64 })),
    }),
  },
  'avm.getBalance': {
    params: Layout.struct({ ...balanceParams, assetID: Layout.string }),
    result: Layout.struct({ balance: Layout.u64, utxoIDs: Layout.array(UtxoId) }),
  },
  'avm.getAssetDescription': {
    params: Layout.struct({ assetID: Layout.string }),
    result: Layout.struct({
      assetID: Layout.id,
      name: Layout.string,
      symbol: Layout.string,
      denomination: Layout.u8,
    }),
  },
  'avm.getBlock': { params: Layout.struct({ blockID: Layout.id, encoding }), result: block },
  'avm.getBlockByHeight': { params: Layout.struct({ height: Layout.u64, encoding }), result: block },
  'avm.getHeight': { params: none, result: Layout.struct({ height: Layout.u64 }) },
  'avm.getTx': {
    params: Layout.struct({ txID: Layout.id, encoding }),
    result: Layout.struct({ tx: body, encoding: Layout.encoding }),
  },
  'avm.getTxFee': {
    params: none,
    result: Layout.struct({ txFee: Layout.u64, createAssetTxFee: Layout.u64 }),
  },
  'avm.getTxStatus': {
    params: Layout.struct({ txID: Layout.id }),
    result: Layout.struct({ status: Layout.oneOf(['Accepted', 'Unknown']) }),
  },
  'avm.getUTXOs': GetUtxos,
  'avm.issueTx': IssueTx,
} satisfies MethodLayouts
