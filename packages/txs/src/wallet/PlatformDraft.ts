import { Id } from '@firn/codec'
import type { Share } from '../avax/Flow.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import type { FieldOf } from '../internal/Registry.ts'
import * as Complexity from '../platform/Complexity.ts'
import * as Gas from '../platform/Gas.ts'
import type * as Stakeable from '../platform/Stakeable.ts'
import type { Owner } from '../platform/StakerTx.ts'
import type { Of, TxType, UnsignedTx } from '../platform/UnsignedTx.ts'
import type { Verifiable } from '../platform/Verifiable.ts'
import type * as Coins from './Coins.ts'
import * as Shortage from './Shortage.ts'
import * as Signing from './Signing.ts'
import type * as Spend from './Spend.ts'
import * as Wallet from './Wallet.ts'

/** Fees of the P-chain: gas at a price (since Etna), or a fixed amount. */
export type Fees =
  | {
      /** Gas per unit of each resource, from the network's gas configuration. */
      readonly weights: Gas.Dimensions
      /**
       * Gas price in nAVAX. Bid more than the current price, because the price may rise before the transaction is
       * accepted.
       */
      readonly gasPrice: bigint
    }
  | { readonly fixed: bigint }

/** Input for building P-chain transactions. */
export interface PlatformWallet extends Wallet.Wallet {
  readonly fees: Fees
}

/** An unsigned or partly signed P-chain transaction. */
export type PlatformDraft = Signing.Draft<'P'>

/** Input for a transaction that the owner of a subnet or validator must authorize. */
export interface Authorized {
  /** The owners that must sign, from the chain's current state. */
  readonly authority: Secp256k1.OutputOwners
}

/** The parts of a transaction that are built before the fields of its type are added. */
export interface Parts {
  readonly base: Pick<Of<'BaseTx'>, 'networkID' | 'blockchainID' | 'outputs' | 'inputs' | 'memo'>
  readonly stake: readonly Stakeable.Out[]
  readonly authorization: { readonly type: 'Input'; readonly signatureIndices: readonly number[] }
}

/** The parts of a transaction that depend on its type. */
export interface Declaration {
  readonly tx: (parts: Parts) => UnsignedTx
  /** AVAX that the transaction burns in addition to the fee. */
  readonly burn?: bigint
  /** Amounts that the transaction creates outside `outputs`. */
  readonly exported?: readonly Share[]
  readonly outputs?: readonly Stakeable.Out[]
  readonly stake?: Share
  readonly authority?: Secp256k1.OutputOwners
  readonly imported?: {
    readonly avax: bigint
    readonly utxos: readonly Coins.AnyUtxo[]
    readonly to: Secp256k1.OutputOwners
  }
}

/** The fields that {@link Parts} provides. */
type Settled<T extends TxType> = keyof Parts['base'] | 'type' | 'stake' | FieldOf<Of<T>, Verifiable>

/** The fields that the caller must pass to the builder of a transaction type. The builder sets all other fields. */
export type Given<T extends TxType, Other extends string = never> = Omit<Of<T>, Settled<T> | Other>

/** Converts owners to the form in P-chain transactions. */
export function asOwner(owners: Secp256k1.OutputOwners): Owner {
  return { type: 'OutputOwners', ...owners }
}

/**
 * Builds a draft from a declaration, and adds the fields that all P-chain types share.
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` with the amounts in `details`
 */
export function build(wallet: PlatformWallet, declaration: Declaration): PlatformDraft {
  const { networkId, memo = new Uint8Array() } = wallet
  const { authority, outputs = [], imported } = declaration
  const signatureIndices = authority ? Shortage.authorize(authority, wallet) : []
  const draft = (spent: Pick<Spend.Spent, 'inputs' | 'change' | 'stake'>): UnsignedTx =>
    declaration.tx({
      base: {
        networkID: networkId,
        blockchainID: Id.EMPTY,
        outputs: Wallet.sortOuts([...outputs, ...spent.change.map(Wallet.out)]),
        inputs: Wallet.sortIns(spent.inputs.map((coin) => inOf(coin, wallet.time))),
        memo,
      },
      stake: Wallet.sortOuts(spent.stake.map(Wallet.out)),
      authorization: { type: 'Input', signatureIndices },
    })
  const tx = draft(
    Wallet.cover(wallet, {
      burn: burned(wallet, declaration),
      stake: declaration.stake ? [declaration.stake] : [],
      meter: meterOf(wallet, draft({ inputs: [], change: [], stake: [] })),
      ...(imported && { received: imported.avax, receivedOwners: imported.to }),
    }),
  )
  return Signing.create('P', tx, { utxos: [...wallet.utxos, ...(imported?.utxos ?? [])], authority })
}

function burned({ avaxAssetId }: PlatformWallet, declaration: Declaration): Share[] {
  const { burn = 0n, exported = [], outputs = [], imported } = declaration
  const made = outputs.map(({ assetID: assetId, output }) => ({
    assetID: assetId,
    amount: output.type === 'LockOut' ? output.output.amount : output.amount,
  }))
  // The imported UTXOs themselves cover imported assets other than AVAX.
  return [{ assetID: avaxAssetId, amount: burn }, ...exported, ...(imported ? [] : made)]
}

/** Returns the input that spends a coin. If the lock has expired, the input needs no lock. */
function inOf(coin: Coins.Chosen, time: bigint): Stakeable.In {
  const plain = Wallet.plainIn(coin)
  return coin.lock <= time
    ? plain
    : { ...plain, input: { type: 'LockIn', locktime: coin.lock, input: plain.input } }
}

function meterOf({ fees, time }: PlatformWallet, draft: UnsignedTx): Spend.Meter {
  if ('fixed' in fees) return { fixed: 0n, input: () => 0n, output: () => 0n, fee: () => fees.fixed }
  const { weights, gasPrice } = fees
  return {
    fixed: Gas.of(Complexity.of(draft), weights),
    input: (coin) => Gas.of(Complexity.inputs([inOf(coin, time)]), weights),
    output: (piece) => Gas.of(Complexity.outputs([Wallet.out(piece)]), weights),
    fee: (gas) => Gas.cost(gas, gasPrice),
  }
}
