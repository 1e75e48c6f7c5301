import { Bytes, Id } from '@firn/codec'
import * as UtxoId from '../avax/UtxoId.ts'
import * as Credentials from '../fx/Credentials.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import { assertFxValue } from '../internal/fxChecks.ts'
import { withDetails } from '../internal/withDetails.ts'
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

/** The owners whose signatures are required, the input that says which of them sign, and their signatures. */
type Signed = Pick<Credentials.Claim, 'owners' | 'input' | 'credential'>

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
 * transaction), `TXS_ASSET_ID`, `TXS_LOCKED`, `TXS_SIGNERS`, `TXS_SIGNATURE`, … `details.spender` says whether an input, an
 * imported input or an operation spends the UTXO.
 * @throws KeysError if a signature is malformed
 */
export function assertValid(bytes: Uint8Array, tx: AvmTx.AvmTx, state: State): void {
  const { unsignedTx, credentials } = tx
  const expected = credentialCount(unsignedTx)
  if (credentials.length !== expected) {
    refuse('TXS_CREDENTIAL', `expected ${expected} credentials, got ${credentials.length}`)
  }
  const claims: readonly (readonly [spender: string, claim: (credential: AvmCredential) => Signed])[] = [
    ...unsignedTx.inputs.map((item) => ['input', claimOfInput(item, state)] as const),
    ...(AvmTx.imported(unsignedTx)?.inputs ?? []).map(
      (item) => ['imported input', claimOfInput(item, state)] as const,
    ),
    ...AvmTx.operations(unsignedTx).map((item) => ['operation', claimOfOperation(item, state)] as const),
  ]
  const proof = { unsignedBytes: AvmTx.unsignedBytes(bytes, tx), time: state.time }
  claims.forEach(([spender, claim], i) => {
    withDetails({ spender }, () => {
      Credentials.assertValid({ ...proof, ...claim(credentials[i] as AvmCredential) })
    })
  })
}

/** Returns a credential that consists of signatures for a feature extension. */
function assertCredential(credential: AvmCredential, fxId: Uint8Array): Secp256k1.Credential {
  const isOfFx = Bytes.equals(AvmFx.idOf(credential), fxId)
  if (isOfFx && 'signatures' in credential) return credential
  const details = { type: credential.type, isOfFx }
  const message = `expected a credential of the same fx as its input, got ${credential.type}`
  return refuse('TXS_CREDENTIAL', message, details)
}

const claimOfInput =
  (item: AvmTx.In, state: State) =>
  (signatures: AvmCredential): Signed => {
    const { output } = find(item, item.assetID, state)
    const credential = assertCredential(signatures, AvmFx.idOf(item.input))
    const { amount } = item.input
    if (output.type !== 'TransferOutput') return wrong(item, 'a TransferOutput', { rule: 'type' })
    assertFxValue(output)
    assertFxValue(item.input)
    if (output.amount !== amount) {
      const details = { held: output.amount, spent: amount }
      return wrong(item, `a TransferOutput with the amount ${amount}`, details)
    }
    return { owners: output, input: item.input, credential }
  }

const claimOfOperation =
  ({ operation, inputIDs: inputIds, assetID: assetId }: AvmTx.Operation, state: State) =>
  (signatures: AvmCredential): Signed => {
    const utxos = inputIds.map((source) => ({ source, output: find(source, assetId, state).output }))
    const credential = assertCredential(signatures, AvmFx.idOf(operation))
    const [spent] = utxos
    if (spent === undefined || utxos.length > 1) {
      const message = `expected an operation that spends one UTXO, got ${inputIds.length} UTXOs`
      return refuse('TXS_UTXO', message, { rule: 'count', operation: operation.type })
    }
    const { source, output } = spent
    const rule = brokenRule(output, operation)
    if (rule === 'type')
      wrong(source, `an output that ${operation.type} can spend`, { rule, operation: operation.type })
    assertFxValue(operation)
    assertFxValue(output)
    if (rule !== undefined)
      wrong(source, `an output that ${operation.type} can spend`, { rule, operation: operation.type })
    return { owners: output, input: inputOf(operation), credential }
  }

/** What an operation requires of the output that it spends besides its type. */
type Rule = 'type' | 'owners' | 'group' | 'payload'

/**
 * Returns the rule that an operation breaks, or undefined if it may spend `output`: its type must be the one that the
 * operation spends, and its owners, or its group and payload, must be those in the operation where the feature extension
 * requires it.
 */
function brokenRule(output: AvmFx.State, operation: AvmFx.Action): Rule | undefined {
  switch (operation.type) {
    case 'MintOperation':
      if (output.type !== 'MintOutput') return 'type'
      return isSameOwners(output, operation.mintOutput) ? undefined : 'owners'
    case 'NftMintOperation':
      if (output.type !== 'NftMintOutput') return 'type'
      return output.groupID === operation.groupID ? undefined : 'group'
    case 'NftTransferOperation':
      return output.type === 'NftTransferOutput' ? brokenNftRule(output, operation.output) : 'type'
    case 'PropertyMintOperation':
      if (output.type !== 'PropertyMintOutput') return 'type'
      return isSameOwners(output, operation.mintOutput) ? undefined : 'owners'
    case 'PropertyBurnOperation':
      return output.type === 'PropertyOwnedOutput' ? undefined : 'type'
  }
}

/** What stays the same when an NFT is transferred. */
type Nft = { readonly groupID: number; readonly payload: Uint8Array }

/** Returns the rule that the transfer of an NFT breaks by its new output. */
function brokenNftRule(spent: Nft, next: Nft): Rule | undefined {
  if (spent.groupID !== next.groupID) return 'group'
  return Bytes.equals(spent.payload, next.payload) ? undefined : 'payload'
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
  const name = UtxoId.format(source)
  if (found === undefined) {
    const details = { utxo: name, inputId: Id.format(UtxoId.inputId(source)) }
    return refuse('TXS_UTXO', `UTXO ${name} not found`, details)
  }
  if (Bytes.equals(found.assetID, assetId)) return found
  const details = { utxo: name, expected: Id.format(found.assetID), actual: Id.format(assetId) }
  return refuse('TXS_ASSET_ID', `expected UTXO ${name} to be of the asset that the input names`, details)
}

function wrong(source: UtxoId.UtxoId, expected: string, details: Details): never {
  return refuse('TXS_UTXO', `expected UTXO ${UtxoId.format(source)} to be ${expected}`, details)
}

type Details = Readonly<Record<string, unknown>>

function refuse(code: TxsErrorCode, message: string, details: Details = {}): never {
  throw new TxsError(code, message, { details })
}
