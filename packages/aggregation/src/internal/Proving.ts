import * as BatchCheck from '../BatchCheck.ts'
import * as Collection from '../Collection.ts'
import * as Entry from '../Entry.ts'
import type { State } from './State.ts'

const WRONG = 'not this validator’s signature of this message'

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
 * Verifies every unverified signature. Valid signatures are counted and cached, invalid ones are removed. If
 * another node of the same validator has also responded, its signature is verified next.
 */
export async function proveAll(state: State, isClosed: () => boolean): Promise<void> {
  const { collection, counters, job, tools } = state
  for (let pending = candidates(state); pending.length > 0; pending = candidates(state)) {
    counters.batches += 1
    const results = await BatchCheck.check(job.message, pending, tools.clock)
    if (isClosed()) return
    for (const [place, { entry, signature }] of pending.entries()) {
      const proved = results[place]
      if (proved !== undefined) {
        Collection.update(collection, Entry.prove(entry, proved))
        tools.cache.add(job.messageId, proved)
      } else {
        counters.wrongSignatures += 1
        const failure = { outcome: 'bad-signature', text: WRONG } as const
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
      ? [{ entry, publicKey: entry.publicKey, signature: entry.proved.signature }]
      : [],
  )
  const results = await BatchCheck.check(job.message, recalled, tools.clock)
  const wrong = recalled.filter((_, place) => results[place] === undefined)
  for (const { entry } of wrong) {
    tools.cache.remove(job.messageId, entry.publicKey)
    Collection.update(collection, Entry.disprove(entry))
  }
  return wrong.length > 0
}

interface Pending extends BatchCheck.Candidate {
  readonly entry: Entry.Entry
}

function candidates({ collection }: State): Pending[] {
  if (collection.counts.candidate === 0) return []
  return collection.entries.flatMap((entry) => {
    if (Entry.phaseOf(entry) !== 'candidate') return []
    const signature = Entry.candidateOf(entry)
    return signature === undefined ? [] : [{ entry, publicKey: entry.publicKey, signature }]
  })
}
