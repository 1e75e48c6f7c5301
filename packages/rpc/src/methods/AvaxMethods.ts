import type { MethodLayouts } from '../Layout.ts'
import * as Layout from '../Layout.ts'
import { GetUtxos, IssueTx } from './UtxoMethods.ts'

/** The C-chain's methods for imports and exports of AVAX, served at `/ext/bc/C/avax`. */
export const AvaxMethods = {
  'avax.getAtomicTx': {
    params: Layout.struct({ txID: Layout.id, encoding: Layout.optional(Layout.encoding) }),
    result: Layout.struct({
      tx: Layout.string,
      encoding: Layout.encoding,
      blockHeight: Layout.optional(Layout.u64),
    }),
  },
  'avax.getAtomicTxStatus': {
    params: Layout.struct({ txID: Layout.id }),
    result: Layout.struct({
      status: Layout.oneOf(['Unknown', 'Dropped', 'Processing', 'Accepted']),
      blockHeight: Layout.optional(Layout.u64),
    }),
  },
  'avax.getUTXOs': GetUtxos,
  'avax.issueTx': IssueTx,
} satisfies MethodLayouts
