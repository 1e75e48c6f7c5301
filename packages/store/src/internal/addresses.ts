import { Records } from '@firn/ledger'
import { AtomicTx } from '@firn/txs'

/** Returns the addresses of the owners of an output. */
export function addressesOf(output: Records.Output): readonly Uint8Array[] {
  return Records.unlocked(output).addresses
}

/** Returns the EVM accounts that an atomic transaction debits or credits. */
export function evmAddresses(bytes: Uint8Array): readonly Uint8Array[] {
  const { unsignedTx } = AtomicTx.decode(bytes)
  const accounts = [...AtomicTx.credited(unsignedTx), ...AtomicTx.debited(unsignedTx)]
  return accounts.map(({ address }) => address)
}
