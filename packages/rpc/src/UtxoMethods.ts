import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

/**
 * The end of a page of UTXOs or the start of the next one: an address, and the id of one of its UTXOs. Both
 * are empty strings for none.
 */
export const UtxoIndex = Schema.struct({ address: Schema.string, utxo: Schema.string })

/** The transaction and the index of an output. */
export const UtxoId = Schema.struct({ txID: Schema.id, outputIndex: Schema.integer })

/**
 * UTXOs of at most 1,024 addresses; `sourceChain` (alias or id) selects those that another chain exported to
 * this one.
 */
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

/** An encoded transaction, forwarded to the network. */
export const IssueTx = {
  params: Schema.struct({ tx: Schema.string, encoding: Schema.optional(Schema.encoding) }),
  result: Schema.struct({ txID: Schema.id }),
}

const amounts = Schema.map(Schema.id, Schema.u64)

/** The P-chain's methods for UTXOs; part of {@link PlatformMethods}. */
export const PlatformUtxoMethods = {
  'platform.getUTXOs': GetUtxos,
  /** Amounts of AVAX in nAVAX, then of each asset by its id. */
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
