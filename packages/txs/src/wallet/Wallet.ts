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
import * as Shortage from './Shortage.ts'
import * as Spend from './Spend.ts'

/** Input for transactions of any chain. */
export interface Wallet extends Coins.Holder {
  readonly networkId: number
  readonly avaxAssetId: Uint8Array
  /** The spendable UTXOs on the chain. */
  readonly utxos: readonly Coins.AnyUtxo[]
  /** Owners of change; default: only the first of `addresses`. */
  readonly changeOwners?: Secp256k1.OutputOwners | undefined
  /** At most 256 bytes; chains accept none since Durango. Default: empty. */
  readonly memo?: Uint8Array | undefined
  /** Default: `largest-first`. */
  readonly order?: Coins.Order | undefined
}

/** An amount of an asset for owners. */
export interface Payment extends Share {
  readonly owners: Secp256k1.OutputOwners
  /** Unix time in seconds before which it can only be staked (P-chain). */
  readonly lock?: bigint
}

/** An output with only an amount, as on all chains. */
export type PlainOut = TransferableOutput.TransferableOutput<
  Secp256k1.TransferOutput & { readonly type: 'TransferOutput' }
>

/** An input with only an amount, as on all chains. */
export type PlainIn = TransferableInput.TransferableInput<
  Secp256k1.TransferInput & { readonly type: 'TransferInput' }
>

/** Returns owners with one address, which signs alone. */
export function soleOwner(address: Uint8Array, locktime = 0n): Secp256k1.OutputOwners {
  return { locktime, threshold: 1, addresses: [address] }
}

/** Returns owners of whom `threshold` sign, in the order that chains require. */
export function owners(
  threshold: number,
  addresses: readonly Uint8Array[],
  locktime = 0n,
): Secp256k1.OutputOwners {
  return { locktime, threshold, addresses: addresses.toSorted(Bytes.compare) }
}

/**
 * Returns the owners of a wallet's change.
 * @throws TxsError `TXS_SIGNERS`: it has no address
 */
export function changeOwners({ changeOwners: given, addresses }: Wallet): Secp256k1.OutputOwners {
  if (given !== undefined) return given
  const [first] = addresses
  if (first !== undefined) return soleOwner(first)
  throw new TxsError('TXS_SIGNERS', 'expected the address of a signer, got none', { details: { held: 0 } })
}

/** Returns the output of a payment without a lock. */
export function plainOut({
  assetID: assetId,
  amount,
  owners: { locktime, threshold, addresses },
}: Payment): PlainOut {
  return { assetID: assetId, output: { type: 'TransferOutput', amount, locktime, threshold, addresses } }
}

/** Returns the output of a payment on the P-chain. */
export function out(payment: Payment): Stakeable.Out {
  const { assetID: assetId, output } = plainOut(payment)
  const { lock = 0n } = payment
  return { assetID: assetId, output: lock === 0n ? output : { type: 'LockOut', locktime: lock, output } }
}

/**
 * Returns the outputs of payments on the P-chain.
 * @throws TxsError those of `Owners.assertOutput`
 */
export function outs(payments: readonly Payment[]): Stakeable.Out[] {
  return payments.map((payment) => {
    const made = out(payment)
    Owners.assertOutput(Stakeable.unlocked(made.output))
    return made
  })
}

/**
 * Returns the outputs of payments on or to other chains.
 * @throws TxsError `TXS_LOCKTIME`: a payment that can only be staked; those of `Owners.assertOutput`
 */
export function plainOuts(payments: readonly Payment[]): PlainOut[] {
  return payments.map((payment) => {
    if (payment.lock) {
      const details = { lock: payment.lock }
      throw new TxsError('TXS_LOCKTIME', 'expected a payment without a lock, got one for stake', { details })
    }
    const made = plainOut(payment)
    Owners.assertOutput(made.output)
    return made
  })
}

/** Returns the input of a coin, without its lock. */
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

/** Sorts outputs. All chains number the kinds alike. */
export function sortOuts<O extends Stakeable.Out>(outs: readonly O[]): O[] {
  return outs.toSorted(TransferableOutput.compare(Stakeable.Output))
}

/** Sorts inputs. */
export function sortIns<I extends UtxoId.UtxoId>(ins: readonly I[]): I[] {
  return ins.toSorted(UtxoId.compare)
}

/**
 * Covers amounts from a wallet's UTXOs.
 * @throws TxsError those of {@link Spend.spend}
 */
export function cover(
  wallet: Wallet,
  wish: Pick<Spend.Wish, 'burn' | 'meter'> &
    Partial<Pick<Spend.Wish, 'stake' | 'received' | 'receivedOwners' | 'coins'>>,
): Spend.Spent {
  const { addresses, time, avaxAssetId, order = 'largest-first' } = wallet
  return Spend.spend({
    coins: Coins.of(wallet.utxos),
    stake: [],
    received: 0n,
    ...wish,
    addresses,
    time,
    avaxAssetId,
    order,
    changeOwners: changeOwners(wallet),
  })
}

/** The content of an import: all importable UTXOs and their amounts. */
export interface Imported {
  readonly inputs: readonly PlainIn[]
  /** Its AVAX. */
  readonly avax: bigint
  /** Other assets, summed. */
  readonly others: readonly Share[]
}

/**
 * Returns what a wallet can import of another chain's exports.
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS`: nothing
 */
export function gather(
  wallet: Wallet,
  exported: readonly Coins.AnyUtxo[],
  isWanted: (coin: Share) => boolean = () => true,
): Imported {
  const coins = Coins.of(exported).filter(isWanted)
  const chosen = Coins.signable(coins, wallet).filter(({ lock }) => lock <= wallet.time)
  if (chosen.length === 0) {
    const { avaxAssetId: assetId } = wallet
    throw Shortage.errorOf({ ...wallet, assetId, needed: 1n, available: 0n, fee: 0n, coins })
  }
  const isAvax = Coins.isOf(wallet.avaxAssetId)
  return {
    inputs: sortIns(chosen.map(plainIn)),
    avax: chosen.filter(isAvax).reduce((sum, { amount }) => sum + amount, 0n),
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
