import { Bytes } from '@firn/codec'
import * as UtxoId from '../avax/UtxoId.ts'
import * as Credentials from '../fx/Credentials.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import { assertFxValue } from '../internal/fxChecks.ts'
import { TxsError, type TxsErrorCode } from '../TxsError.ts'
import type { AvmCredential } from './AvmCredential.ts'
import * as AvmFx from './AvmFx.ts'
import { credentialCount } from './AvmSyntax.ts'
import * as AvmTx from './AvmTx.ts'
import type { AvmUtxo } from './AvmUtxo.ts'

/** The chain state needed to check a transaction's credentials. */
export interface State {
  /** The chain's current time in Unix seconds. */
  readonly time: bigint
  /**
   * Returns the UTXO that an input or operation spends, or undefined. For imported inputs it is a UTXO of the
   * source chain.
   */
  readonly utxo: (id: UtxoId.UtxoId) => AvmUtxo | undefined
}

/** The owners whose signatures are required, and the input that says which of them sign. */
type Signing = Pick<Credentials.Claim, 'owners' | 'input'>

/**
 * Checks that a transaction may spend the UTXOs of its inputs and operations. Each UTXO must exist, be
 * unlocked, and have the asset, amount, group or owners that the transaction states, and its owners must have
 * signed by the rules of the feature extension. Does not check which feature extensions an asset allows, or
 * that inputs cover outputs.
 * @param bytes the transaction's bytes, from which `tx` was decoded
 * @example
 * ```ts
 * import { AvmCredentials, AvmTx } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * declare const state: AvmCredentials.State
 * AvmCredentials.assertValid(bytes, AvmTx.decode(bytes), state)
 * ```
 * @throws TxsError `TXS_CREDENTIAL` (number or type), `TXS_UTXO` (missing, or different from the
 * transaction), `TXS_LOCKED`, `TXS_SIGNERS`, `TXS_SIGNATURE`, …
 * @throws KeysError if a signature is malformed
 */
export function assertValid(bytes: Uint8Array, tx: AvmTx.AvmTx, state: State): void {
  const { unsignedTx, credentials } = tx
  const expected = credentialCount(unsignedTx)
  if (credentials.length !== expected) {
    refuse('TXS_CREDENTIAL', `expected ${expected} credentials, got ${credentials.length}`)
  }
  const claims = [
    ...unsignedTx.inputs.map((input) => claimOfInput(input, state)),
    ...(AvmTx.imported(unsignedTx)?.inputs ?? []).map((input) => claimOfInput(input, state)),
    ...AvmTx.operations(unsignedTx).map((item) => claimOfOperation(item, state)),
  ]
  const proof = { unsignedBytes: AvmTx.unsignedBytes(bytes, tx), time: state.time }
  claims.forEach(({ fxId, ...signing }, i) => {
    const credential = assertCredential(credentials[i] as AvmCredential, fxId)
    Credentials.assertValid({ ...proof, ...signing, credential })
  })
}

function assertCredential(credential: AvmCredential, fxId: Uint8Array): Secp256k1.Credential {
  const isSignatures = 'signatures' in credential && Bytes.equals(AvmFx.idOf(credential), fxId)
  if (isSignatures) return credential
  return refuse('TXS_CREDENTIAL', `expected a credential of the same fx as its input, got ${credential.type}`)
}

function claimOfInput(item: AvmTx.In, state: State): Signing & { readonly fxId: Uint8Array } {
  const { output } = find(item, item.assetID, state)
  if (output.type !== 'TransferOutput' || output.amount !== item.input.amount) {
    return wrong(item, `a TransferOutput with the amount ${item.input.amount}`)
  }
  assertFxValue(output)
  assertFxValue(item.input)
  return { owners: output, input: item.input, fxId: AvmFx.idOf(output) }
}

function claimOfOperation(item: AvmTx.Operation, state: State): Signing & { readonly fxId: Uint8Array } {
  const { operation, inputIDs: inputIds } = item
  const [source] = inputIds
  if (source === undefined || inputIds.length > 1) {
    return refuse('TXS_UTXO', `expected an operation that spends one UTXO, got ${inputIds.length} UTXOs`)
  }
  assertFxValue(operation)
  const { output } = find(source, item.assetID, state)
  assertFxValue(output)
  const isMeant = isSpentBy(output, operation)
  if (!isMeant) return wrong(source, `an output that ${operation.type} can spend`)
  return { owners: output, input: inputOf(operation), fxId: AvmFx.idOf(operation) }
}

/**
 * Returns true if the operation may spend `output`: its type must be the one that the operation spends, and its
 * owners, or its group and payload, must be those in the operation where the feature extension requires it.
 */
function isSpentBy(output: AvmFx.State, operation: AvmFx.Action): boolean {
  switch (operation.type) {
    case 'MintOperation':
      return output.type === 'MintOutput' && isSameOwners(output, operation.mintOutput)
    case 'NftMintOperation':
      return output.type === 'NftMintOutput' && output.groupID === operation.groupID
    case 'NftTransferOperation':
      return (
        output.type === 'NftTransferOutput' &&
        output.groupID === operation.output.groupID &&
        Bytes.equals(output.payload, operation.output.payload)
      )
    case 'PropertyMintOperation':
      return output.type === 'PropertyMintOutput' && isSameOwners(output, operation.mintOutput)
    case 'PropertyBurnOperation':
      return output.type === 'PropertyOwnedOutput'
  }
}

function inputOf(operation: AvmFx.Action): Secp256k1.Input {
  if ('mintInput' in operation) return operation.mintInput
  return 'input' in operation ? operation.input : operation
}

function isSameOwners(a: Secp256k1.OutputOwners, b: Secp256k1.OutputOwners): boolean {
  return (
    a.locktime === b.locktime &&
    a.threshold === b.threshold &&
    a.addresses.length === b.addresses.length &&
    a.addresses.every((address, i) => Bytes.equals(address, b.addresses[i] as Uint8Array))
  )
}

function find(source: UtxoId.UtxoId, assetId: Uint8Array, { utxo }: State): AvmUtxo {
  const found = utxo({ txID: source.txID, outputIndex: source.outputIndex })
  if (found === undefined) {
    return refuse('TXS_UTXO', `UTXO ${UtxoId.format(source)} not found`)
  }
  return Bytes.equals(found.assetID, assetId)
    ? found
    : wrong(source, 'a UTXO of the asset that the input names')
}

function wrong(source: UtxoId.UtxoId, expected: string): never {
  return refuse('TXS_UTXO', `expected UTXO ${UtxoId.format(source)} to be ${expected}`)
}

function refuse(code: TxsErrorCode, message: string): never {
  throw new TxsError(code, message)
}
