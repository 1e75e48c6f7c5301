import type { Quorum } from '@firn/client/aggregator'
import type { Tone } from '../format/Tone.ts'
import type { Outcome } from '../state/useAggregation.ts'

/** What happened to the request to a validator, for people. */
export interface Words {
  readonly title: string
  readonly tone: Tone
  /** What the operator can do about it. */
  readonly remedy?: string
}

const NO_CONNECTION = 'Check that the node runs and that its staking port is reachable from the aggregator.'

/** Words for the outcomes of an aggregation. */
const OUTCOMES: Readonly<Record<string, Words>> = {
  signed: { title: 'signed', tone: 'good' },
  refused: {
    title: 'refused to sign',
    tone: 'bad',
    remedy: 'The node does not know or does not accept the message. Check that it follows the source chain.',
  },
  empty: {
    title: 'empty answer',
    tone: 'bad',
    remedy: 'Old nodes send this for messages that they do not know. Check the version of the node.',
  },
  'bad-signature': {
    title: 'wrong signature',
    tone: 'bad',
    remedy: 'Compare the BLS key of the node with the registered one.',
  },
  'timed-out': {
    title: 'timed out',
    tone: 'bad',
    remedy: 'The node is connected but did not answer in time.',
  },
  disconnected: { title: 'connection lost', tone: 'bad', remedy: NO_CONNECTION },
  'not-connected': { title: 'no connection', tone: 'bad', remedy: NO_CONNECTION },
  inactive: {
    title: 'inactive',
    tone: 'bad',
    remedy: 'The balance of this L1 validator is used up. Increase it with an IncreaseL1ValidatorBalanceTx.',
  },
  unanswered: { title: 'no answer yet', tone: 'warn' },
  'not-sent': { title: 'not sent', tone: 'warn' },
  'not-asked': { title: 'not asked', tone: 'quiet' },
}

/** Words for the states of validators without an aggregation. */
const STATES: Readonly<Record<Quorum['validators'][number]['state'], Words>> = {
  answering: { title: 'connected', tone: 'good' },
  failing: { title: 'failing', tone: 'warn' },
  disconnected: { title: 'no connection', tone: 'bad', remedy: NO_CONNECTION },
  inactive: OUTCOMES['inactive'] as Words,
}

/** A validator of the signing subnet, and its state in the aggregation. */
export interface Signer {
  readonly nodeIds: readonly string[]
  readonly weight: bigint
  readonly words: Words
  /** What the validator or the network said. */
  readonly detail: string
  readonly isMissing: boolean
  readonly latencyMs?: number | undefined
}

/** Returns a validator after or during an aggregation. */
export function fromOutcome({ nodeIds, weight, outcome, code, text, latencyMs }: Outcome): Signer {
  const words = OUTCOMES[outcome] ?? { title: outcome, tone: 'quiet' }
  const said = [...(code === undefined ? [] : [`code ${code}`]), ...(text === undefined ? [] : [text])]
  return {
    nodeIds,
    weight: BigInt(weight),
    words,
    detail: said.join(': '),
    isMissing: words.tone === 'bad' || words.tone === 'warn',
    latencyMs,
  }
}

/** Returns a validator before an aggregation. */
export function fromState({ nodeIds, weight, state, reason }: Quorum['validators'][number]): Signer {
  const words = STATES[state]
  return { nodeIds, weight: BigInt(weight), words, detail: reason ?? '', isMissing: words.tone === 'bad' }
}

/** Validators with the same outcome. */
export interface Group {
  readonly words: Words
  readonly detail: string
  readonly count: number
  readonly weight: bigint
}

/** Returns why weight is missing: the missing validators by outcome, those with the most weight first. */
export function missing(signers: readonly Signer[]): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const { words, detail, weight } of signers.filter(({ isMissing }) => isMissing)) {
    const key = `${words.title} ${detail}`
    const { count, weight: before } = groups.get(key) ?? { count: 0, weight: 0n }
    groups.set(key, { words, detail, count: count + 1, weight: before + weight })
  }
  return [...groups.values()].sort((one, other) => (one.weight < other.weight ? 1 : -1))
}

/** Returns a share of a weight in percent with one decimal, such as `33.3 %`. */
export function share(weight: bigint, total: bigint): string {
  if (total === 0n) return '–'
  return `${(Number((weight * 10_000n) / total) / 100).toFixed(1)} %`
}
