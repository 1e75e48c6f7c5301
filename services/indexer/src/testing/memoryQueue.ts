import type { DueToken, TokenOutcome, TokenQueue } from '@firn/evm-store'

/** An in-memory queue of tokens, identified by their token ids. For tests only. */
export interface MemoryQueue extends TokenQueue {
  add(...tokens: readonly DueToken[]): void
  /** The last outcome of each token, by id. */
  readonly outcomes: ReadonlyMap<bigint, TokenOutcome>
}

/** Creates an empty in-memory queue. */
export function createMemoryQueue(): MemoryQueue {
  const rows = new Map<bigint, { token: DueToken; dueAt: bigint | undefined }>()
  const outcomes = new Map<bigint, TokenOutcome>()
  return {
    outcomes,
    add(...tokens) {
      for (const token of tokens) rows.set(token.tokenId, { token, dueAt: 0n })
    },
    async due(limit, now) {
      const due = [...rows.values()].filter(({ dueAt }) => dueAt !== undefined && dueAt <= now)
      return due.slice(0, limit).map(({ token }) => token)
    },
    async store(all) {
      for (const outcome of all) {
        const row = rows.get(outcome.tokenId)
        if (row === undefined) continue
        row.token = { ...row.token, attempts: outcome.attempts }
        row.dueAt = outcome.retryAt
        outcomes.set(outcome.tokenId, outcome)
      }
    },
  }
}
