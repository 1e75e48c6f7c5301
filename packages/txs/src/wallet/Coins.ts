import { Bytes, Hex } from '@firn/codec'
import type * as Utxo from '../avax/Utxo.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'

/** A UTXO of any chain. */
export type AnyUtxo = Utxo.Utxo<{ readonly type: string }>

/** A UTXO that holds an amount, with or without a lock. */
export interface Coin extends UtxoId.UtxoId {
  readonly assetID: Uint8Array
  readonly amount: bigint
  readonly owners: Secp256k1.OutputOwners
  /** Unix time in seconds until which the coin can only be staked; 0 without a lock. */
  readonly lock: bigint
}

/** A coin with the indices of the owners that will sign for it. */
export interface Chosen extends Coin {
  readonly signatureIndices: readonly number[]
}

/** The addresses that sign, and the time of signing. */
export interface Holder {
  /** Addresses (20 bytes each) that will sign, now or later. */
  readonly addresses: readonly Uint8Array[]
  /** The chain's current time in Unix seconds. */
  readonly time: bigint
}

/** Order of coin selection: the most valuable first, which needs the fewest coins, or the given order. */
export type Order = 'largest-first' | 'given'

/**
 * Returns the coins among UTXOs. Skips rights to mint, NFTs and properties, and a UTXO that is listed again, as pages of
 * `getUTXOs` may do.
 * @example
 * ```ts
 * import { Coins } from '@firn/txs'
 *
 * declare const utxos: readonly Coins.AnyUtxo[]
 * const total = Coins.of(utxos).reduce((sum, { amount }) => sum + amount, 0n)
 * ```
 */
export function of(utxos: readonly AnyUtxo[]): Coin[] {
  return unique(
    utxos.flatMap(({ txID: txId, outputIndex, assetID: assetId, output }) => {
      const { owners, lock } = unwrap(output)
      if (owners?.type !== 'TransferOutput') return []
      const { amount, locktime, threshold, addresses } = owners
      return [
        {
          txID: txId,
          outputIndex,
          assetID: assetId,
          amount,
          owners: { locktime, threshold, addresses },
          lock,
        },
      ]
    }),
  )
}

/**
 * Returns the coins without those whose UTXO is listed before.
 * @example
 * ```ts
 * import { Coins } from '@firn/txs'
 *
 * declare const pages: readonly (readonly Coins.Coin[])[]
 * const coins = Coins.unique(pages.flat())
 * ```
 */
export function unique<C extends UtxoId.UtxoId>(coins: readonly C[]): C[] {
  const found = new Map<string, C>()
  for (const coin of coins) {
    const key = UtxoId.key(coin)
    if (!found.has(key)) found.set(key, coin)
  }
  return [...found.values()]
}

/**
 * Returns the sum of the coins' amounts.
 * @example
 * ```ts
 * import { Coins } from '@firn/txs'
 *
 * declare const coins: readonly Coins.Coin[] // of one asset
 * const amount = Coins.total(coins)
 * ```
 */
export function total(coins: readonly Pick<Coin, 'amount'>[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n)
}

/**
 * Returns the owners of a UTXO, or undefined if it has none.
 * @example
 * ```ts
 * import { Coins } from '@firn/txs'
 *
 * declare const utxo: Coins.AnyUtxo
 * const threshold = Coins.ownersOf(utxo)?.threshold
 * ```
 */
export function ownersOf({ output }: AnyUtxo): Secp256k1.OutputOwners | undefined {
  return unwrap(output).owners
}

type Held = Secp256k1.TransferOutput & { readonly type: string }

function unwrap(output: { readonly type: string }): {
  readonly owners: Held | undefined
  readonly lock: bigint
} {
  if (output.type === 'LockOut' && 'locktime' in output && 'output' in output)
    return { owners: output.output as Held, lock: output.locktime as bigint }
  return { owners: 'addresses' in output ? (output as Held) : undefined, lock: 0n }
}

/**
 * Returns the indices of the owners that sign: the first available owners, up to the threshold. Returns
 * undefined if too few are available, or if the lock has not ended.
 */
export type Chooser = (owners: Secp256k1.OutputOwners, time?: bigint) => number[] | undefined

/**
 * Returns a function that chooses the signing owners among the addresses of a holder. Its argument `time` defaults to
 * the holder's time.
 * @example
 * ```ts
 * import { Coins } from '@firn/txs'
 *
 * const [alice, bob] = [new Uint8Array(20).fill(1), new Uint8Array(20).fill(2)]
 * const choose = Coins.chooser({ addresses: [bob], time: 1_800_000_000n })
 * choose({ locktime: 0n, threshold: 1, addresses: [alice, bob] }) // [1]
 * ```
 */
export function chooser(holder: Holder): Chooser {
  const held = new Set(holder.addresses.map(Hex.encodeBare))
  return ({ locktime, threshold, addresses }, time = holder.time) => {
    if (locktime > time) return undefined
    const found = addresses.flatMap((address, i) => (held.has(Hex.encodeBare(address)) ? [i] : []))
    return found.length < threshold ? undefined : found.slice(0, threshold)
  }
}

/**
 * Returns the coins for which enough owners can sign now.
 * @example
 * ```ts
 * import { Coins } from '@firn/txs'
 *
 * declare const utxos: readonly Coins.AnyUtxo[]
 * declare const address: Uint8Array // 20 bytes
 * const holder = { addresses: [address], time: BigInt(Math.floor(Date.now() / 1000)) }
 * const coins = Coins.signable(Coins.of(utxos), holder)
 * ```
 */
export function signable(coins: readonly Coin[], holder: Holder): Chosen[] {
  const choose = chooser(holder)
  return coins.flatMap((coin) => {
    const signatureIndices = choose(coin.owners)
    return signatureIndices === undefined ? [] : [{ ...coin, signatureIndices }]
  })
}

/**
 * Returns the Unix time in seconds from which a coin can be transferred: the end of its owners' lock or of its stake
 * lock, whichever is later.
 * @example
 * ```ts
 * import { Coins } from '@firn/txs'
 *
 * declare const utxos: readonly Coins.AnyUtxo[]
 * const times = Coins.of(utxos).map((coin) => new Date(Number(Coins.unlockTime(coin)) * 1000))
 * ```
 */
export function unlockTime({ owners, lock }: Coin): bigint {
  return owners.locktime > lock ? owners.locktime : lock
}

/**
 * Returns a predicate that tests whether an amount is of the asset.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Coins } from '@firn/txs'
 *
 * declare const utxos: readonly Coins.AnyUtxo[]
 * const avaxAssetId = Id.parse('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z')
 * const coins = Coins.of(utxos).filter(Coins.isOf(avaxAssetId))
 * ```
 */
export function isOf(assetId: Uint8Array): (item: { readonly assetID: Uint8Array }) => boolean {
  return (item) => Bytes.equals(item.assetID, assetId)
}
