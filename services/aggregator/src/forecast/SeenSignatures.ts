import type { Report } from '@firn/aggregation'
import { Hex } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import { LRUCache } from 'lru-cache'
import type { SetAtHeight } from '../p-chain/ValidatorSets.ts'

const MAX_SUBNETS = 256

/** The signatures of a subnet's validators that this process has received. */
export interface Seen {
  /** Time of the first signature, as returned by `clock.now()`. */
  readonly firstAt: number
  /** Compressed keys (bare hex) of the validators that have signed at least one message. */
  readonly signers: ReadonlySet<string>
}

/** Remembers which validators have signed a message since the start of the process. */
export interface SeenSignatures {
  /** Adds the validators that signed in a report. */
  record(at: SetAtHeight, report: Report): void
  /** Returns the records of a subnet (32 bytes); undefined if no validator has signed yet. */
  find(subnetId: Uint8Array): Seen | undefined
}

/** Creates an empty record. It keeps at most 256 subnets and, for each of them, the members of its last validator set. */
export function createSeenSignatures(clock: Pick<Clock, 'now'>): SeenSignatures {
  const seen = new LRUCache<string, Seen>({ max: MAX_SUBNETS })
  return {
    record: ({ subnetId, set }, report) => {
      const name = Hex.encodeBare(subnetId)
      const before = seen.get(name)
      const signed = new Set(
        report.validators.filter(({ outcome }) => outcome === 'signed').map(({ index }) => index),
      )
      const signers = set.validators
        .map(({ publicKey }) => Hex.encodeBare(publicKey.compressed))
        .filter((key, index) => signed.has(index) || before?.signers.has(key))
      if (signers.length === 0) return
      seen.set(name, { firstAt: before?.firstAt ?? clock.now(), signers: new Set(signers) })
    },
    find: (subnetId) => seen.get(Hex.encodeBare(subnetId)),
  }
}
