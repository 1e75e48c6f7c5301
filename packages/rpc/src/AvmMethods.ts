import type { Json } from '@firn/codec'
import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'
import { GetUtxos, IssueTx, UtxoId } from './UtxoMethods.ts'

const none = Schema.struct({})
const encoding = Schema.optional(Schema.encoding)
/**
 * A transaction or block: an encoded string, or an object for the encoding json. The string has a checksum
 * unless the encoding is hexnc.
 */
const body: Schema.Schema<Json.Json> = Schema.json
const block = Schema.struct({ block: body, encoding: Schema.encoding })
/**
 * Arguments of the methods that return a balance. Outputs with several addresses or a lock count only if
 * `includePartial` is set.
 */
const balanceParams = { address: Schema.string, includePartial: Schema.optional(Schema.boolean) }

/** The X-chain's API, served at `/ext/bc/X`. Assets are identified by their alias (such as `AVAX`) or id. */
export const AvmMethods = {
  'avm.getAllBalances': {
    params: Schema.struct(balanceParams),
    result: Schema.struct({
      balances: Schema.array(Schema.struct({ asset: Schema.string, balance: Schema.u64 })),
    }),
  },
  'avm.getBalance': {
    params: Schema.struct({ ...balanceParams, assetID: Schema.string }),
    result: Schema.struct({ balance: Schema.u64, utxoIDs: Schema.array(UtxoId) }),
  },
  'avm.getAssetDescription': {
    params: Schema.struct({ assetID: Schema.string }),
    result: Schema.struct({
      assetID: Schema.id,
      name: Schema.string,
      symbol: Schema.string,
      denomination: Schema.u8,
    }),
  },
  'avm.getBlock': { params: Schema.struct({ blockID: Schema.id, encoding }), result: block },
  'avm.getBlockByHeight': { params: Schema.struct({ height: Schema.u64, encoding }), result: block },
  'avm.getHeight': { params: none, result: Schema.struct({ height: Schema.u64 }) },
  'avm.getTx': {
    params: Schema.struct({ txID: Schema.id, encoding }),
    result: Schema.struct({ tx: body, encoding: Schema.encoding }),
  },
  'avm.getTxFee': {
    params: none,
    result: Schema.struct({ txFee: Schema.u64, createAssetTxFee: Schema.u64 }),
  },
  'avm.getTxStatus': {
    params: Schema.struct({ txID: Schema.id }),
    result: Schema.struct({ status: Schema.oneOf('Accepted', 'Unknown') }),
  },
  'avm.getUTXOs': GetUtxos,
  'avm.issueTx': IssueTx,
} satisfies MethodTable
