import { Bytes, Id } from '@firn/codec'
import { EvmAddress, PublicKey, Signature } from '@firn/keys'
import * as UtxoId from '../avax/UtxoId.ts'
import * as Credentials from '../fx/Credentials.ts'
import * as Owners from '../fx/Owners.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import { withDetails } from '../internal/withDetails.ts'
import { TxsError, type TxsErrorCode } from '../TxsError.ts'
import * as AtomicTx from './AtomicTx.ts'
import type { AtomicUtxo } from './AtomicUtxo.ts'

/** The chain state needed to check a transaction's credentials. */
export interface State {
  /** The chain's current time in Unix seconds. */
  readonly time: bigint
  /** Returns the UTXO on the source chain that an imported input spends, or undefined. */
  readonly utxo: (id: UtxoId.UtxoId) => AtomicUtxo | undefined
}

/**
 * Checks the signatures for all funds that a transaction spends: the signatures of the owners of imported
 * UTXOs and of the account of each export input. Also checks that each imported UTXO exists, is unlocked, and
 * has the input's asset and amount. Does not check balances and nonces.
 * @param bytes the transaction's bytes, from which `tx` was decoded
 * @example
 * ```ts
 * import { AtomicCredentials, AtomicTx } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * declare const state: AtomicCredentials.State
 * AtomicCredentials.assertValid(bytes, AtomicTx.decode(bytes), state)
 * ```
 * @throws TxsError `TXS_CREDENTIAL` (number or type), `TXS_UTXO` (missing, or another amount), `TXS_ASSET_ID`,
 * `TXS_LOCKED`, `TXS_SIGNERS`, `TXS_SIGNATURE`, …
 * @throws KeysError if a signature is malformed
 */
export function assertValid(bytes: Uint8Array, tx: AtomicTx.AtomicTx, state: State): void {
  const { unsignedTx } = tx
  const imported = AtomicTx.imported(unsignedTx)?.inputs ?? []
  const debited = AtomicTx.debited(unsignedTx)
  const expected = imported.length + debited.length
  if (tx.credentials.length !== expected) {
    refuse('TXS_CREDENTIAL', `expected ${expected} credentials, got ${tx.credentials.length}`)
  }
  const credentials = tx.credentials.map(assertCredential)
  const unsignedBytes = AtomicTx.unsignedBytes(bytes, tx)
  imported.forEach((item, i) => {
    const credential = credentials[i] as Secp256k1.Credential
    withDetails({ item: i }, () => {
      const owners = ownersOf(item, state)
      Credentials.assertValid({ unsignedBytes, owners, input: item.input, credential, time: state.time })
    })
  })
  debited.forEach(({ address }, i) => {
    const credential = credentials[imported.length + i] as Secp256k1.Credential
    withDetails({ item: i }, () => assertSigned(unsignedBytes, address, credential))
  })
}

function assertCredential(credential: AtomicTx.Verifiable): Secp256k1.Credential {
  if (credential.type === 'Credential') return credential
  return refuse('TXS_CREDENTIAL', `expected a credential of type Credential, got ${credential.type}`, {
    type: credential.type,
  })
}

/** Checks an account's signature. An account signs exactly once and is identified by its EVM address. */
function assertSigned(
  unsignedBytes: Uint8Array,
  address: Uint8Array,
  { signatures }: Secp256k1.Credential,
): void {
  const [signature] = signatures
  if (signature === undefined || signatures.length > 1) {
    refuse('TXS_SIGNERS', `expected exactly one signature, got ${signatures.length}`, {
      signatures: signatures.length,
    })
  }
  const signer = PublicKey.evmAddress(Signature.recover(Id.hash(unsignedBytes), signature))
  if (Bytes.equals(signer, address)) return
  const [expected, actual] = [EvmAddress.format(address), EvmAddress.format(signer)]
  refuse('TXS_SIGNATURE', `expected a signature by ${expected}, got one by ${actual}`, { expected, actual })
}

function ownersOf({ input, ...source }: AtomicTx.In, { utxo }: State): Secp256k1.OutputOwners {
  const found = utxo({ txID: source.txID, outputIndex: source.outputIndex })
  const name = UtxoId.format(source)
  if (found === undefined) return refuse('TXS_UTXO', `UTXO ${name} not found`)
  if (!Bytes.equals(found.assetID, source.assetID)) {
    const details = { utxo: name, expected: Id.format(found.assetID), actual: Id.format(source.assetID) }
    refuse('TXS_ASSET_ID', `the input's asset differs from the asset of UTXO ${name}`, details)
  }
  Owners.assertOutput(found.output)
  Owners.assertInput(input)
  if (found.output.amount !== input.amount) {
    const details = { held: found.output.amount, spent: input.amount }
    refuse('TXS_UTXO', `the input's amount differs from the amount of UTXO ${name}`, details)
  }
  return found.output
}

function refuse(code: TxsErrorCode, message: string, details: Record<string, unknown> = {}): never {
  throw new TxsError(code, message, { details })
}
