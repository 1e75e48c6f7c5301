import type { ChainAlias } from '@firn/codec'
import { type Secp256k1, Wallet } from '@firn/txs'
import * as Inputs from './Inputs.ts'
import type { Context } from './Operation.ts'

/** An amount and its receiver. */
export interface Payment {
  readonly to: Inputs.Receiver
  /** Amount in nAVAX, or in units of the asset. */
  readonly amount: bigint
  /** Asset. Default: AVAX. */
  readonly assetId?: Inputs.IdInput
  /** Unix time in seconds before which the output can only be staked (P-chain only). */
  readonly lock?: bigint
}

/** One payment, or several in one transaction. */
export type Paying = Payment | readonly Payment[]

/** An amount that is exported to another chain. */
export interface Exporting<Chain extends ChainAlias> {
  readonly chain: Chain
  /** Amount in nAVAX, or in units of the asset. */
  readonly amount: bigint
  /** Receiver, with an address of the other chain: on the C-chain, `C-avax1…`. Default: the wallet's first address. */
  readonly to?: Inputs.Receiver
  /** Asset. Default: AVAX. */
  readonly assetId?: Inputs.IdInput
}

/** An import of all that another chain exported to the wallet. */
export interface Importing<Chain extends ChainAlias> {
  /** Chain that exported. */
  readonly chain: Chain
  /** Receiver. Default: the wallet's first address. */
  readonly to?: Inputs.Receiver
}

/** Returns the wallet's first address as the sole owner. */
export function ownOwners({ addresses: [first] }: Context): Secp256k1.OutputOwners {
  // Builders report a wallet without addresses.
  return Wallet.soleOwner(first ?? new Uint8Array(0))
}

/** Returns payments on a chain in the form of builders. */
export function paymentsOf(
  { network: { hrp, avaxAssetId } }: Context,
  chain: ChainAlias,
  given: Paying,
): readonly Wallet.Payment[] {
  const payments: readonly Payment[] = 'to' in given ? [given] : given
  return payments.map(({ to, amount, assetId, lock }) => ({
    owners: Inputs.ownersOf(to, { hrp, chain }),
    amount,
    assetID: assetId === undefined ? avaxAssetId : Inputs.idOf(assetId, 'assetId'),
    ...(lock === undefined ? {} : { lock }),
  }))
}

/** Returns the id of the chain to which is exported, and the payment. */
export function exportOf(
  context: Context,
  { chain, amount, to, assetId }: Exporting<ChainAlias>,
): [destination: Uint8Array, payments: readonly Wallet.Payment[]] {
  const { hrp, avaxAssetId, blockchainIds } = context.network
  const owners = to === undefined ? ownOwners(context) : Inputs.ownersOf(to, { hrp, chain })
  const asset = assetId === undefined ? avaxAssetId : Inputs.idOf(assetId, 'assetId')
  return [blockchainIds[chain], [{ owners, amount, assetID: asset }]]
}
