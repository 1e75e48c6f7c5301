import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

/** Where a page of UTXOs ended, or where the next begins: an address, and a UTXO of it by its id. Both are texts, empty for none. */
export const UtxoIndex = Schema.struct({ address: Schema.string, utxo: Schema.string })

/** Which output of which transaction. */
export const UtxoId = Schema.struct({ txID: Schema.id, outputIndex: Schema.integer })

/** UTXOs of addresses, at most 1,024 at once; `sourceChain` (alias or id) asks for what another chain exported to this one. */
export const GetUtxos = {
  params: Schema.struct({
    addresses: Schema.optional(Schema.array(Schema.string)),
    sourceChain: Schema.optional(Schema.string),
    limit: Schema.optional(Schema.u32),
    startIndex: Schema.optional(UtxoIndex),
    encoding: Schema.optional(Schema.encoding),
  }),
  result: Schema.struct({
    numFetched: Schema.u64,
    utxos: Schema.array(Schema.string),
    endIndex: UtxoIndex,
    encoding: Schema.encoding,
  }),
}

/** A transaction in text, passed on to the network. */
export const IssueTx = {
  params: Schema.struct({ tx: Schema.string, encoding: Schema.optional(Schema.encoding) }),
  result: Schema.struct({ txID: Schema.id }),
}

const amounts = Schema.map(Schema.id, Schema.u64)

/** What the P-chain tells of UTXOs; part of {@link PlatformMethods}. */
export const PlatformUtxoMethods = {
  'platform.getUTXOs': GetUtxos,
  /** Amounts of AVAX in nAVAX, then of every asset by its id. */
  'platform.getBalance': {
    params: Schema.struct({ addresses: Schema.optional(Schema.array(Schema.string)) }),
    result: Schema.struct({
      balance: Schema.u64,
      unlocked: Schema.u64,
      lockedStakeable: Schema.u64,
      lockedNotStakeable: Schema.u64,
      balances: amounts,
      unlockeds: amounts,
      lockedStakeables: amounts,
      lockedNotStakeables: amounts,
      utxoIDs: Schema.nullable(Schema.array(UtxoId)),
    }),
  },
} satisfies MethodTable
