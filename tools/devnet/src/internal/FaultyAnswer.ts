import { type SecretKey, Signature } from '@firn/bls'
import { Bytes } from '@firn/codec'
import { Acp118 } from '@firn/warp'
import type { Fault } from '../Fault.ts'

/** Compressed point at infinity. */
const INFINITY: Uint8Array = Uint8Array.from({ length: 96 }, (_, index) => (index === 0 ? 0xc0 : 0))
const SIGN_BIT = 0x20

/** Inputs for creating a faulty signature. */
export interface Signer {
  readonly index: number
  /** Returns a secret key that belongs to no validator. */
  readonly unrelatedKey: () => SecretKey.SecretKey
  /** Returns the correct signature of a message (96 bytes). */
  readonly sign: (message: Uint8Array) => Uint8Array
}

/**
 * Returns the body of the response to a signature request, altered according to the fault. The body is
 * correct if the fault does not concern signatures.
 */
export function answerBody(fault: Fault | null, signer: Signer, message: Uint8Array): Uint8Array {
  switch (fault?.kind) {
    case 'empty':
      return new Uint8Array(0)
    case 'garbage':
      return Uint8Array.of(0xff, 0xff, 0xff)
    default:
      return Acp118.encodeResponse({ signature: signatureBytes(fault, signer, message) })
  }
}

function signatureBytes(fault: Fault | null, signer: Signer, message: Uint8Array): Uint8Array {
  switch (fault?.kind) {
    case 'wrong-signature':
      return Signature.sign(signer.unrelatedKey(), message).compressed
    case 'other-message':
      return signer.sign(Bytes.concat(message, Uint8Array.of(0)))
    case 'short-signature':
      return signer.sign(message).subarray(0, 95)
    case 'long-signature':
      return Bytes.concat(signer.sign(message), Uint8Array.of(0))
    case 'infinity':
      return INFINITY
    case 'cancelling':
      return shifted(signer, fault.partner, message)
    default:
      return signer.sign(message)
  }
}

/**
 * Returns the correct signature plus or minus a point. In a cancelling pair, the validator with the lower
 * index adds the point and the other subtracts it.
 */
function shifted({ index, unrelatedKey, sign }: Signer, partner: number, message: Uint8Array): Uint8Array {
  const point = Signature.sign(unrelatedKey(), message)
  const term = index < partner ? point : Signature.decode(negated(point.compressed))
  return Signature.aggregate([Signature.decode(sign(message)), term]).compressed
}

function negated(compressed: Uint8Array): Uint8Array {
  const bytes = compressed.slice()
  bytes[0] = (bytes[0] as number) ^ SIGN_BIT
  return bytes
}
