import type { MethodLayouts } from '../Layout.ts'
import * as Layout from '../Layout.ts'

/**
 * The start or end of a page of UTXOs: an address, and the id of one of its UTXOs. Both members are empty strings if
 * the page has no start or end.
 */
export const UtxoIndex = Layout.struct({ address: Layout.string, utxo: Layout.string })

/** Transaction id and index of an output. */
export const UtxoId = Layout.struct({ txID: Layout.id, outputIndex: Layout.integer })

/**
 * Returns the UTXOs of at most 1,024 addresses. `sourceChain` (an alias or id) selects the UTXOs that another
 * chain exported to this chain.
 */
export const GetUtxos = {
  params: Layout.struct({
    addresses: Layout.optional(Layout.array(Layout.string)),
    sourceChain: Layout.optional(Layout.string),
    limit: Layout.optional(Layout.u32),
    startIndex: Layout.optional(UtxoIndex),
    encoding: Layout.optional(Layout.encoding),
  }),
  result: Layout.struct({
    numFetched: Layout.u64,
    utxos: Layout.array(Layout.string),
    endIndex: UtxoIndex,
    encoding: Layout.encoding,
  }),
}

/** Issues an encoded transaction, which the node forwards to the network. */
export const IssueTx = {
  params: Layout.struct({ tx: Layout.string, encoding: Layout.optional(Layout.encoding) }),
  result: Layout.struct({ txID: Layout.id }),
  isOnce: true,
}

const amounts = Layout.map(Layout.id, Layout.u64)

/** The P-chain's methods for UTXOs; part of {@link PlatformMethods}. */
export const PlatformUtxoMethods = {
  'platform.getUTXOs': GetUtxos,
  /**
   * Returns the amounts of AVAX in nAVAX, in total and by kind of lock. Further members contain the same
   * amounts for each asset, by asset id.
   */
  'platform.getBalance': {
    params: Layout.struct({ addresses: Layout.optional(Layout.array(Layout.string)) }),
    result: Layout.struct({
      balance: Layout.u64,
      unlocked: Layout.u64,
      lockedStakeable: Layout.u64,
      lockedNotStakeable: Layout.u64,
      balances: amounts,
      unlockeds: amounts,
      lockedStakeables: amounts,
      lockedNotStakeables: amounts,
      utxoIDs: Layout.nullable(Layout.array(UtxoId)),
    }),
  },
} satisfies MethodLayouts
