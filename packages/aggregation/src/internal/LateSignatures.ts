import { Signature } from '@firn/bls'
import { isFirnError } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import { Acp118 } from '@firn/warp'
import * as BatchCheck from '../BatchCheck.ts'
import type { SignatureCache } from '../SignatureCache.ts'
import type { LateHandler } from './Inquiry.ts'
import type { Job } from './State.ts'

/**
 * Signatures that arrived after the end of a run without a quorum. They are verified and cached, so that the
 * caller's next attempt starts with them. Created by {@link create}.
 */
export interface LateSignatures {
  /** Returns a function that takes the late responses of one run. */
  handlerOf(job: Job): LateHandler['take']
}

/** Milliseconds for which late signatures of a message are collected. Then they are verified together. */
const COLLECT_MS = 100
/** Maximum number of signatures that wait for verification. Further ones are dropped. */
const MAX_WAITING = 4_096

/** Returns an empty collection that stores verified signatures in `cache`. */
export function create(clock: Clock, cache: SignatureCache): LateSignatures {
  let waiting = 0
  return {
    handlerOf({ message, messageId, validatorSet }) {
      let candidates: BatchCheck.Candidate[] = []
      const verify = async () => {
        await clock.sleep(COLLECT_MS)
        const batch = candidates
        candidates = []
        for (const proved of await BatchCheck.check(message, batch, clock)) {
          if (proved !== undefined) cache.add(messageId, proved)
        }
        waiting -= batch.length
      }
      return (index, _, bytes) => {
        const publicKey = validatorSet.validators[index]?.publicKey
        const signature = decode(bytes)
        if (publicKey === undefined || signature === undefined || waiting >= MAX_WAITING) return
        if (cache.get(messageId, publicKey) !== undefined) return
        waiting += 1
        if (candidates.push({ publicKey, signature }) === 1) void verify()
      }
    },
  }
}

function decode(bytes: Uint8Array): Signature.Signature | undefined {
  try {
    const { signature } = Acp118.decodeResponse(bytes)
    return signature.length === 0 ? undefined : Signature.decode(signature)
  } catch (error) {
    if (!isFirnError(error)) throw error
    return undefined
  }
}
