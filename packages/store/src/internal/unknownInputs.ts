import { Bytes, type ChainAlias, Hex, isFirnError } from '@firn/codec'
import { AvmTx, Credentials, PlatformTx, Stakeable, UnsignedTx, UtxoId } from '@firn/txs'

/**
 * An output of the C-chain that a transaction imports while the C-chain is not followed. The import names its id, asset
 * and amount. Who owns it, when it was created, and its locktime are not known.
 */
export interface UnknownInput {
  readonly id: Uint8Array
  readonly txId: Uint8Array
  readonly outputIndex: number
  readonly assetId: Uint8Array
  readonly amount: bigint
  /** Signatures with which the output was spent. Their number is the output's threshold. */
  readonly signatures: readonly Uint8Array[]
  /** Addresses that made the signatures, so that they are among the owners. */
  readonly signers: readonly Uint8Array[]
}

/** What a transaction imports: the id of the source chain, and its inputs in their order. */
export interface Import {
  readonly from: Uint8Array
  readonly inputs: () => UnknownInput[]
}

/**
 * Returns what a transaction of the P- or X-chain imports, or undefined if it is not an import.
 * @throws CodecError if the bytes are malformed
 */
export function importOf(chain: ChainAlias, bytes: Uint8Array): Import | undefined {
  const tx = chain === 'P' ? platform(bytes) : avm(bytes)
  const { imported } = tx
  return imported && { from: imported.from, inputs: () => inputsOf({ ...tx, imported: imported.inputs }) }
}

interface Parts {
  readonly imported: readonly Stakeable.In[]
  readonly credentials: readonly object[]
  readonly unsigned: Uint8Array
}

function inputsOf({ imported, credentials, unsigned }: Parts): UnknownInput[] {
  const known = new Map<string, readonly Uint8Array[]>()
  const signersOf = (signatures: readonly Uint8Array[]) => {
    // The inputs of one owner have equal signatures, and recovering a key takes a millisecond.
    const key = Hex.encodeBare(Bytes.concat(...signatures))
    const signers = known.get(key) ?? recover(unsigned, signatures)
    known.set(key, signers)
    return signers
  }
  // The credentials of imported inputs are the last ones.
  const first = credentials.length - imported.length
  return imported.map((input, i) => {
    const credential = credentials[first + i]
    const { signatures = [] } = (credential ?? {}) as { readonly signatures?: readonly Uint8Array[] }
    const { txID: txId, outputIndex, assetID: assetId } = input
    const { amount } = Stakeable.unlockedInput(input.input)
    const id = UtxoId.inputId(input)
    return { id, txId, outputIndex, assetId, amount, signatures, signers: signersOf(signatures) }
  })
}

function platform(bytes: Uint8Array) {
  const tx = PlatformTx.decode(bytes)
  const imported = UnsignedTx.imported(tx.unsignedTx)
  return { imported, credentials: tx.credentials, unsigned: PlatformTx.unsignedBytes(bytes, tx) }
}

function avm(bytes: Uint8Array) {
  const tx = AvmTx.decode(bytes)
  const imported = AvmTx.imported(tx.unsignedTx)
  return { imported, credentials: tx.credentials, unsigned: AvmTx.unsignedBytes(bytes, tx) }
}

/** Returns the addresses that made signatures. Signatures without an address are left out. */
function recover(unsigned: Uint8Array, signatures: readonly Uint8Array[]): Uint8Array[] {
  return signatures.flatMap((signature) => {
    try {
      return Credentials.recoverSigners(unsigned, { signatures: [signature] })
    } catch (error) {
      if (!isFirnError(error)) throw error
      return []
    }
  })
}
