import { Hex, Id } from '@firn/codec'
import { Signature } from '@firn/keys'
import { UtxoId } from '@firn/txs'
import * as Case from '../Case.ts'
import { AVAX_ASSET_ID, C_CHAIN_ID, P_CHAIN_ID, X_CHAIN_ID } from '../chains/context.ts'
import { ofDump, ofValue } from './goFields.ts'

interface Tx {
  readonly unsignedTx: { readonly type: string }
}

/** The functions that the modules of P-chain, X-chain and C-chain transactions have in common. */
interface Transactions<T extends Tx> {
  decode(bytes: Uint8Array): T
  encode(tx: T): Uint8Array
  id(bytes: Uint8Array): Uint8Array
  unsignedBytes(bytes: Uint8Array, tx: T): Uint8Array
  encodeUnsigned(tx: T['unsignedTx']): Uint8Array
}

/** Checks the chain ids and the asset id that all cases of a file share. */
export function checkChains(it: Case.Case): void {
  Case.equals(it, 'xChainID', Id.format(X_CHAIN_ID))
  Case.equals(it, 'cChainID', Id.format(C_CHAIN_ID))
  Case.equals(it, 'pChainID', Id.format(P_CHAIN_ID))
  Case.equals(it, 'avaxAssetID', Id.format(AVAX_ASSET_ID))
}

/**
 * Checks the bytes, ids and fields of a valid transaction, by decoding and encoding it. `prefix` is the start
 * of the type name in the vectors that Firn's type name lacks.
 */
export function checkBytes<T extends Tx>(it: Case.Case, txs: Transactions<T>, prefix = '') {
  const bytes = Case.bytes(it, 'bytes')
  const tx = txs.decode(bytes)
  const txId = txs.id(bytes)
  const unsignedBytes = txs.unsignedBytes(bytes, tx)
  Case.equals(it, 'bytes', txs.encode(tx))
  Case.equals(it, 'txType', prefix + tx.unsignedTx.type)
  Case.equals(it, 'unsignedBytes', unsignedBytes)
  Case.equals(it, 'unsignedBytes', txs.encodeUnsigned(tx.unsignedTx))
  Case.equals(it, 'idBytes', txId)
  Case.equals(it, 'id', Id.format(txId))
  Case.same('fields', ofDump(Case.given(it, 'fields')), ofValue(tx))
  return { tx, txID: txId, unsignedBytes }
}

/** Creates the signatures of each credential with the given keys. Signing is deterministic. */
export function sign(it: Case.Case, unsignedBytes: Uint8Array): Uint8Array[][] {
  return (Case.list(it, 'signers') as readonly (readonly string[])[]).map((keys) =>
    keys.map((key) => Signature.signMessage(unsignedBytes, Hex.decode(key))),
  )
}

/** Checks that the given keys produce the signatures in a transaction's credentials. */
export function checkSignatures(
  it: Case.Case,
  credentials: readonly object[],
  unsignedBytes: Uint8Array,
): void {
  const signatures = credentials.map((credential) =>
    'signatures' in credential ? credential.signatures : null,
  )
  Case.same('signatures', sign(it, unsignedBytes), signatures)
}

/** Checks the inputs of a transaction regardless of their order, and its outputs in order. */
export function checkFlow<U extends UtxoId.UtxoId>(
  it: Case.Case,
  inputIds: readonly Uint8Array[],
  utxos: readonly U[],
  encode: (utxo: U) => Uint8Array,
): void {
  Case.same('inputIDs', [...Case.list(it, 'inputIDs')].sort(), inputIds.map(Id.format).sort())
  const made = utxos.map((utxo) => ({ inputID: Id.format(UtxoId.inputId(utxo)), bytes: encode(utxo) }))
  Case.equals(it, 'utxos', made)
}

/**
 * Checks that Firn's syntax check agrees with the reference. The field contains the reference's error, or
 * null.
 */
export function checkSyntax(it: Case.Case, field: string, assertSyntax: () => void): void {
  const isValid = Case.attempt(() => assertSyntax() ?? true) !== undefined
  Case.same(field, Case.given(it, field) === null, isValid)
}

/** Checks the verdict on mutated bytes. If they are still valid, the transaction is checked as well. */
export function checkMutated<T extends Tx>(it: Case.Case, txs: Transactions<T>): undefined {
  // This field contains the type of the transaction before the mutation.
  Case.ignore(it, 'txType')
  const parsed = Case.verdict(it, () => txs.decode(Case.bytes(it, 'bytes')))
  if (parsed === undefined) return undefined
  Case.equals(it, 'id', Id.format(txs.id(txs.encode(parsed.value))))
  Case.equals(it, 'parsedTxType', parsed.value.unsignedTx.type)
  return undefined
}

/** Checks the verdict on a transaction that breaks a rule. */
export function checkBroken<T extends Tx>(
  it: Case.Case,
  txs: Transactions<T>,
  assertSyntax: (it: Case.Case, tx: T) => void,
): undefined {
  const tx = txs.decode(Case.bytes(it, 'bytes'))
  Case.equals(it, 'txType', tx.unsignedTx.type)
  Case.equals(it, 'id', Id.format(txs.id(txs.encode(tx))))
  Case.verdict(it, () => assertSyntax(it, tx))
  return undefined
}
