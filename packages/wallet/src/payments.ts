import type { ChainAlias } from '@firn/codec'
import { type Secp256k1, Wallet } from '@firn/txs'
import * as Inputs from './Inputs.ts'
import type { Context } from './Operation.ts'
import type { SeriesRequest } from './Series.ts'

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
export type TransferRequest = Payment | readonly Payment[]

/** An amount that is exported, and its receiver on the other chain. */
export interface ExportedPayment {
  /** Amount in nAVAX, or in units of the asset. */
  readonly amount: bigint
  /** Receiver, with an address of the other chain: on the C-chain, `C-avax1…`. Default: the wallet's first address. */
  readonly to?: Inputs.Receiver
  /** Asset. Default: AVAX. */
  readonly assetId?: Inputs.IdInput
}

/** One amount that is exported to another chain, or several. */
export type ExportRequest<Chain extends ChainAlias> = {
  /** Chain that imports. */
  readonly chain: Chain
} & (ExportedPayment | { readonly payments: readonly ExportedPayment[] })

/** An amount of AVAX that an account of the C-chain exports. */
export type EvmExportedPayment = Omit<ExportedPayment, 'assetId'>

/** Amounts of AVAX that an account of the C-chain exports to another chain. */
export type EvmExportRequest<Chain extends ChainAlias> = {
  /** Chain that imports. */
  readonly chain: Chain
} & (EvmExportedPayment | { readonly payments: readonly EvmExportedPayment[] }) & {
    /**
     * Next nonce of the wallet's first account, for a node that does not know the accounts of the C-chain. The account's
     * balance is not checked then. Default: nonces and balances of all accounts are read from the node.
     */
    readonly nonce?: bigint
  }

/** An import of all that another chain exported to the wallet and that is worth its fee. */
export interface ImportRequest<Chain extends ChainAlias> extends SeriesRequest {
  /** Chain that exported. */
  readonly chain: Chain
  /** Receiver. Default: the wallet's first address. */
  readonly to?: Inputs.Receiver
}

/**
 * An import of all AVAX that another chain exported to the wallet and that is worth its fee, to an account on the C-chain.
 */
export interface EvmImportRequest extends SeriesRequest {
  /** Chain that exported. */
  readonly chain: 'P' | 'X'
  /** EVM address of the account. Default: the account of the wallet's first key. */
  readonly to?: string
}

/** UTXOs of one asset to merge into one. */
export interface ConsolidateRequest extends SeriesRequest {
  /** Asset. Default: AVAX. */
  readonly assetId?: Inputs.IdInput
  /** Receiver. Default: the wallet's first address. */
  readonly to?: Inputs.Receiver
}

/** Returns what a builder consolidates. */
export function consolidationOf(context: Context, chain: 'P' | 'X', { assetId, to }: ConsolidateRequest) {
  return {
    assetID: assetOf(context, assetId),
    ...(to === undefined ? {} : { to: ownersOf(context, chain, to) }),
  }
}

/** Returns the owners that a receiver on a chain names. By default, the wallet's first address is the sole owner. */
export function ownersOf(
  { network: { hrp }, addresses, accountOwners }: Context,
  chain: ChainAlias,
  receiver: Inputs.Receiver | undefined,
): Secp256k1.OutputOwners {
  if (receiver !== undefined) return Inputs.ownersOf(receiver, { hrp, chain })
  const [first] = (chain === 'C' ? accountOwners : undefined) ?? addresses
  // Builders report a wallet without addresses.
  return Wallet.soleOwner(first ?? new Uint8Array(0))
}

function assetOf({ network: { avaxAssetId } }: Context, assetId: Inputs.IdInput | undefined): Uint8Array {
  return assetId === undefined ? avaxAssetId : Inputs.idOf(assetId, 'assetId')
}

/** Returns payments on a chain in the form of builders. */
export function paymentsOf(
  context: Context,
  chain: ChainAlias,
  request: TransferRequest,
): readonly Wallet.Payment[] {
  const payments: readonly Payment[] = 'to' in request ? [request] : request
  return payments.map(({ to, amount, assetId, lock }) => ({
    owners: ownersOf(context, chain, to),
    amount,
    assetID: assetOf(context, assetId),
    ...(lock === undefined ? {} : { lock }),
  }))
}

/** Returns the id of the chain to which is exported, and the payments. */
export function exportOf(
  context: Context,
  { chain, ...request }: ExportRequest<ChainAlias>,
): [destination: Uint8Array, payments: readonly Wallet.Payment[]] {
  const payments = 'payments' in request ? request.payments : [request]
  return [
    context.network.blockchainIds[chain],
    payments.map(({ amount, to, assetId }) => ({
      owners: ownersOf(context, chain, to),
      amount,
      assetID: assetOf(context, assetId),
    })),
  ]
}
