import { PublicKey, Signature } from '@firn/bls'
import type { Clock } from '@firn/runtime'
import * as BatchCheck from './BatchCheck.ts'

/** A received signature whose bytes are not checked yet. */
export interface Received {
  readonly publicKey: PublicKey.PublicKey
  /** The bytes that a node sent; a valid signature is compressed (96 bytes). */
  readonly signature: Uint8Array
}

/**
 * The result for one received signature: the verified signature, `malformed` if the bytes are not a signature, or
 * `wrong` if they are not the key's signature of the message.
 */
export type Verdict = BatchCheck.Proved | 'malformed' | 'wrong'

/**
 * Verifies and adds signatures. This is most of an aggregation's work, so an implementation may do it in other threads.
 */
export interface Prover {
  /** Resolves with the verdict for each received signature of `message`, in order. */
  check(message: Uint8Array, received: readonly Received[]): Promise<readonly Verdict[]>
  /**
   * Resolves with the sum of one or more signatures (96 bytes) after verifying it like its receiver. Resolves with
   * undefined if it is not a valid aggregate signature of `message`.
   */
  aggregate(message: Uint8Array, signers: readonly BatchCheck.Candidate[]): Promise<Uint8Array | undefined>
}

/** Number of signatures decoded at a time. The event loop can run other work between two groups. */
const GROUP = 64

/**
 * Returns a prover that works in the calling thread. It lets the event loop run other work after each group of 64
 * signatures.
 *
 * @example
 * ```ts
 * import { Prover } from '@firn/aggregation'
 * import { SecretKey, Signature } from '@firn/bls'
 * import { systemClock } from '@firn/runtime'
 *
 * const message = new TextEncoder().encode('unsigned message')
 * const secretKey = SecretKey.random()
 * const signature = Signature.encode(Signature.sign(secretKey, message))
 * const received = [{ publicKey: SecretKey.publicKey(secretKey), signature }]
 * const [verdict] = await Prover.create(systemClock).check(message, received)
 * ```
 */
export function create(clock: Clock): Prover {
  return {
    async check(message, received) {
      const verdicts: Verdict[] = received.map(() => 'malformed')
      const candidates: (BatchCheck.Candidate & { readonly place: number })[] = []
      for (const [place, { publicKey, signature: bytes }] of received.entries()) {
        if (place > 0 && place % GROUP === 0) await clock.sleep(0)
        const signature = decode(bytes)
        if (signature !== undefined) candidates.push({ place, publicKey, signature })
      }
      const results = await BatchCheck.check(message, candidates, clock)
      for (const [index, { place }] of candidates.entries()) verdicts[place] = results[index] ?? 'wrong'
      return verdicts
    },
    async aggregate(message, signers) {
      const sum = Signature.aggregate(signers.map(({ signature }) => signature))
      // The bytes are decoded again, because the receiver decodes them as well.
      const signature = Signature.decode(sum.compressed)
      const publicKey = PublicKey.aggregate(signers.map((signer) => signer.publicKey))
      return Signature.verify(publicKey, message, signature) ? sum.compressed : undefined
    },
  }
}

function decode(bytes: Uint8Array): Signature.Signature | undefined {
  try {
    return Signature.decode(bytes)
  } catch {
    return undefined
  }
}
