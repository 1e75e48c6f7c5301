import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'
import { GetUtxos, IssueTx } from './UtxoMethods.ts'

/** The C-chain's methods for imports and exports of AVAX, served at `/ext/bc/C/avax`. */
export const AvaxMethods = {
  'avax.getAtomicTx': {
    params: Schema.struct({ txID: Schema.id, encoding: Schema.optional(Schema.encoding) }),
    result: Schema.struct({
      tx: Schema.string,
      encoding: Schema.encoding,
      blockHeight: Schema.optional(Schema.u64),
    }),
  },
  'avax.getAtomicTxStatus': {
    params: Schema.struct({ txID: Schema.id }),
    result: Schema.struct({
      status: Schema.oneOf('Unknown', 'Dropped', 'Processing', 'Accepted'),
      blockHeight: Schema.optional(Schema.u64),
    }),
  },
  'avax.getUTXOs': GetUtxos,
  'avax.issueTx': IssueTx,
} satisfies MethodTable
