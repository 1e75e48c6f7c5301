import { Signature } from '@firn/bls'
import {
  BitSet,
  Quorum,
  SignedMessage,
  type UnsignedMessage,
  type ValidatorSet,
  Verification,
} from '@firn/warp'
import type { Candidate } from '../BatchCheck.ts'
import type { Prover } from '../Prover.ts'
import { select } from '../SignerSelection.ts'
import * as KnownAggregates from './KnownAggregates.ts'

/** A validator with its verified signature. */
export interface ProvedSigner extends Candidate {
  readonly index: number
  readonly weight: bigint
}

/** Inputs for assembling and checking a message. */
export interface Parts {
  readonly message: Uint8Array
  /** Id of the message, 32 bytes. */
  readonly messageId: Uint8Array
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
 * message as the receiver will; the prover has verified the aggregate signature.
 */
export async function assemble(
  signers: readonly ProvedSigner[],
  parts: Parts,
  prover: Prover,
): Promise<Assembled> {
  const chosen = select(signers, parts.target)
  const aggregate = await aggregateOf(signers, chosen, parts, prover)
  const signature = aggregate ?? new Uint8Array(Signature.SIZE)
  const signedMessage = SignedMessage.encode(SignedMessage.create(parts.unsigned, chosen, signature))
  const verification = Verification.verify(SignedMessage.decode(signedMessage), {
    networkId: parts.unsigned.networkID,
    validatorSet: parts.validatorSet,
    quorum: Quorum.percent(parts.quorumPercentage),
    verifySignature: () => aggregate !== undefined,
  })
  return { signedMessage, signers: chosen, verification }
}

async function aggregateOf(
  signers: readonly ProvedSigner[],
  chosen: readonly number[],
  { message, messageId, validatorSet }: Parts,
  prover: Prover,
): Promise<Uint8Array | undefined> {
  const signed = { validatorSet, messageId, signers: BitSet.encode(chosen) }
  const known = KnownAggregates.find(signed)
  if (known !== undefined) return known
  const byIndex = new Map(signers.map((signer) => [signer.index, signer]))
  const candidates = chosen.flatMap((index) => byIndex.get(index) ?? [])
  const aggregate = await prover.aggregate(message, candidates)
  if (aggregate !== undefined) KnownAggregates.add(signed, aggregate)
  return aggregate
}
