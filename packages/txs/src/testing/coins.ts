import type * as Coins from '../wallet/Coins.ts'
import type * as Limits from '../wallet/Limits.ts'
import type * as Selection from '../wallet/Selection.ts'
import * as Wallet from '../wallet/Wallet.ts'

/** Addresses: two of the wallet, and another. */
export const [me, friend, stranger] = [1, 2, 3].map((byte) => new Uint8Array(20).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]

/** Assets. */
export const [avax, token, other] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]

/** Time of the chain in Unix seconds. */
export const NOW = 100n

export const mine = Wallet.soleOwner(me)

/** What is the same in all requests. */
export const source = { addresses: [me, friend], time: NOW, avaxAssetId: avax }

/**
 * Returns a meter with small round costs: a transaction of 10 gas and 100 bytes, 5 gas and 20 bytes for an input and its
 * signature, 2 gas for each further signature, 3 gas and 8 bytes for an output, 12 bytes if it is locked. A unit of gas costs
 * 1 nAVAX.
 */
export const meter = (limit: Limits.Cost = { gas: 10_000n, bytes: 10_000n }): Selection.Meter => ({
  fixed: { gas: 10n, bytes: 100n },
  input: ({ signatureIndices }) => ({ gas: 3n + 2n * BigInt(signatureIndices.length), bytes: 20n }),
  output: ({ lock }) => ({ gas: 3n, bytes: lock === 0n ? 8n : 12n }),
  fee: (gas) => gas,
  limit,
})

let index = 0
/** Returns a coin, whose id is above the ids of the coins before. */
export const coin = (amount: bigint, more: Partial<Coins.Coin> = {}): Coins.Coin => ({
  ...{ txID: new Uint8Array(32), outputIndex: index++ },
  ...{ assetID: avax, amount, owners: mine, lock: 0n, ...more },
})

export const amounts = (list: readonly { readonly amount: bigint }[]) => list.map(({ amount }) => amount)
