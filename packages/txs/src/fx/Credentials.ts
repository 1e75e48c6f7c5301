import { Bytes, Id } from '@firn/codec'
import { PublicKey, Signature } from '@firn/keys'
import { TxsError } from '../TxsError.ts'
import * as Owners from './Owners.ts'
import type * as Secp256k1 from './Secp256k1.ts'

/**
 * What a credential must prove: that `owners` consent to the unsigned bytes, with the signatures at `input`'s
 * indices.
 */
export interface Claim {
  /** The unsigned bytes of the transaction, with their codec version. */
  readonly unsignedBytes: Uint8Array
  readonly owners: Secp256k1.OutputOwners
  readonly input: Secp256k1.Input
  readonly credential: Secp256k1.Credential
  /** The chain's time in seconds. */
  readonly time: bigint
}

/**
 * Returns the addresses (20 bytes each) of a credential's signers, in its order.
 * @throws KeysError `KEYS_SIGNATURE_LENGTH`, `KEYS_SIGNATURE_MUTATED`, `KEYS_SIGNATURE`
 */
export function recoverSigners(unsignedBytes: Uint8Array, credential: Secp256k1.Credential): Uint8Array[] {
  const hash = Id.hash(unsignedBytes)
  return credential.signatures.map((signature) => PublicKey.address(Signature.recover(hash, signature)))
}

/**
 * Checks a credential against owners: the lock has ended, the number of signers equals the threshold, and
 * each signature belongs to the address that the input names.
 * @throws TxsError `TXS_LOCKED`, `TXS_SIGNERS`, `TXS_SIGNATURE`, and those of {@link Owners}; KeysError of a
 * malformed signature
 */
export function assertValid({ unsignedBytes, owners, input, credential, time }: Claim): void {
  Owners.assertIndices(input)
  Owners.assertValid(owners)
  if (owners.locktime > time) {
    throw new TxsError(
      'TXS_LOCKED',
      `expected an output that is unlocked at ${time}, got one locked until ${owners.locktime}`,
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
      throw new TxsError('TXS_SIGNERS', `expected an index below ${owners.addresses.length}, got ${index}`, {
        details: { index, addresses: owners.addresses.length },
      })
    }
    const signer = PublicKey.address(Signature.recover(hash, credential.signatures[i] as Uint8Array))
    if (Bytes.equals(signer, expected)) return
    throw new TxsError('TXS_SIGNATURE', `signature ${i} is not by address ${index} of the owners`, {
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
