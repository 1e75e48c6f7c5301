import { Bytes, Id } from '@firn/codec'
import type { AvmFx, AvmTx, Secp256k1 } from '@firn/txs'
import type * as Records from '../Records.ts'
import type { Draft } from './Draft.ts'
import { refuse } from './refuse.ts'
import { take } from './utxos.ts'

type OperationOf<T extends AvmFx.Action['type']> = Extract<AvmFx.Action, { readonly type: T }>
type OutputOf<T extends Records.Output['type']> = Extract<Records.Output, { readonly type: T }>

/**
 * Consumes the single output that an operation spends. The output must be of the kind that the operation
 * requires.
 */
export function operate(
  draft: Draft,
  { assetID: assetId, inputIDs: inputIds, operation }: AvmTx.Operation,
): void {
  const taken = inputIds.map((input) => take(draft, input).utxo)
  const [utxo] = taken
  const details = { assetId: Id.format(assetId), operation: operation.type, output: utxo?.output.type }
  if (utxo === undefined || taken.length > 1) {
    refuse(
      'LEDGER_OPERATION',
      `expected a ${operation.type} to spend one UTXO, got ${taken.length} UTXOs`,
      details,
    )
  }
  if (!Bytes.equals(utxo.assetID, assetId)) {
    const other = Id.format(utxo.assetID)
    refuse('LEDGER_OPERATION', `expected a UTXO of asset ${details.assetId}, got one of ${other}`, details)
  }
  if (isFor(operation, utxo.output)) return
  const problem = `does not have the type, group, payload or owners that a ${operation.type} requires`
  refuse('LEDGER_OPERATION', `the spent ${details.output} ${problem}`, details)
}

function isFor(operation: AvmFx.Action, output: Records.Output): boolean {
  switch (operation.type) {
    case 'MintOperation':
      return output.type === 'MintOutput' && isSameOwner(output, operation.mintOutput)
    case 'NftMintOperation':
      return output.type === 'NftMintOutput' && output.groupID === operation.groupID
    case 'NftTransferOperation':
      return output.type === 'NftTransferOutput' && isSameToken(output, operation)
    case 'PropertyMintOperation':
      return output.type === 'PropertyMintOutput' && isSameOwner(output, operation.mintOutput)
    case 'PropertyBurnOperation':
      return output.type === 'PropertyOwnedOutput'
  }
}

function isSameToken(
  { groupID: groupId, payload }: OutputOf<'NftTransferOutput'>,
  { output }: OperationOf<'NftTransferOperation'>,
): boolean {
  return groupId === output.groupID && Bytes.equals(payload, output.payload)
}

/** Compares owners, because the right to mint must stay with its owners. */
function isSameOwner(a: Secp256k1.OutputOwners, b: Secp256k1.OutputOwners): boolean {
  return (
    a.locktime === b.locktime &&
    a.threshold === b.threshold &&
    a.addresses.length === b.addresses.length &&
    a.addresses.every((address, i) => Bytes.equals(address, b.addresses[i] as Uint8Array))
  )
}
