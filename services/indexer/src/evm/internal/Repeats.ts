/** Returns whether an event is to be logged. Of each kind, the `least`th event within ten minutes is. */
export type Repeats = (kind: string) => boolean

const WINDOW_MS = 600_000
/** Maximum number of kinds that are remembered. */
const MOST = 128

/** Creates the memory of a log of repeated events, such as failures, so that each kind is logged once in ten minutes. */
export function createRepeats(now: () => number, least: number): Repeats {
  const kinds = new Map<string, { readonly since: number; count: number }>()
  return (kind) => {
    if (kinds.size > MOST) kinds.clear()
    const known = kinds.get(kind)
    const current =
      known === undefined || now() - known.since > WINDOW_MS ? { since: now(), count: 0 } : known
    current.count += 1
    kinds.set(kind, current)
    return current.count === least
  }
}
