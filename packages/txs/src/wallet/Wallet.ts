import { Bytes } from '@firn/codec'
import type { Share } from '../avax/Flow.ts'
import type * as TransferableInput from '../avax/TransferableInput.ts'
import * as TransferableOutput from '../avax/TransferableOutput.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import * as Owners from '../fx/Owners.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import * as Stakeable from '../platform/Stakeable.ts'
import { TxsError } from '../TxsError.ts'
import * as Coins from './Coins.ts'
import * as Given from './Given.ts'
import type * as Selection from './Selection.ts'

/** Input for building transactions of any chain. */
export interface Wallet extends Coins.Holder {
  readonly networkId: number
  readonly avaxAssetId: Uint8Array
  /** The wallet's UTXOs on the chain. */
  readonly utxos: readonly Coins.AnyUtxo[]
  /** Owners of change. Default: the first of `addresses` alone. */
  readonly changeOwners?: Secp256k1.OutputOwners | undefined
  /** Memo of at most 256 bytes. Chains accept only an empty memo since Durango. Default: empty. */
  readonly memo?: Uint8Array | undefined
  /** Order of coin selection. Default: `largest-first`. */
  readonly order?: Coins.Order | undefined
}

/** An amount of an asset and the owners who receive it. */
export interface Payment extends Share {
  readonly owners: Secp256k1.OutputOwners
  /** Unix time in seconds before which the output can only be staked (P-chain only). */
  readonly lock?: bigint
}

/** An output that holds an amount without a lock. All chains support it. */
export type PlainOut = TransferableOutput.TransferableOutput<
  Secp256k1.TransferOutput & { readonly type: 'TransferOutput' }
>

/** An input that spends an amount without a lock. All chains support it. */
export type PlainIn = TransferableInput.TransferableInput<
  Secp256k1.TransferInput & { readonly type: 'TransferInput' }
>

/**
 * Returns owners that consist of a single address.
 * @example
 * ```ts
 * import { Wallet } from '@firn/txs'
 *
 * Wallet.soleOwner(new Uint8Array(20)).threshold // 1
 * ```
 */
export function soleOwner(address: Uint8Array, locktime = 0n): Secp256k1.OutputOwners {
  return { locktime, threshold: 1, addresses: [address] }
}

/**
 * Returns owners of whom `threshold` must sign, with the addresses sorted as chains require.
 * @example
 * ```ts
 * import { Wallet } from '@firn/txs'
 *
 * declare const alice: Uint8Array, bob: Uint8Array // addresses
 * const owners = Wallet.owners(2, [alice, bob]) // both must sign
 * ```
 */
export function owners(
  threshold: number,
  addresses: readonly Uint8Array[],
  locktime = 0n,
): Secp256k1.OutputOwners {
  return { locktime, threshold, addresses: addresses.toSorted(Bytes.compare) }
}

/**
 * Returns the owners of a wallet's change.
 * @example
 * ```ts
 * import { Wallet } from '@firn/txs'
 *
 * declare const wallet: Wallet.Wallet
 * const { threshold, addresses } = Wallet.changeOwners(wallet)
 * ```
 * @throws TxsError `TXS_SIGNERS` if the wallet has no address
 */
export function changeOwners({ changeOwners: given, addresses }: Wallet): Secp256k1.OutputOwners {
  if (given !== undefined) return given
  const [first] = addresses
  if (first !== undefined) return soleOwner(first)
  throw new TxsError('TXS_SIGNERS', 'expected at least one address in the wallet, got none', {
    details: { held: 0 },
  })
}

/**
 * Returns the output for a payment, without a lock.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Wallet } from '@firn/txs'
 *
 * declare const address: Uint8Array // 20 bytes
 * const avaxAssetId = Id.parse('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z')
 * const payment = { assetID: avaxAssetId, amount: 1_000_000_000n, owners: Wallet.soleOwner(address) }
 * const { output } = Wallet.plainOut(payment)
 * output.type // 'TransferOutput'
 * ```
 */
export function plainOut({
  assetID: assetId,
  amount,
  owners: { locktime, threshold, addresses },
}: Payment): PlainOut {
  return { assetID: assetId, output: { type: 'TransferOutput', amount, locktime, threshold, addresses } }
}

/**
 * Returns the P-chain output for a payment.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Wallet } from '@firn/txs'
 *
 * declare const address: Uint8Array // 20 bytes
 * const avaxAssetId = Id.parse('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z')
 * const payment = { assetID: avaxAssetId, amount: 1_000_000_000n, owners: Wallet.soleOwner(address) }
 * const { output } = Wallet.out({ ...payment, lock: 1_800_000_000n })
 * output.type // 'LockOut'
 * ```
 */
export function out(payment: Payment): Stakeable.Out {
  const { assetID: assetId, output } = plainOut(payment)
  const { lock = 0n } = payment
  return { assetID: assetId, output: lock === 0n ? output : { type: 'LockOut', locktime: lock, output } }
}

/**
 * Returns the P-chain outputs for payments.
 * @example
 * ```ts
 * import { Wallet } from '@firn/txs'
 *
 * declare const payments: readonly Wallet.Payment[]
 * const outputs = Wallet.sortOuts(Wallet.outs(payments))
 * ```
 * @throws TxsError `TXS_INPUT`, and the errors of `Owners.assertOutput`
 */
export function outs(payments: readonly Payment[]): Stakeable.Out[] {
  return payments.map((payment, i) => {
    Given.assertPayment(payment, `payments[${i}]`)
    const made = out(payment)
    Owners.assertOutput(Stakeable.unlocked(made.output))
    return made
  })
}

/**
 * Returns the outputs for payments on the X-chain, or for payments that are exported to another chain.
 * @example
 * ```ts
 * import { Wallet } from '@firn/txs'
 *
 * declare const payments: readonly Wallet.Payment[]
 * const exportedOutputs = Wallet.sortOuts(Wallet.plainOuts(payments))
 * ```
 * @throws TxsError `TXS_LOCKTIME` if a payment has a lock, `TXS_INPUT`, and the errors of `Owners.assertOutput`
 */
export function plainOuts(payments: readonly Payment[]): PlainOut[] {
  return payments.map((payment, i) => {
    Given.assertPayment(payment, `payments[${i}]`)
    if (payment.lock) {
      const details = { lock: payment.lock }
      throw new TxsError(
        'TXS_LOCKTIME',
        'expected a payment without a lock, got one that can only be staked',
        { details },
      )
    }
    const made = plainOut(payment)
    Owners.assertOutput(made.output)
    return made
  })
}

/**
 * Returns the input that spends a coin, without its lock.
 * @example
 * ```ts
 * import { type Coins, Wallet } from '@firn/txs'
 *
 * declare const coins: readonly Coins.Chosen[]
 * const inputs = Wallet.sortIns(coins.map(Wallet.plainIn))
 * ```
 */
export function plainIn({
  txID: txId,
  outputIndex,
  assetID: assetId,
  amount,
  signatureIndices,
}: Coins.Chosen): PlainIn {
  return {
    txID: txId,
    outputIndex,
    assetID: assetId,
    input: { type: 'TransferInput', amount, signatureIndices },
  }
}

/**
 * Returns outputs in the order that chains require. The P-chain's type ids are valid for all chains.
 * @example
 * ```ts
 * import { Wallet } from '@firn/txs'
 *
 * declare const payments: readonly Wallet.Payment[]
 * const outputs = Wallet.sortOuts(payments.map(Wallet.out))
 * ```
 */
export function sortOuts<O extends Stakeable.Out>(outs: readonly O[]): O[] {
  return outs.toSorted(TransferableOutput.compare(Stakeable.Output))
}

/**
 * Returns inputs in the order that chains require.
 * @example
 * ```ts
 * import { type Coins, Wallet } from '@firn/txs'
 *
 * declare const coins: readonly Coins.Chosen[]
 * const inputs = Wallet.sortIns(coins.map(Wallet.plainIn))
 * ```
 */
export function sortIns<I extends UtxoId.UtxoId>(ins: readonly I[]): I[] {
  return ins.toSorted(UtxoId.compare)
}

/**
 * Returns what coin selection needs of a wallet.
 * @example
 * ```ts
 * import { Selection, Wallet } from '@firn/txs'
 *
 * declare const wallet: Wallet.Wallet
 * declare const meter: Selection.Meter
 * const burn = [{ assetID: wallet.avaxAssetId, amount: 5_000_000_000n }]
 * const { inputs, change } = Selection.cover({ ...Wallet.source(wallet), meter, burn, stake: [], received: 0n })
 * ```
 * @throws TxsError `TXS_SIGNERS` if the wallet has no address
 */
export function source(wallet: Wallet): Omit<Selection.Request, 'meter' | 'burn' | 'stake' | 'received'> {
  const { addresses, time, avaxAssetId, order = 'largest-first' } = wallet
  const coins = Coins.of(wallet.utxos)
  return { addresses, time, avaxAssetId, order, coins, changeOwners: changeOwners(wallet) }
}

/** The content of an import: its inputs, and their amounts. */
export interface Imported {
  readonly inputs: readonly PlainIn[]
  /** Imported AVAX in nAVAX. */
  readonly avax: bigint
  /** Imported amounts of other assets, summed by asset. */
  readonly others: readonly Share[]
}

/**
 * Returns the inputs and amounts for importing coins.
 * @example
 * ```ts
 * import { Selection, Wallet } from '@firn/txs'
 *
 * declare const wallet: Wallet.Wallet
 * declare const request: Selection.GatherRequest
 * const { avax, others } = Wallet.imported(wallet, Selection.gather(request).chosen)
 * ```
 */
export function imported({ avaxAssetId }: Wallet, chosen: readonly Coins.Chosen[]): Imported {
  const isAvax = Coins.isOf(avaxAssetId)
  return {
    inputs: sortIns(chosen.map(plainIn)),
    avax: Coins.total(chosen.filter(isAvax)),
    others: sums(chosen.filter((coin) => !isAvax(coin))),
  }
}

function sums(shares: readonly Share[]): Share[] {
  const found: { assetID: Uint8Array; amount: bigint }[] = []
  for (const { assetID: assetId, amount } of shares) {
    const same = found.find(Coins.isOf(assetId))
    if (same) same.amount += amount
    else found.push({ assetID: assetId, amount })
  }
  return found
}
