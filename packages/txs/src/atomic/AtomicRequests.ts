import * as UtxoId from '../avax/UtxoId.ts'
import type * as AtomicTx from './AtomicTx.ts'
import * as AtomicUtxo from './AtomicUtxo.ts'

/** A UTXO as it is put into the memory that two chains share. */
export interface Element {
  /** The UTXO's input id, 32 bytes. */
  readonly key: Uint8Array
  /** The UTXO's bytes. */
  readonly value: Uint8Array
  /** The addresses (20 bytes each) under which it is found. */
  readonly traits: readonly Uint8Array[]
}

/** What an accepted transaction does to the memory that the C-chain shares with `chainID`. */
export interface AtomicRequests {
  readonly chainId: Uint8Array
  /** Input ids of the UTXOs that an import takes out. */
  readonly remove: readonly Uint8Array[]
  /** The UTXOs that an export puts in. */
  readonly put: readonly Element[]
}

/** What a transaction, whose id is `txID`, does to shared memory. */
export function of(tx: AtomicTx.AtomicTx, txId: Uint8Array): AtomicRequests {
  const { unsignedTx } = tx
  if (unsignedTx.type === 'ImportTx') {
    return { chainId: unsignedTx.sourceChain, remove: unsignedTx.importedInputs.map(UtxoId.inputId), put: [] }
  }
  const put = AtomicUtxo.of(tx, txId).map((utxo) => ({
    key: UtxoId.inputId(utxo),
    value: AtomicUtxo.encode(utxo),
    traits: utxo.output.addresses,
  }))
  return { chainId: unsignedTx.destinationChain, remove: [], put }
}

/**
 * Ids (32 bytes each) of what a transaction spends, by which the node finds conflicts: input ids of imported UTXOs; of an
 * export the nonce (8 bytes), the length 20 (4 bytes) and the address of each account.
 */
export function spent({ unsignedTx }: AtomicTx.AtomicTx): Uint8Array[] {
  if (unsignedTx.type === 'ImportTx') return unsignedTx.importedInputs.map(UtxoId.inputId)
  return unsignedTx.inputs.map(({ nonce, address }) => {
    const id = new Uint8Array(32)
    const view = new DataView(id.buffer)
    view.setBigUint64(0, nonce)
    view.setUint32(8, address.length)
    id.set(address, 12)
    return id
  })
}
