import type * as Fault from './Fault.ts'

/** The outcome of one validator in the report of a signature aggregator. */
export interface Fate {
  readonly nodeIds: readonly string[]
  readonly outcome: string
}

/** Behaviour of a validator: the kind of its fault, or `none`. */
export type Behaviour = Fault.SigningFault['kind'] | 'none'

/**
 * Outcomes that a report may give for each behaviour, besides {@link NEUTRAL}. A garbage frame ends the connection or is
 * followed by a response that is not a signature, depending on which arrives first.
 */
const TRUE_OUTCOMES: Readonly<Record<Behaviour, readonly string[]>> = {
  none: ['signed'],
  slow: ['signed', 'timed-out'],
  silent: ['timed-out'],
  refuse: ['refused'],
  'wrong-signature': ['bad-signature'],
  'other-message': ['bad-signature'],
  'short-signature': ['bad-signature'],
  'long-signature': ['bad-signature'],
  infinity: ['bad-signature'],
  cancelling: ['bad-signature'],
  repeat: ['signed'],
  disconnect: ['disconnected', 'not-connected'],
  garbage: ['bad-signature', 'disconnected', 'not-connected'],
  empty: ['empty'],
}

/** Outcomes that say nothing about the validator. */
export const NEUTRAL: readonly string[] = ['unanswered', 'not-sent', 'not-asked']

/** Returns the fates that contradict what the validators did, as sentences. */
export function falseReasons(
  fates: readonly Fate[],
  behaviours: ReadonlyMap<string, Behaviour>,
): readonly string[] {
  return fates.flatMap(({ nodeIds, outcome }) => {
    const known = nodeIds.map((nodeId) => behaviours.get(nodeId) ?? 'none')
    const isTrue = NEUTRAL.includes(outcome) || known.some((one) => TRUE_OUTCOMES[one].includes(outcome))
    return isTrue
      ? []
      : [`${nodeIds.join(', ')} is reported as ${outcome}, but its fault is ${known.join(', ')}`]
  })
}
