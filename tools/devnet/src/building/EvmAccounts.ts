import { EvmGenesis } from '@firn/genesis'
import { EvmAddress } from '@firn/keys'
import { AtomicFees, AtomicTx } from '@firn/txs'
import { DevnetError } from '../DevnetError.ts'
import { key } from '../State.ts'
import { BASE_FEE } from './EvmBlocks.ts'

/** An account of the C-chain. */
export interface Account {
  /** Wei. */
  readonly balance: bigint
  readonly nonce: bigint
}

/** The accounts of the C-chain by address, as `State.key` formats it. */
export type Accounts = ReadonlyMap<string, Account>

/** Returns the accounts in the C-chain's genesis. */
export function create(genesisData: Uint8Array): Accounts {
  const { alloc } = EvmGenesis.parse(genesisData)
  return new Map(alloc.map(({ address, balance, nonce }) => [key(address), { balance, nonce }]))
}

/** Returns an account; an account that does not exist has no balance. */
export function get(accounts: Accounts, address: Uint8Array): Account {
  return accounts.get(key(address)) ?? { balance: 0n, nonce: 0n }
}

/**
 * Returns the accounts after an atomic transaction. An export debits accounts and uses their nonces; an import credits
 * accounts.
 * @throws DevnetError `DEVNET_TRANSACTION` if a nonce is not the next one, or a balance is too low; TxsError `TXS_FUNDS`
 * if the transaction does not pay the base fee
 */
export function apply(accounts: Accounts, tx: AtomicTx.AtomicTx, avaxAssetId: Uint8Array): Accounts {
  AtomicFees.blockFeeContribution(tx, avaxAssetId, BASE_FEE)
  const next = new Map(accounts)
  for (const { address, amount, nonce } of AtomicTx.debited(tx.unsignedTx)) {
    const account = get(next, address)
    const name = EvmAddress.format(address)
    if (account.nonce !== nonce) throw refused(`${name}: expected the nonce ${account.nonce}, got ${nonce}`)
    const balance = account.balance - amount * AtomicFees.WEI_PER_NAVAX
    if (balance < 0n)
      throw refused(`${name}: its balance of ${account.balance} wei is less than ${amount} nAVAX`)
    next.set(key(address), { balance, nonce: nonce + 1n })
  }
  for (const { address, amount } of AtomicTx.credited(tx.unsignedTx)) {
    const account = get(next, address)
    next.set(key(address), { ...account, balance: account.balance + amount * AtomicFees.WEI_PER_NAVAX })
  }
  return next
}

function refused(message: string): DevnetError {
  return new DevnetError('DEVNET_TRANSACTION', message)
}
