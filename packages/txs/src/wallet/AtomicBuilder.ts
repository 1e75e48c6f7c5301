import { Bytes, Id } from '@firn/codec'
import * as AtomicFees from '../atomic/AtomicFees.ts'
import * as AtomicTx from '../atomic/AtomicTx.ts'
import { TxsError } from '../TxsError.ts'
import * as Coins from './Coins.ts'
import * as Signing from './Signing.ts'
import type * as Spend from './Spend.ts'
import * as Wallet from './Wallet.ts'

/**
 * Input for building atomic transactions of the C-chain. `utxos` are the UTXOs that other chains have
 * exported to the C-chain.
 */
export interface AtomicWallet extends Omit<Wallet.Wallet, 'memo' | 'changeOwners'> {
  /** Id of the C-chain. */
  readonly blockchainId: Uint8Array
  /** Base fee in wei per unit of gas. */
  readonly baseFee: bigint
}

/** A C-chain account from which to export. */
export interface Account {
  /** EVM address, 20 bytes. */
  readonly address: Uint8Array
  /** Balance in wei. A remainder below 1 nAVAX is not exported. */
  readonly balance: bigint
  /** The account's next nonce. */
  readonly nonce: bigint
}

/** An unsigned or partly signed atomic transaction. */
export type AtomicDraft = Signing.Draft<'C'>

/**
 * Imports all AVAX that another chain has exported to the wallet. The account `to` (20 bytes) receives the
 * amount minus the fee.
 * @example
 * ```ts
 * import { AtomicBuilder } from '@firn/txs'
 *
 * declare const wallet: AtomicBuilder.AtomicWallet
 * declare const xChainId: Uint8Array
 * declare const account: Uint8Array // EVM address
 * const draft = AtomicBuilder.importFrom(wallet, xChainId, account)
 * ```
 * @throws TxsError `TXS_FUNDS` if there is nothing to import, or no more than the fee
 */
export function importFrom(wallet: AtomicWallet, sourceChain: Uint8Array, to: Uint8Array): AtomicDraft {
  const { networkId, blockchainId, avaxAssetId: assetId } = wallet
  const { inputs: importedInputs, avax } = Wallet.gather(wallet, wallet.utxos, Coins.isOf(assetId))
  const tx = (outputs: readonly AtomicTx.EvmOutput[]) =>
    ({
      type: 'ImportTx',
      networkID: networkId,
      blockchainID: blockchainId,
      sourceChain,
      importedInputs,
      outputs,
    }) as const
  const meter = meterOf(wallet, tx([]), {
    output: AtomicTx.EvmOutput.size({ address: to, amount: avax, assetID: assetId }),
  })
  const { change, fee } = Wallet.cover(wallet, { coins: [], burn: [], received: avax, meter })
  const [rest] = change
  if (rest === undefined) throw nothingLeft(assetId, avax, fee)
  return Signing.create('C', tx([{ address: to, amount: rest.amount, assetID: assetId }]), wallet)
}

/**
 * Exports AVAX from accounts to another chain. Debits each account only by as much as is needed.
 * @example
 * ```ts
 * import { AtomicBuilder, Wallet } from '@firn/txs'
 *
 * declare const wallet: AtomicBuilder.AtomicWallet
 * declare const xChainId: Uint8Array
 * declare const account: AtomicBuilder.Account
 * const payment = { amount: 1_000_000_000n, owners: Wallet.soleOwner(new Uint8Array(20)) }
 * const draft = AtomicBuilder.exportTo(wallet, xChainId, [payment], [account])
 * ```
 * @throws TxsError `TXS_FUNDS` with the amounts in `details`
 */
export function exportTo(
  wallet: AtomicWallet,
  destinationChain: Uint8Array,
  payments: readonly Pick<Wallet.Payment, 'amount' | 'owners'>[],
  accounts: readonly Account[],
): AtomicDraft {
  const { networkId, blockchainId, avaxAssetId: assetId } = wallet
  const exportedOutputs = Wallet.sortOuts(
    Wallet.plainOuts(payments.map((payment) => ({ ...payment, assetID: assetId }))),
  )
  const tx = (inputs: readonly AtomicTx.EvmInput[]) =>
    ({
      type: 'ExportTx',
      networkID: networkId,
      blockchainID: blockchainId,
      destinationChain,
      inputs,
      exportedOutputs,
    }) as const
  const input = AtomicTx.EvmInput.size({
    address: assetId.subarray(12),
    amount: 0n,
    assetID: assetId,
    nonce: 0n,
  })
  const spent = Wallet.cover(
    { ...wallet, addresses: accounts.map(({ address }) => address), time: 0n },
    {
      coins: accounts.map((account) => coinOf(account, assetId)),
      burn: payments.map(({ amount }) => ({ assetID: assetId, amount })),
      meter: meterOf(wallet, tx([]), { input: BigInt(input) + AtomicFees.SIGNATURE_GAS }),
    },
  )
  // Change stays in the account that was selected last, so its debit is reduced by the change.
  const left = spent.change.reduce((sum, { amount }) => sum + amount, 0n)
  const last = spent.inputs.length - 1
  const inputs = spent.inputs.map(({ amount, owners: { addresses } }, i) => {
    const { address, nonce } = accounts.find((account) =>
      Bytes.equals(account.address, addresses[0] as Uint8Array),
    ) as Account
    return { address, amount: i === last ? amount - left : amount, assetID: assetId, nonce }
  })
  return Signing.create('C', tx(inputs.sort((a, b) => Bytes.compare(a.address, b.address))), wallet)
}

function coinOf({ address, balance }: Account, assetId: Uint8Array): Coins.Coin {
  return {
    txID: Id.hash(address),
    outputIndex: 0,
    assetID: assetId,
    amount: balance / AtomicFees.WEI_PER_NAVAX,
    owners: Wallet.soleOwner(address),
    lock: 0n,
  }
}

function meterOf(
  { baseFee }: AtomicWallet,
  unsignedTx: AtomicTx.UnsignedTx,
  { input = 0n, output = 0 }: { readonly input?: bigint; readonly output?: number },
): Spend.Meter {
  return {
    fixed: AtomicFees.gasUsed({ unsignedTx, credentials: [] }),
    input: () => input,
    output: () => BigInt(output),
    fee: (gas) => AtomicFees.dynamicFee(gas, baseFee),
  }
}

function nothingLeft(assetId: Uint8Array, available: bigint, fee: bigint): TxsError {
  const needed = fee + 1n
  const message = `expected more AVAX to import than the fee of ${fee} nAVAX, got ${available} nAVAX`
  return new TxsError('TXS_FUNDS', message, {
    details: { assetId: Id.format(assetId), needed, available, missing: needed - available, fee },
  })
}
