import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

/**
 * The start or end of a page of UTXOs: an address, and the id of one of its UTXOs. Both members are empty strings if
 * the page has no start or end.
 */
export const UtxoIndex = Schema.struct({ address: Schema.string, utxo: Schema.string })

/** Transaction id and index of an output. */
export const UtxoId = Schema.struct({ txID: Schema.id, outputIndex: Schema.integer })

/**
 * Returns the UTXOs of at most 1,024 addresses. `sourceChain` (an alias or id) selects the UTXOs that another
 * chain exported to this chain.
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

/** Issues an encoded transaction, which the node forwards to the network. */
export const IssueTx = {
  params: Schema.struct({ tx: Schema.string, encoding: Schema.optional(Schema.encoding) }),
  result: Schema.struct({ txID: Schema.id }),
  isOnce: true,
}

const amounts = Schema.map(Schema.id, Schema.u64)

/** The P-chain's methods for UTXOs; part of {@link PlatformMethods}. */
export const PlatformUtxoMethods = {
  'platform.getUTXOs': GetUtxos,
  /**
   * Returns the amounts of AVAX in nAVAX, in total and by kind of lock. Further members contain the same
   * amounts for each asset, by asset id.
   */
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
