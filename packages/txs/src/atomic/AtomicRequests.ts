import * as Utxo from '../avax/Utxo.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import * as AtomicTx from './AtomicTx.ts'
import * as AtomicUtxo from './AtomicUtxo.ts'

/** A UTXO in the memory that two chains share (avalanchego's atomic `Element`). */
export interface Element {
  /** The UTXO's input id (32 bytes). */
  readonly key: Uint8Array
  /** The encoded UTXO. */
  readonly value: Uint8Array
  /** Addresses (20 bytes each) under which the UTXO is indexed. */
  readonly traits: readonly Uint8Array[]
}

/** The effects of an accepted transaction on the memory that the C-chain shares with `chainId`. */
export interface AtomicRequests {
  readonly chainId: Uint8Array
  /** Input ids of the UTXOs that an import removes. */
  readonly remove: readonly Uint8Array[]
  /** The UTXOs that an export adds. */
  readonly put: readonly Element[]
}

/**
 * Returns the effects of the transaction with id `txId` on shared memory.
 * @example
 * ```ts
 * import { AtomicRequests, AtomicTx } from '@firn/txs'
 *
 * declare const bytes: Uint8Array // an atomic transaction
 * const { chainId, put, remove } = AtomicRequests.of(AtomicTx.decode(bytes), AtomicTx.id(bytes))
 * ```
 */
export function of({ unsignedTx }: AtomicTx.AtomicTx, txId: Uint8Array): AtomicRequests {
  const requests = REQUESTS[unsignedTx.type] as Requests<AtomicTx.TxType>
  return requests(unsignedTx, txId)
}

type Requests<T extends AtomicTx.TxType> = (tx: AtomicTx.Of<T>, txId: Uint8Array) => AtomicRequests

const REQUESTS: { readonly [T in AtomicTx.TxType]: Requests<T> } = {
  ImportTx: ({ sourceChain, importedInputs }) => ({
    chainId: sourceChain,
    remove: importedInputs.map(UtxoId.inputId),
    put: [],
  }),
  ExportTx: ({ destinationChain, exportedOutputs }, txId) => ({
    chainId: destinationChain,
    remove: [],
    put: Utxo.of(txId, exportedOutputs).map((utxo) => ({
      key: UtxoId.inputId(utxo),
      value: AtomicUtxo.encode(utxo),
      traits: utxo.output.addresses,
    })),
  }),
}

/**
 * Returns the ids (32 bytes each) of everything that a transaction spends. The node uses these ids to detect
 * conflicts. For an import, they are the input ids of the UTXOs. For an export, each id consists of the nonce
 * (8 bytes), the number 20 (4 bytes) and the account's address.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { AtomicRequests, type AtomicTx } from '@firn/txs'
 *
 * declare const a: AtomicTx.AtomicTx, b: AtomicTx.AtomicTx
 * const ids = new Set(AtomicRequests.spent(a).map(Hex.encode))
 * const isConflict = AtomicRequests.spent(b).some((id) => ids.has(Hex.encode(id)))
 * ```
 */
export function spent({ unsignedTx }: AtomicTx.AtomicTx): Uint8Array[] {
  const imported = AtomicTx.imported(unsignedTx)?.inputs ?? []
  return [...imported.map(UtxoId.inputId), ...AtomicTx.debited(unsignedTx).map(accountId)]
}

function accountId({ nonce, address }: AtomicTx.EvmInput): Uint8Array {
  const id = new Uint8Array(32)
  const view = new DataView(id.buffer)
  view.setBigUint64(0, nonce)
  view.setUint32(8, address.length)
  id.set(address, 12)
  return id
}
