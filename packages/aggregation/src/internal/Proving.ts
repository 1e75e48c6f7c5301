import * as Collection from '../Collection.ts'
import * as Entry from '../Entry.ts'
import type { Received, Verdict } from '../Prover.ts'
import { entryAt, type Job, type State, type Tools } from './State.ts'

/** The texts of failures by verdict. */
const FLAWS = {
  malformed: 'not a valid BLS signature: the 96 bytes are not a compressed point in the G2 subgroup',
  wrong: 'not this validator’s signature of this message',
}

/** Adds the signatures that are cached from earlier runs. */
export function recall(state: State): void {
  const { cache } = state.tools
  for (const entry of state.collection.entries) {
    const known = entry.inactive ? undefined : cache.get(state.job.messageId, entry.publicKey)
    if (known === undefined) continue
    Collection.update(state.collection, Entry.prove(entry, known, true))
    state.counters.fromCache += 1
  }
}

/**
 * Returns the number of validators whose signatures may be requested: 0 if enough signatures are cached, if so many
 * final refusals are remembered that the quorum is out of reach, or if the caller knows that all refuse.
 */
export function countMissing({ cache, clock, refusals }: Tools, job: Job): number {
  if (job.refusal !== undefined) return 0
  const { messageId, requestKey, validatorSet, inactive, target } = job
  const now = clock.now()
  let signed = 0n
  let missing = 0n
  let count = 0
  for (const [index, { nodeIds, publicKey, weight }] of validatorSet.validators.entries()) {
    if (inactive.has(index)) continue
    if (cache.get(messageId, publicKey) !== undefined) signed += weight
    else if (!nodeIds.every((nodeId) => refusals.recall(requestKey, nodeId, now)?.isFinal)) {
      missing += weight
      count += 1
    }
  }
  return signed >= target.target || signed + missing < target.needed ? 0 : count
}

/**
 * Verifies every unverified signature. Valid signatures are counted and cached, invalid ones are removed. If
 * another node of the same validator has also responded, its signature is verified next.
 */
export async function proveAll(state: State, isClosed: () => boolean): Promise<void> {
  const { collection, counters, job, tools } = state
  for (let pending = candidates(state); pending.length > 0; pending = candidates(state)) {
    counters.batches += 1
    const verdicts = await tools.prover.check(job.message, pending)
    for (const verdict of verdicts) if (typeof verdict === 'object') tools.cache.add(job.messageId, verdict)
    if (isClosed()) return
    for (const [place, { index, signature, reportedBy }] of pending.entries()) {
      const verdict = verdicts[place] as Verdict
      // While other threads verified the signature, the entry may have changed.
      const entry = entryAt(state, index)
      if (typeof verdict === 'object') Collection.update(collection, Entry.prove(entry, verdict))
      else {
        if (reportedBy === undefined) counters[verdict === 'malformed' ? 'malformed' : 'wrongSignatures'] += 1
        const failure = { outcome: 'bad-signature', text: FLAWS[verdict], reportedBy } as const
        Collection.update(collection, Entry.reject(entry, signature, failure))
      }
    }
  }
}

/**
 * Verifies the signatures from the cache again, removes the invalid ones, and returns whether there were any.
 */
export async function recheckRecalled(state: State): Promise<boolean> {
  const { collection, job, tools } = state
  const recalled = collection.entries.flatMap((entry) =>
    entry.fromCache && entry.proved !== undefined
      ? [{ entry, publicKey: entry.publicKey, signature: entry.proved.signature.compressed }]
      : [],
  )
  const verdicts = await tools.prover.check(job.message, recalled)
  const wrong = recalled.filter((_, place) => typeof verdicts[place] !== 'object')
  for (const { entry } of wrong) {
    tools.cache.remove(job.messageId, entry.publicKey)
    Collection.update(collection, Entry.disprove(entry))
  }
  return wrong.length > 0
}

interface Pending extends Received, Entry.Candidate {
  readonly index: number
}

function candidates({ collection }: State): Pending[] {
  if (collection.counts.candidate === 0) return []
  return collection.entries.flatMap((entry) => {
    if (collection.phases[entry.index] !== 'candidate') return []
    const candidate = Entry.candidateOf(entry)
    return candidate === undefined ? [] : [{ index: entry.index, publicKey: entry.publicKey, ...candidate }]
  })
}
