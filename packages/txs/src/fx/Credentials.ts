import { Bytes, Id } from '@firn/codec'
import { PublicKey, Signature } from '@firn/keys'
import { TxsError } from '../TxsError.ts'
import * as Owners from './Owners.ts'
import type * as Secp256k1 from './Secp256k1.ts'

/**
 * A credential and the data needed to check it. The owners at the indices in `input` must have signed the unsigned
 * bytes.
 */
export interface Claim {
  /** Unsigned bytes of the transaction, including the codec version. */
  readonly unsignedBytes: Uint8Array
  readonly owners: Secp256k1.OutputOwners
  readonly input: Secp256k1.Input
  readonly credential: Secp256k1.Credential
  /** The chain's current time in Unix seconds. */
  readonly time: bigint
}

/**
 * Returns the addresses (20 bytes each) of a credential's signers, in the order of its signatures.
 * @example
 * ```ts
 * import { Credentials, PlatformTx, type Secp256k1 } from '@firn/txs'
 *
 * declare const bytes: Uint8Array // a P-chain transaction whose first credential is ordinary
 * declare const credential: Secp256k1.Credential
 * const unsigned = PlatformTx.unsignedBytes(bytes, PlatformTx.decode(bytes))
 * const addresses = Credentials.recoverSigners(unsigned, credential)
 * ```
 * @throws KeysError `KEYS_SIGNATURE_LENGTH`, `KEYS_SIGNATURE_MUTATED`, `KEYS_SIGNATURE`
 */
export function recoverSigners(unsignedBytes: Uint8Array, credential: Secp256k1.Credential): Uint8Array[] {
  const hash = Id.hash(unsignedBytes)
  return credential.signatures.map((signature) => PublicKey.address(Signature.recover(hash, signature)))
}

/**
 * Checks a credential against owners: the lock must have ended, the number of signers must equal the
 * threshold, and each signature must be by the address that the input names.
 * @example
 * ```ts
 * import { Credentials } from '@firn/txs'
 *
 * declare const claim: Credentials.Claim
 * Credentials.assertValid(claim)
 * ```
 * @throws TxsError `TXS_LOCKED`, `TXS_SIGNERS`, `TXS_SIGNATURE`, and the errors of {@link Owners}
 * @throws KeysError if a signature is malformed
 */
export function assertValid({ unsignedBytes, owners, input, credential, time }: Claim): void {
  Owners.assertIndices(input)
  Owners.assertValid(owners)
  if (owners.locktime > time) {
    throw new TxsError(
      'TXS_LOCKED',
      `expected an output that is unlocked at time ${time}, got one locked until ${owners.locktime}`,
      {
        details: { locktime: owners.locktime, time },
      },
    )
  }
  const indices = input.signatureIndices
  assertCount('signature indices', owners.threshold, indices.length)
  assertCount('signatures', indices.length, credential.signatures.length)
  const hash = Id.hash(unsignedBytes)
  indices.forEach((index, i) => {
    const expected = owners.addresses[index]
    if (expected === undefined) {
      throw new TxsError(
        'TXS_SIGNERS',
        `expected an owner index below ${owners.addresses.length}, got ${index}`,
        {
          details: { index, addresses: owners.addresses.length },
        },
      )
    }
    const signer = PublicKey.address(Signature.recover(hash, credential.signatures[i] as Uint8Array))
    if (Bytes.equals(signer, expected)) return
    throw new TxsError('TXS_SIGNATURE', `signature ${i} was not made by the owner at index ${index}`, {
      details: { index, expected, actual: signer },
    })
  })
}

function assertCount(what: string, expected: number, actual: number): void {
  if (expected === actual) return
  throw new TxsError('TXS_SIGNERS', `expected ${expected} ${what}, got ${actual}`, {
    details: { expected, actual },
  })
}
