/**
 * How far the answers of one node are believed. A node that has returned wrong data three times is used last, and its
 * answers are not compared with others. One wrong answer is forgotten every five minutes.
 */
export interface Trust {
  /** Records wrong data. `reason` says what was wrong. */
  lied(reason: string): void
  isTrusted(): boolean
  /** Returns why the node is used last; undefined if it is trusted. */
  warning(): string | undefined
}

/** Number of wrong answers from which a node is used last. */
const LIMIT = 3
/** Maximum number of wrong answers that are remembered, so that a node can regain its place. */
const MOST = 2 * LIMIT
/** Time in milliseconds after which one wrong answer is forgotten. */
const FORGOTTEN_MS = 300_000

/** Creates the trust in a node, which starts without wrong answers. `name` is the node's name without secrets. */
export function createTrust(name: string, now: () => number): Trust {
  let count = 0
  let since = now()
  let last = ''
  const forget = () => {
    const forgotten = Math.floor((now() - since) / FORGOTTEN_MS)
    if (forgotten <= 0) return
    count = Math.max(count - forgotten, 0)
    since += forgotten * FORGOTTEN_MS
  }
  const isTrusted = () => {
    forget()
    return count < LIMIT
  }
  return {
    lied(reason) {
      forget()
      if (count === 0) since = now()
      count = Math.min(count + 1, MOST)
      last = reason
    },
    isTrusted,
    warning: () =>
      isTrusted() ? undefined : `${name} has returned wrong or incomplete data and is used last: ${last}`,
  }
}
