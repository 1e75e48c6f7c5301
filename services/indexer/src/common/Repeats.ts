/** What tells the kinds of errors apart. */
interface Failure {
  readonly code: string
  readonly message: string
}

/** Returns whether a failure of a node is to be logged. Of each kind, the `least`th within ten minutes is. */
export type Repeats = (failure: Failure) => boolean

const WINDOW_MS = 600_000
/** Maximum number of kinds that are remembered. */
const MOST = 128
/** Number of characters of a message that tell its kind. */
const COMPARED = 80

/**
 * Creates the memory of a log of one node's failures. A kind is logged again after ten minutes, also if the node works
 * meanwhile, because a node may fail in many ways between good answers.
 */
export function createRepeats(now: () => number, least: number): Repeats {
  const kinds = new Map<string, { readonly since: number; count: number }>()
  return (failure) => {
    const kind = kindOf(failure)
    if (kinds.size > MOST) kinds.clear()
    const known = kinds.get(kind)
    const current =
      known === undefined || now() - known.since > WINDOW_MS ? { since: now(), count: 0 } : known
    current.count += 1
    kinds.set(kind, current)
    return current.count === least
  }
}

/** Returns a failure's code and the start of its message without numbers and methods, which differ between failures of a kind. */
function kindOf({ code, message }: Failure): string {
  return `${code} ${message.replaceAll(/0x[0-9a-fA-F]+|\d+|\(\w+\)/g, '').slice(0, COMPARED)}`
}
