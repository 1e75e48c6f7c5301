import { AtomicBuilder, type Coins } from '@firn/txs'
import { BID, UNCHECKED_BALANCE } from './evmAmounts.ts'
import * as Inputs from './Inputs.ts'
import { type Context, operation, walletOf } from './Operation.ts'
import { type EvmExportRequest, type EvmImportRequest, exportOf } from './payments.ts'
import { series } from './Series.ts'

/** The operations of the C-chain that move funds from and to the other chains. */
export const CONTRACT_OPERATIONS = {
  /** Exports AVAX of the signer's accounts to another chain. */
  exportTo: operation(async (context, { nonce, ...request }: EvmExportRequest<'P' | 'X'>) => {
    const [destination, payments] = exportOf(context, request)
    const [wallet, held] = await Promise.all([atomicWallet(context, []), accountsOf(context, nonce)])
    return AtomicBuilder.exportTo(wallet, destination, payments, held)
  }),
  /** Imports all AVAX that another chain exported to the wallet and that is worth its fee, in as many transactions as it needs. */
  importFrom: series(async (context, { chain, to }: EvmImportRequest) => {
    const { node, network, addresses, accounts, signal } = context
    const exported = await node.utxos('C', addresses, chain, signal)
    // Builders report a wallet without addresses.
    const target = to === undefined ? (accounts[0] ?? new Uint8Array(20)) : Inputs.evmAddressOf(to)
    return AtomicBuilder.importFrom(
      await atomicWallet(context, exported),
      network.blockchainIds[chain],
      target,
    )
  }),
}

/** Returns the accounts that may pay: the first one if its nonce is given, otherwise all. */
async function accountsOf(
  { node, accounts, signal }: Context,
  nonce: bigint | undefined,
): Promise<readonly AtomicBuilder.Account[]> {
  if (nonce === undefined) return Promise.all(accounts.map((address) => node.account(address, signal)))
  return accounts.slice(0, 1).map((address) => ({ address, nonce, balance: UNCHECKED_BALANCE }))
}

async function atomicWallet(
  context: Context,
  utxos: readonly Coins.AnyUtxo[],
): Promise<AtomicBuilder.AtomicWallet> {
  const { node, network, time, signal } = context
  const [baseFee, heliconTime] = await Promise.all([node.baseFee(signal), node.heliconTime?.(signal)])
  return {
    ...walletOf(context),
    baseFee: BID * baseFee,
    utxos,
    blockchainId: network.blockchainIds.C,
    isHeliconActive: heliconTime !== undefined && heliconTime <= time,
  }
}
