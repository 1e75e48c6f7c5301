import { Id } from '@firn/codec'
import { AvmBuilder, type AvmTx, Operations, Signing } from '@firn/txs'
import type {
  BurnPropertyRequest,
  CreateAssetRequest,
  MintPropertyRequest,
  MintRequest,
  MintTokenRequest,
  TransferTokenRequest,
} from './exchangeRequests.ts'
import * as Inputs from './Inputs.ts'
import { type Context, operation, walletOf } from './Operation.ts'
import {
  type ConsolidateRequest,
  consolidationOf,
  type ExportRequest,
  exportOf,
  type ImportRequest,
  ownersOf,
  paymentsOf,
  type TransferRequest,
} from './payments.ts'
import { series } from './Series.ts'

/** The operations of the X-chain. */
export const EXCHANGE_OPERATIONS = {
  /** Transfers AVAX or another asset. */
  transfer: operation(async (context, request: TransferRequest) =>
    AvmBuilder.transfer(await avmWallet(context), paymentsOf(context, 'X', request)),
  ),
  /** Exports AVAX or another asset to another chain. */
  exportTo: operation(async (context, request: ExportRequest<'P' | 'C'>) =>
    AvmBuilder.exportTo(await avmWallet(context), ...exportOf(context, request)),
  ),
  /** Imports all that another chain exported to the wallet and that is worth its fee, in as many transactions as it needs. */
  importFrom: series(async (context, { chain, to }: ImportRequest<'P' | 'C'>) => {
    const { node, network, addresses, signal } = context
    const exported = await node.utxos('X', addresses, chain, signal)
    const source = network.blockchainIds[chain]
    return AvmBuilder.importFrom(await avmWallet(context), source, exported, ownersOf(context, 'X', to))
  }),
  /** Merges the UTXOs of an asset into one, in as many transactions as it needs. */
  consolidate: series(async (context, request: ConsolidateRequest = {}) =>
    AvmBuilder.consolidate(await avmWallet(context), consolidationOf(context, 'X', request)),
  ),
  /** Creates an asset. */
  createAsset: operation(
    async (context, request: CreateAssetRequest) =>
      AvmBuilder.createAsset(await avmWallet(context), {
        name: request.name,
        symbol: request.symbol,
        denomination: request.denomination ?? 0,
        initialStates: initialStates(context, request),
      }),
    (draft) => ({ assetId: Id.format(Signing.id(draft)) }),
  ),
  /** Mints an amount of a fungible asset. */
  mint: operation(async (context, request: MintRequest) =>
    operate(context, (wallet) =>
      Operations.mint(wallet, Inputs.idOf(request.assetId, 'assetId'), {
        amount: request.amount,
        owners: ownersOf(context, 'X', request.to),
      }),
    ),
  ),
  /** Mints a token (NFT) with a payload. */
  mintToken: operation(async (context, request: MintTokenRequest) =>
    operate(context, (wallet) =>
      Operations.mintNft(wallet, Inputs.idOf(request.assetId, 'assetId'), {
        payload: Inputs.bytesOf(request.payload, 'payload'),
        outputs: [ownersOf(context, 'X', request.to)],
        ...(request.groupId === undefined ? {} : { groupId: request.groupId }),
      }),
    ),
  ),
  /** Transfers a token (NFT): the one with the payload, or any. */
  transferToken: operation(async (context, request: TransferTokenRequest) =>
    operate(context, (wallet) =>
      Operations.transferNft(wallet, Inputs.idOf(request.assetId, 'assetId'), {
        to: ownersOf(context, 'X', request.to),
        ...(request.payload === undefined ? {} : { payload: Inputs.bytesOf(request.payload, 'payload') }),
      }),
    ),
  ),
  /** Mints a property. */
  mintProperty: operation(async (context, { assetId, to }: MintPropertyRequest) =>
    operate(context, (wallet) =>
      Operations.mintProperty(wallet, Inputs.idOf(assetId, 'assetId'), ownersOf(context, 'X', to)),
    ),
  ),
  /** Burns a property. */
  burnProperty: operation(async (context, { assetId }: BurnPropertyRequest) =>
    operate(context, (wallet) => Operations.burnProperty(wallet, Inputs.idOf(assetId, 'assetId'))),
  ),
}

/** Reads what building an X-chain transaction needs. */
async function avmWallet(context: Context): Promise<AvmBuilder.AvmWallet> {
  const { node, network, addresses, signal } = context
  const [fees, utxos] = await Promise.all([
    node.avmFees(signal),
    node.utxos('X', addresses, undefined, signal),
  ])
  return { ...walletOf(context), fees, utxos, blockchainId: network.blockchainIds.X }
}

async function operate(
  context: Context,
  make: (wallet: AvmBuilder.AvmWallet) => AvmTx.Operation,
): Promise<AvmBuilder.AvmDraft> {
  const wallet = await avmWallet(context)
  return AvmBuilder.operate(wallet, [make(wallet)])
}

/** Returns the initial states of an asset, by the index of the feature extension: amounts, tokens, properties. */
function initialStates(
  context: Context,
  { holders = [], minters = [], tokenMinters = [], propertyMinters = [] }: CreateAssetRequest,
): AvmTx.Of<'CreateAssetTx'>['initialStates'] {
  const owners = (receiver: Inputs.Receiver) => ownersOf(context, 'X', receiver)
  const states = [
    [
      ...holders.map(({ to, amount }) => ({ type: 'TransferOutput' as const, amount, ...owners(to) })),
      ...minters.map((one) => ({ type: 'MintOutput' as const, ...owners(one) })),
    ],
    tokenMinters.map((one, group) => ({ type: 'NftMintOutput' as const, groupID: group, ...owners(one) })),
    propertyMinters.map((one) => ({ type: 'PropertyMintOutput' as const, ...owners(one) })),
  ]
  return states.flatMap((outputs, fxIndex) => (outputs.length === 0 ? [] : [{ fxIndex, outputs }]))
}
