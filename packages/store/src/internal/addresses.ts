import { Records } from '@firn/ledger'
import { AtomicTx } from '@firn/txs'

/** The owners of an output. */
export function addressesOf(output: Records.Output): readonly Uint8Array[] {
  return Records.unlocked(output).addresses
}

/** The accounts that an atomic transaction takes from or gives to. */
export function evmAddresses(bytes: Uint8Array): readonly Uint8Array[] {
  const { unsignedTx } = AtomicTx.decode(bytes)
  const accounts = [...AtomicTx.credited(unsignedTx), ...AtomicTx.debited(unsignedTx)]
  return accounts.map(({ address }) => address)
}
