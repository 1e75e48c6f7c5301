import { AtomicBuilder, type Coins } from '@firn/txs'
import * as Inputs from './Inputs.ts'
import { type Context, operation } from './Operation.ts'
import { type Exporting, exportOf } from './payments.ts'

/** The operations of the C-chain that move funds from and to the other chains. */
export const CONTRACT_OPERATIONS = {
  /** Exports AVAX of the signer's accounts to another chain. */
  exportTo: operation(async (context, given: Omit<Exporting<'P' | 'X'>, 'assetId'>) => {
    const { node, accounts, signal } = context
    const [destination, payments] = exportOf(context, given)
    const [wallet, held] = await Promise.all([
      walletOf(context, []),
      Promise.all(accounts.map((address) => node.account(address, signal))),
    ])
    return AtomicBuilder.exportTo(wallet, destination, payments, held)
  }),
  /** Imports all AVAX that another chain exported to the wallet. */
  importFrom: operation(
    async (
      context,
      {
        chain,
        to,
      }: {
        /** Chain that exported. */
        readonly chain: 'P' | 'X'
        /** EVM address that receives the amount. Default: the account of the wallet's first key. */
        readonly to?: string
      },
    ) => {
      const { node, network, addresses, accounts, signal } = context
      const exported = await node.utxos('C', addresses, chain, signal)
      // Builders report a wallet without addresses.
      const target = to === undefined ? (accounts[0] ?? new Uint8Array(20)) : Inputs.evmAddressOf(to)
      return AtomicBuilder.importFrom(await walletOf(context, exported), network.blockchainIds[chain], target)
    },
  ),
}

/** Factor applied to the base fee, so that a transaction stays valid while the fee rises. */
const BID = 2n

async function walletOf(
  { node, network, addresses, time, signal }: Context,
  utxos: readonly Coins.AnyUtxo[],
): Promise<AtomicBuilder.AtomicWallet> {
  const baseFee = BID * (await node.baseFee(signal))
  const { networkId, avaxAssetId, blockchainIds } = network
  return { networkId, avaxAssetId, addresses, time, baseFee, utxos, blockchainId: blockchainIds.C }
}
