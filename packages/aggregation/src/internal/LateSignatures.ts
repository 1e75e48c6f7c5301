import type { Clock } from '@firn/runtime'
import type { ValidatorSet } from '@firn/warp'
import type { Prover, Received } from '../Prover.ts'
import { readResponse } from '../Reading.ts'
import type { SignatureCache } from '../SignatureCache.ts'

/**
 * Handles late responses of nodes. A transport may keep a reference to the handler long after the run. Therefore
 * `take` is replaced at the end of the run with a function that keeps little of the run in memory.
 */
export interface LateHandler {
  take: (index: number, place: number, bytes: Uint8Array) => void
}

/** The message of a run and the validators that sign it. */
export interface SignedBySet {
  readonly message: Uint8Array
  /** Id of the message, 32 bytes. */
  readonly messageId: Uint8Array
  readonly validatorSet: ValidatorSet.ValidatorSet
}

/**
 * Signatures that arrived after the end of a run without a quorum. They are verified and cached, so that the
 * caller's next attempt starts with them. Created by {@link create}.
 */
export interface LateSignatures {
  /** Returns a function that takes the late responses of one run. */
  handlerOf(run: SignedBySet): LateHandler['take']
}

/** Milliseconds for which late signatures of a message are collected. Then they are verified together. */
const COLLECT_MS = 100
/** Maximum number of signatures that wait for verification. Further ones are dropped. */
const MAX_WAITING = 4_096

/** Returns an empty collection that stores verified signatures in `cache`. */
export function create(clock: Clock, prover: Prover, cache: SignatureCache): LateSignatures {
  let waiting = 0
  return {
    handlerOf({ message, messageId, validatorSet }) {
      let received: Received[] = []
      const verify = async () => {
        await clock.sleep(COLLECT_MS)
        const batch = received
        received = []
        const verdicts = await prover.check(message, batch).catch(() => [])
        for (const verdict of verdicts) if (typeof verdict === 'object') cache.add(messageId, verdict)
        waiting -= batch.length
      }
      return (index, _, bytes) => {
        const publicKey = validatorSet.validators[index]?.publicKey
        if (publicKey === undefined || waiting >= MAX_WAITING) return
        if (cache.get(messageId, publicKey) !== undefined) return
        const reading = readResponse(bytes)
        if (reading.kind === 'failure') return
        waiting += 1
        if (received.push({ publicKey, signature: reading.signature }) === 1) void verify()
      }
    },
  }
}
