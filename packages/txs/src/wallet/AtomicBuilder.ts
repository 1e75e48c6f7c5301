import { Bytes, Id } from '@firn/codec'
import * as AtomicFees from '../atomic/AtomicFees.ts'
import * as AtomicTx from '../atomic/AtomicTx.ts'
import { TxsError } from '../TxsError.ts'
import * as Coins from './Coins.ts'
import * as Signing from './Signing.ts'
import type * as Spend from './Spend.ts'
import * as Wallet from './Wallet.ts'

/** Input for atomic transactions of the C-chain; `utxos` are those that other chains have exported to it. */
export interface AtomicWallet extends Omit<Wallet.Wallet, 'memo' | 'changeOwners'> {
  /** The C-chain's id. */
  readonly blockchainId: Uint8Array
  /** Wei per unit of gas. */
  readonly baseFee: bigint
}

/** An account of the C-chain from which to export. */
export interface Account {
  /** EVM address, 20 bytes. */
  readonly address: Uint8Array
  /** In wei; a remainder below 1 nAVAX stays. */
  readonly balance: bigint
  /** The account's next nonce. */
  readonly nonce: bigint
}

/** An unsigned or partly signed atomic transaction. */
export type AtomicDraft = Signing.Draft<'C'>

/**
 * Imports all AVAX that another chain has exported to the wallet; the account `to` (20 bytes) gets it minus
 * the fee.
 * @throws TxsError `TXS_FUNDS`: nothing to import, or no more than the fee
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
 * Exports AVAX from accounts to another chain, taking as much as needed from each.
 * @throws TxsError `TXS_FUNDS` with the numbers
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
  // An account gives only what is needed: change stays in the account that was selected last.
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
  return new TxsError('TXS_FUNDS', `expected more than the fee of the import, got ${available} nAVAX`, {
    details: { assetID: Id.format(assetId), needed, available, missing: needed - available, fee },
  })
}
