import { Bytes, Id } from '@firn/codec'
import * as AtomicFees from '../atomic/AtomicFees.ts'
import * as AtomicSyntax from '../atomic/AtomicSyntax.ts'
import * as AtomicTx from '../atomic/AtomicTx.ts'
import * as Complexity from '../platform/Complexity.ts'
import * as Coins from './Coins.ts'
import * as Given from './Given.ts'
import { gathering } from './gathering.ts'
import * as Limits from './Limits.ts'
import * as Selection from './Selection.ts'
import * as Signing from './Signing.ts'
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
  /** Whether Helicon is active, which raises the limits of a transaction. Default: false. */
  readonly isHeliconActive?: boolean | undefined
  /** Id of the X-chain. If given, the other chain must be the P-chain or the X-chain. */
  readonly xChainId?: Uint8Array | undefined
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

/** A draft that takes as many coins as fit and are worth it, with those that it left. */
export type GatheringDraft = AtomicDraft & { readonly left: readonly Selection.Left[] }

/**
 * Imports AVAX that another chain has exported to the wallet: the most valuable UTXOs first, without those that are worth
 * less than the fee for spending them, and as many as fit into one transaction. `left` has the others; call it again with
 * those that did not fit. The account `to` (20 bytes) receives the amount minus the fee.
 * @example
 * ```ts
 * import { AtomicBuilder } from '@firn/txs'
 *
 * declare const wallet: AtomicBuilder.AtomicWallet
 * declare const xChainId: Uint8Array
 * declare const account: Uint8Array // EVM address
 * const draft = AtomicBuilder.importFrom(wallet, xChainId, account)
 * ```
 * @throws TxsError `TXS_EMPTY`, `TXS_LOCKED`, `TXS_SIGNERS` if there is nothing that the wallet can import now, `TXS_DUST` if
 * it is worth less than the fee
 */
export function importFrom(wallet: AtomicWallet, sourceChain: Uint8Array, to: Uint8Array): GatheringDraft {
  return Given.checked(() => {
    assertWallet(wallet)
    Given.assertBytes(to, 'to', 20)
    const { avaxAssetId: assetId } = wallet
    const importing = (importedInputs: readonly Wallet.PlainIn[], outputs: readonly AtomicTx.EvmOutput[]) =>
      ({ type: 'ImportTx', ...chainOf(wallet), sourceChain, importedInputs, outputs }) as const
    const { chosen, left } = Selection.gather(
      gathering({ ...wallet, utxos: [] }, meterOf(wallet, importing([], [])), {
        purpose: 'import',
        coins: Coins.of(wallet.utxos),
        isIncluded: Coins.isOf(assetId),
        to: Wallet.soleOwner(to),
      }),
    )
    const { inputs, avax } = Wallet.imported(wallet, chosen)
    const credit = (amount: bigint) => importing(inputs, [{ address: to, amount, assetID: assetId }])
    const { fixed, fee } = meterOf(wallet, credit(avax))
    return { ...finish(wallet, credit(avax - fee(fixed.gas)), sourceChain), left }
  })
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
 * @throws TxsError `TXS_FUNDS` with the amounts in `details`; `TXS_INPUT` for a payment of another asset
 */
export function exportTo(
  wallet: AtomicWallet,
  destinationChain: Uint8Array,
  payments: readonly Pick<Wallet.Payment, 'amount' | 'owners'>[],
  accounts: readonly Account[],
): AtomicDraft {
  return Given.checked(() => {
    assertWallet(wallet)
    accounts.forEach(assertAccount)
    const { avaxAssetId: assetId } = wallet
    for (const [i, payment] of payments.entries()) Given.assertAvax(payment, assetId, `payments[${i}]`)
    const exportedOutputs = Wallet.sortOuts(
      Wallet.plainOuts(payments.map((payment) => ({ ...payment, assetID: assetId }))),
    )
    const tx = (inputs: readonly AtomicTx.EvmInput[]) =>
      ({ type: 'ExportTx', ...chainOf(wallet), destinationChain, inputs, exportedOutputs }) as const
    const spent = Selection.cover({
      ...Wallet.source({ ...wallet, addresses: accounts.map(({ address }) => address), time: 0n }),
      coins: accounts.map((account) => coinOf(account, assetId)),
      burn: payments.map(({ amount }) => ({ assetID: assetId, amount })),
      stake: [],
      received: 0n,
      // A debit has the address, the amount, the asset and the nonce. Change stays in the account, without an output.
      meter: { ...meterOf(wallet, tx([])), input: () => DEBIT, output: () => NOTHING },
    })
    // Change stays in the account that was selected last, so its debit is reduced by the change.
    const left = Coins.total(spent.change)
    const last = spent.inputs.length - 1
    const inputs = spent.inputs.map(({ amount, owners: { addresses } }, i) => {
      const { address, nonce } = accounts.find((account) =>
        Bytes.equals(account.address, addresses[0] as Uint8Array),
      ) as Account
      return { address, amount: i === last ? amount - left : amount, assetID: assetId, nonce }
    })
    const sorted = inputs.sort((a, b) => Bytes.compare(a.address, b.address))
    return finish(wallet, tx(sorted), destinationChain)
  })
}

const NOTHING: Limits.Cost = { gas: 0n, bytes: 0n }
/** Cost of a debit with its signature. */
const DEBIT: Limits.Cost = { gas: 68n + AtomicFees.SIGNATURE_GAS, bytes: 68n + 8n + 65n }
/** Size of a credit: address, amount and asset. */
const CREDIT = 60n

function assertWallet(wallet: AtomicWallet): void {
  Given.assertWallet(wallet)
  Given.assertBytes(wallet.blockchainId, 'wallet.blockchainId', 32)
  Given.assertU64(wallet.baseFee, 'wallet.baseFee')
}

function assertAccount({ address, nonce, balance }: Account, index: number): void {
  Given.assertBytes(address, `accounts[${index}].address`, 20)
  Given.assertU64(nonce, `accounts[${index}].nonce`)
  if (typeof balance !== 'bigint') Given.assertU64(balance, `accounts[${index}].balance`)
}

function chainOf({ networkId, blockchainId }: AtomicWallet) {
  return { networkID: networkId, blockchainID: blockchainId }
}

/** Checks a transaction as nodes do, and returns its draft. */
function finish(wallet: AtomicWallet, tx: AtomicTx.UnsignedTx, otherChain: Uint8Array): AtomicDraft {
  AtomicSyntax.assertValid(tx, { ...wallet, xChainId: wallet.xChainId ?? otherChain })
  const { fixed, limit } = meterOf(wallet, tx)
  Limits.assertWithin(fixed, limit)
  return Signing.create('C', tx, wallet)
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

/** Returns how the cost grows from a transaction without imported inputs and credits. */
function meterOf(
  { baseFee, isHeliconActive = false }: AtomicWallet,
  unsignedTx: AtomicTx.UnsignedTx,
): Selection.Meter {
  const bytes = Limits.signedSize('C', unsignedTx)
  return {
    fixed: { gas: AtomicFees.gasUsed({ unsignedTx, credentials: [] }), bytes },
    input(coin) {
      const signatures = BigInt(coin.signatureIndices.length)
      const { bandwidth } = Complexity.inputs([Wallet.plainIn(coin)])
      const unsigned = BigInt(AtomicTx.In.size(Wallet.plainIn(coin)))
      return { gas: unsigned + signatures * AtomicFees.SIGNATURE_GAS, bytes: bandwidth }
    },
    output: () => ({ gas: CREDIT, bytes: CREDIT }),
    fee: (gas) => AtomicFees.dynamicFee(gas, baseFee),
    limit: isHeliconActive ? Limits.ATOMIC.helicon : Limits.ATOMIC.beforeHelicon,
  }
}
