import { Signature } from '@firn/bls'
import { Quorum, SignedMessage, type UnsignedMessage, type ValidatorSet, Verification } from '@firn/warp'
import type { Proved } from '../BatchCheck.ts'
import { select } from '../SignerSelection.ts'

/** A validator with its verified signature. */
export interface ProvedSigner {
  readonly index: number
  readonly weight: bigint
  readonly proved: Proved
}

/** Inputs for assembling and checking a message. */
export interface Parts {
  readonly unsigned: UnsignedMessage.UnsignedMessage
  readonly validatorSet: ValidatorSet.ValidatorSet
  readonly quorumPercentage: number
  /** Weight of quorum plus buffer. */
  readonly target: bigint
}

/** The encoded signed message and the result of its verification. */
export interface Assembled {
  readonly signedMessage: Uint8Array
  readonly signers: readonly number[]
  readonly verification: Verification.Result
}

/**
 * Returns the message signed by the fewest of `signers` that reach the target. Decodes and verifies the encoded
 * message as the receiver will.
 */
export function assemble(signers: readonly ProvedSigner[], parts: Parts): Assembled {
  const chosen = select(signers, parts.target)
  const byIndex = new Map(signers.map((signer) => [signer.index, signer.proved.signature]))
  const signatures = chosen.flatMap((index) => byIndex.get(index) ?? [])
  const aggregate = Signature.encode(Signature.aggregate(signatures))
  const signedMessage = SignedMessage.encode(SignedMessage.create(parts.unsigned, chosen, aggregate))
  const verification = Verification.verify(SignedMessage.decode(signedMessage), {
    networkId: parts.unsigned.networkID,
    validatorSet: parts.validatorSet,
    quorum: Quorum.percent(parts.quorumPercentage),
  })
  return { signedMessage, signers: chosen, verification }
}
