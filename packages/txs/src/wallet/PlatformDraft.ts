import { Id } from '@firn/codec'
import type { Share } from '../avax/Flow.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import type { FieldOf } from '../internal/Registry.ts'
import * as Complexity from '../platform/Complexity.ts'
import * as Gas from '../platform/Gas.ts'
import * as PlatformSyntax from '../platform/PlatformSyntax.ts'
import type * as Stakeable from '../platform/Stakeable.ts'
import type { Owner } from '../platform/StakerTx.ts'
import type { Of, TxType, UnsignedTx } from '../platform/UnsignedTx.ts'
import type { Verifiable } from '../platform/Verifiable.ts'
import { TxsError } from '../TxsError.ts'
import type * as Coins from './Coins.ts'
import * as Given from './Given.ts'
import * as Limits from './Limits.ts'
import * as Selection from './Selection.ts'
import * as Shortage from './Shortage.ts'
import * as Signing from './Signing.ts'
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
      /** The network's gas capacity, which a transaction must not exceed. Default: 1,000,000, as on Mainnet and Fuji. */
      readonly capacity?: bigint
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
  /** Returns the AVAX that the transaction burns in addition to the fee. Called after the values are checked. */
  readonly burn?: () => bigint
  /** Returns amounts that the transaction creates outside `outputs`. Called after the values are checked. */
  readonly exported?: () => readonly Share[]
  readonly outputs?: readonly Stakeable.Out[]
  readonly stake?: Share
  readonly authority?: Secp256k1.OutputOwners
  /** Coins that are spent in any case, and the owners who receive what remains of them. */
  readonly required?: { readonly coins: readonly Coins.Chosen[]; readonly to: Secp256k1.OutputOwners }
  readonly imported?: {
    readonly avax: bigint
    readonly utxos: readonly Coins.AnyUtxo[]
    readonly to: Secp256k1.OutputOwners
  }
}

/** The fields that {@link Parts} provides. */
type Settled<T extends TxType> = keyof Parts['base'] | 'type' | 'stake' | FieldOf<Of<T>, Verifiable>

/** The fields that the caller must pass to the builder of a transaction type. The builder sets all other fields. */
export type Fields<T extends TxType, Other extends string = never> = Omit<Of<T>, Settled<T> | Other>

/** Converts owners to the form in P-chain transactions. */
export function asOwner(owners: Secp256k1.OutputOwners): Owner {
  return { type: 'OutputOwners', ...owners }
}

/**
 * Builds a draft from a declaration, and adds the fields that all P-chain types share. Checks the result as nodes do.
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` with the amounts in `details`; `TXS_LIMIT`; `TXS_INPUT` and the
 * errors of `PlatformSyntax.assertValid` for invalid arguments; CodecError for values of a wrong type
 */
export function build(wallet: PlatformWallet, declare: () => Declaration): PlatformDraft {
  return Given.checked(() => {
    assertWallet(wallet)
    const declaration = declare()
    const { authority, stake, required, imported } = declaration
    const assemble = assembler(wallet, declaration)
    // Encodes the transaction, which checks the types of all values before they are added up.
    const meter = meterOf(wallet, assemble({ inputs: [], change: [], stake: [] }))
    const spent = Selection.cover({
      ...Wallet.source(wallet),
      meter,
      burn: burned(wallet, declaration),
      stake: stake ? [stake] : [],
      received: imported?.avax ?? 0n,
      ...(imported && { receivedOwners: imported.to }),
      ...(required && { required: required.coins, receivedOwners: required.to }),
    })
    const tx = assemble(spent)
    PlatformSyntax.assertValid(tx, wallet)
    Limits.assertWithin(meterOf(wallet, tx).fixed, meter.limit)
    return Signing.create('P', tx, { utxos: [...wallet.utxos, ...(imported?.utxos ?? [])], authority })
  })
}

/**
 * Checks the types of what a wallet has.
 * @throws TxsError `TXS_INPUT`, `TXS_MEMO`
 */
export function assertWallet(wallet: PlatformWallet): void {
  Given.assertWallet(wallet)
  const { fees } = wallet
  if ('fixed' in fees) {
    Given.assertU64(fees.fixed, 'wallet.fees.fixed')
    return
  }
  // Fees are dynamic since Etna, and Durango came before it.
  assertNoMemo(wallet.memo)
  Given.assertU64(fees.gasPrice, 'wallet.fees.gasPrice')
  for (const name of ['bandwidth', 'dbRead', 'dbWrite', 'compute'] as const)
    Given.assertU64(fees.weights[name], `wallet.fees.weights.${name}`)
  if (fees.capacity !== undefined) Given.assertU64(fees.capacity, 'wallet.fees.capacity')
}

function assertNoMemo(memo: Uint8Array = new Uint8Array()): void {
  if (memo.length === 0) return
  const message = `expected an empty memo, which the P-chain requires since Durango, got ${memo.length} bytes`
  throw new TxsError('TXS_MEMO', message, { details: { maximum: 0, actual: memo.length } })
}

/** Returns the function that makes the transaction with what was selected. */
export function assembler(
  wallet: PlatformWallet,
  { tx, authority, outputs = [] }: Pick<Declaration, 'tx' | 'authority' | 'outputs'>,
) {
  const { networkId, memo = new Uint8Array(), time } = wallet
  if (authority !== undefined) Given.assertOwners(authority, 'authority')
  const signatureIndices = authority ? Shortage.authorize(authority, wallet) : []
  return (spent: Pick<Selection.Spent, 'inputs' | 'change' | 'stake'>): UnsignedTx =>
    tx({
      base: {
        networkID: networkId,
        blockchainID: Id.EMPTY,
        outputs: Wallet.sortOuts([...outputs, ...spent.change.map(Wallet.out)]),
        inputs: Wallet.sortIns(spent.inputs.map((coin) => inOf(coin, time))),
        memo,
      },
      stake: Wallet.sortOuts(spent.stake.map(Wallet.out)),
      // Plain JavaScript may omit the owners, who must sign each transaction that has an authorization.
      get authorization() {
        Given.assertOwners(authority, 'authority')
        return { type: 'Input', signatureIndices } as const
      },
    })
}

function burned({ avaxAssetId }: PlatformWallet, declaration: Declaration): Share[] {
  const { burn, exported, outputs = [], imported } = declaration
  const made = outputs.map(({ assetID: assetId, output }) => ({
    assetID: assetId,
    amount: output.type === 'LockOut' ? output.output.amount : output.amount,
  }))
  return [
    { assetID: avaxAssetId, amount: burn?.() ?? 0n },
    ...(exported?.() ?? []),
    // The imported UTXOs themselves cover imported assets other than AVAX.
    ...(imported ? [] : made),
  ]
}

/** Returns the input that spends a coin. If the lock has expired, the input needs no lock. */
function inOf(coin: Coins.Chosen, time: bigint): Stakeable.In {
  const plain = Wallet.plainIn(coin)
  return coin.lock <= time
    ? plain
    : { ...plain, input: { type: 'LockIn', locktime: coin.lock, input: plain.input } }
}

/**
 * Returns how the cost grows from a transaction without inputs.
 * @throws CodecError for values of a wrong type
 */
export function meterOf({ fees, time }: PlatformWallet, tx: UnsignedTx): Selection.Meter {
  const bytes = Limits.signedSize('P', tx)
  const gas = (complexity: Gas.Dimensions) => ('fixed' in fees ? 0n : Gas.of(complexity, fees.weights))
  const cost = (complexity: Gas.Dimensions) => ({ gas: gas(complexity), bytes: complexity.bandwidth })
  const capacity = 'fixed' in fees ? undefined : (fees.capacity ?? Limits.PLATFORM_CAPACITY)
  return {
    fixed: { gas: 'fixed' in fees ? 0n : gas(Complexity.of(tx)), bytes },
    input: (coin) => cost(Complexity.inputs([inOf(coin, time)])),
    output: (piece) => cost(Complexity.outputs([Wallet.out(piece)])),
    fee: (gas) => ('fixed' in fees ? fees.fixed : Gas.cost(gas, fees.gasPrice)),
    limit: Limits.platform(capacity),
  }
}
