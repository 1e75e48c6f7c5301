import { Bytes } from '@firn/codec'
import * as UtxoId from '../avax/UtxoId.ts'
import * as Credentials from '../fx/Credentials.ts'
import * as Owners from '../fx/Owners.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import { refuse } from '../internal/platformChecks.ts'
import * as PlatformTx from './PlatformTx.ts'
import type { PlatformUtxo } from './PlatformUtxo.ts'
import * as Stakeable from './Stakeable.ts'
import * as UnsignedTx from './UnsignedTx.ts'
import type { Verifiable } from './Verifiable.ts'

/** The chain state needed to check a transaction's credentials. */
export interface State {
  /** The chain's current time in Unix seconds. */
  readonly time: bigint
  /**
   * Returns the UTXO that an input spends, or undefined. For imported inputs it is a UTXO of the source
   * chain.
   */
  readonly utxo: (id: UtxoId.UtxoId) => PlatformUtxo | undefined
  /**
   * Owner that must sign the transaction's authorization: the owner of the subnet, validator or L1 validator.
   */
  readonly authority?: Secp256k1.OutputOwners
}

type Signing = Pick<Credentials.Claim, 'owners' | 'input'>

/**
 * Checks that a transaction may spend the UTXOs of its inputs. Each UTXO must exist, have the input's asset
 * and amount, and be unlocked or stay locked, and its owners must have signed. The authorization, whose
 * credential comes last, must be signed by the authority. Does not check that inputs cover outputs.
 * @param bytes the transaction's bytes, from which `tx` was decoded
 * @example
 * ```ts
 * import { PlatformCredentials, PlatformTx } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * declare const state: PlatformCredentials.State
 * PlatformCredentials.assertValid(bytes, PlatformTx.decode(bytes), state)
 * ```
 * @throws TxsError `TXS_CREDENTIAL` (number or type), `TXS_UTXO` (missing, or another asset or amount),
 * `TXS_LOCKED`, `TXS_LOCKTIME`, `TXS_SIGNERS`, `TXS_SIGNATURE`, …
 * @throws KeysError if a signature is malformed
 */
export function assertValid(bytes: Uint8Array, tx: PlatformTx.PlatformTx, state: State): void {
  const unsignedBytes = PlatformTx.unsignedBytes(bytes, tx)
  const inputs = PlatformTx.inputs(tx)
  const authorization = UnsignedTx.authorization(tx.unsignedTx)
  const expected = inputs.length + (authorization === undefined ? 0 : 1)
  if (tx.credentials.length !== expected) {
    const details = { expected, actual: tx.credentials.length }
    refuse('TXS_CREDENTIAL', `expected ${expected} credentials, got ${tx.credentials.length}`, details)
  }
  const credentials = tx.credentials.map(assertCredential)
  const proof = { unsignedBytes, time: state.time }
  inputs.forEach((input, i) => {
    const credential = credentials[i] as Secp256k1.Credential
    Credentials.assertValid({ ...proof, ...claimOf(input, state), credential })
  })
  if (authorization === undefined) return
  const credential = credentials[expected - 1] as Secp256k1.Credential
  Credentials.assertValid({ ...proof, ...consentOf(authorization, state), credential })
}

/** Returns the owners that must sign an authorization, and the input that says which of them sign. */
function consentOf(authorization: Verifiable, { authority }: State): Signing {
  if (authorization.type === 'Input' && authority !== undefined)
    return { owners: authority, input: authorization }
  const got =
    authority === undefined ? 'no known authority to check it against' : `type ${authorization.type}`
  return refuse('TXS_CREDENTIAL', `expected an authorization of type Input, got ${got}`)
}

function assertCredential(credential: Verifiable): Secp256k1.Credential {
  if (credential.type === 'Credential') return credential
  return refuse('TXS_CREDENTIAL', `expected a credential of type Credential, got ${credential.type}`)
}

/**
 * Returns the owners that must sign for an input. Checks that the input has the UTXO's asset and amount, and
 * keeps a lock that has not ended.
 */
function claimOf({ input, ...source }: Stakeable.In, state: State): Signing {
  const utxo = state.utxo(source)
  const name = UtxoId.format(source)
  if (utxo === undefined) return refuse('TXS_UTXO', `UTXO ${name} not found`)
  const [held, spent] = [Stakeable.unlocked(utxo.output), Stakeable.unlockedInput(input)]
  if (!Bytes.equals(utxo.assetID, source.assetID) || held.amount !== spent.amount) {
    const details = { held: held.amount, spent: spent.amount }
    refuse('TXS_UTXO', `the input's asset or amount differs from UTXO ${name}`, details)
  }
  const locktime = utxo.output.type === 'LockOut' ? utxo.output.locktime : 0n
  if (input.type === 'LockIn' ? input.locktime !== locktime : locktime > state.time) {
    const got = input.type === 'LockIn' ? `an input locked until ${input.locktime}` : 'an unlocked input'
    refuse('TXS_LOCKTIME', `expected an input locked until ${locktime}, got ${got}`, { locktime })
  }
  Owners.assertOutput(held)
  Owners.assertInput(spent)
  return { owners: held, input: spent }
}
