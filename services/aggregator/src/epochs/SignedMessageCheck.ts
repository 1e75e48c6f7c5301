import type { Prover } from '@firn/aggregation'
import { PublicKey } from '@firn/bls'
import { type SignedMessage, UnsignedMessage, type ValidatorSet, Verification } from '@firn/warp'

/**
 * Verifies a signed message as `Verification.verify` does, with the same result. The pairings, which take most of the
 * time, are computed by the prover, which may work in other threads.
 */
export async function verify(
  message: SignedMessage.SignedMessage,
  context: Verification.Context,
  prover: Pick<Prover.Prover, 'check'>,
): Promise<Verification.Result> {
  const result = Verification.verify(message, { ...context, verifySignature: () => true })
  if (!result.ok) return result
  // Without signers, there is no key, and the verification ends before the pairings.
  if (result.signers.length === 0) return Verification.verify(message, context)
  const keys = result.signers.map((index) => keyAt(context.validatorSet, index))
  const received = { publicKey: PublicKey.aggregate(keys), signature: message.signature.signature }
  const [verdict] = await prover.check(UnsignedMessage.encode(message.unsigned), [received])
  if (verdict === 'wrong') return Verification.verify(message, { ...context, verifySignature: () => false })
  // The decoding of a malformed signature fails again, before the pairings.
  return verdict === 'malformed' ? Verification.verify(message, context) : result
}

function keyAt({ validators }: ValidatorSet.ValidatorSet, index: number): PublicKey.PublicKey {
  return (validators[index] as ValidatorSet.CanonicalValidator).publicKey
}
