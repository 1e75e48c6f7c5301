import type { Entry, Failure, Node } from '../Entry.ts'
import { phaseOf } from '../Entry.ts'
import type { Counters, Misconduct, Outcome, Reason, Report, ReportEntry } from '../Report.ts'
import type { Target } from '../Target.ts'

/** Input for a report. */
export interface Facts {
  readonly entries: readonly Entry[]
  /** Canonical indices of the signers in the signed message; empty if there is no message. */
  readonly signers: readonly number[]
  readonly target: Target
  readonly counters: Counters
  readonly startedAt: number
  readonly now: number
  /** True when the deadline ended the run, so that nodes without a response count as timed out. */
  readonly atDeadline: boolean
  /** Returns the failure that the standing records for the entry's validator. */
  readonly lately: (entry: Entry) => Misconduct | undefined
}

/** Returns the report of a run in its current state. */
export function build(facts: Facts): Report {
  const signers = new Set(facts.signers)
  const validators = facts.entries.map((entry) => describe(entry, signers.has(entry.index), facts))
  const signed = validators.filter(({ outcome }) => outcome === 'signed')
  return {
    validators,
    signedWeight: signed.reduce((sum, { weight }) => sum + weight, 0n),
    neededWeight: facts.target.needed,
    targetWeight: facts.target.target,
    totalWeight: facts.target.total,
    reasons: reasonsOf(validators),
    counters: { ...facts.counters },
    elapsedMs: facts.now - facts.startedAt,
  }
}

function describe(entry: Entry, inSignedMessage: boolean, facts: Facts): ReportEntry {
  const { index, weight, requests, latencyMs } = entry
  const why = reasonOf(entry, facts)
  const isOpen = why.outcome === 'not-asked' || why.outcome === 'unanswered' || why.outcome === 'not-sent'
  const lately = isOpen ? facts.lately(entry) : undefined
  return {
    index,
    nodeIds: entry.nodes.map(({ nodeId }) => nodeId),
    weight,
    outcome: why.outcome,
    ...(entry.fromCache && { fromCache: true }),
    ...(why.code !== undefined && { code: why.code }),
    ...(why.text !== undefined && { text: why.text }),
    ...(why.reportedBy !== undefined && { reportedBy: why.reportedBy }),
    ...(why.rememberedAt !== undefined && { rememberedMs: facts.now - why.rememberedAt }),
    ...(lately !== undefined && { lately }),
    ...(latencyMs !== undefined && { latencyMs }),
    requests,
    inSignedMessage,
  }
}

/** The outcome of a validator; `rememberedAt` as in {@link Failure}. */
interface Why extends Misconduct {
  readonly rememberedAt?: number
}

/** Returns the outcome of a validator from the outcomes of all its nodes. */
export function reasonOf(entry: Entry, facts: Pick<Facts, 'now' | 'atDeadline'>): Why {
  const phase = phaseOf(entry)
  if (phase === 'signed' || phase === 'inactive') return { outcome: phase }
  const reasons = entry.nodes.map((node) => reasonOfNode(node, facts))
  return reasons.reduce<Why>((best, why) => (telling(why) > telling(best) ? why : best), {
    outcome: 'not-asked',
  })
}

/**
 * Outcomes in ascending order of how informative they are. Of several nodes with the same key, the most
 * informative outcome represents the validator.
 */
const byTelling: readonly Outcome[] = [
  'not-asked',
  'not-connected',
  'not-sent',
  'unanswered',
  'timed-out',
  'disconnected',
  'empty',
  'refused',
  'bad-signature',
]

function telling({ outcome }: Misconduct): number {
  return byTelling.indexOf(outcome)
}

function reasonOfNode({ state, failure }: Node, { now, atDeadline }: Pick<Facts, 'now' | 'atDeadline'>): Why {
  // An earlier refusal is more informative than the missing response to the retry.
  if (failure !== undefined && !isStale(failure, state.kind)) return failure
  if (state.kind === 'queued')
    return { outcome: 'not-sent', text: `queued here for ${Math.round(now - state.at)} ms` }
  if (state.kind === 'asked') {
    const silent = `silent for ${Math.round(now - state.at)} ms`
    return { outcome: atDeadline && state.overdue ? 'timed-out' : 'unanswered', text: silent }
  }
  return { outcome: state.kind === 'candidate' ? 'unanswered' : 'not-asked' }
}

/** A “not connected” failure is outdated as soon as the node is connected again. */
function isStale({ outcome }: Failure, kind: Node['state']['kind']): boolean {
  return outcome === 'not-connected' && kind !== 'unconnected'
}

/** Outcomes whose texts differ only in the milliseconds. */
const TIMED: readonly Outcome[] = ['unanswered', 'timed-out', 'not-sent']

function reasonsOf(validators: readonly ReportEntry[]): Reason[] {
  const reasons = new Map<string, { -readonly [Key in keyof Reason]: Reason[Key] }>()
  for (const { outcome, code, text, weight, rememberedMs } of validators) {
    if (outcome === 'signed') continue
    // Refusals are grouped by code, because their texts may differ between nodes. Time-outs form one group,
    // because their texts differ only in the milliseconds.
    const key =
      outcome === 'refused'
        ? `${outcome} ${code}`
        : outcome === 'not-connected'
          ? `${outcome} ${text}`
          : outcome
    const reason = reasons.get(key)
    if (reason !== undefined) {
      reason.validators += 1
      reason.weight += weight
      if (rememberedMs !== undefined) reason.rememberedMs = Math.max(reason.rememberedMs ?? 0, rememberedMs)
    } else {
      const words = TIMED.includes(outcome) ? undefined : text
      reasons.set(key, {
        outcome,
        ...(code !== undefined && { code }),
        ...(words !== undefined && { text: words }),
        ...(rememberedMs !== undefined && { rememberedMs }),
        validators: 1,
        weight,
      })
    }
  }
  return [...reasons.values()].sort((a, b) => (a.weight === b.weight ? 0 : a.weight > b.weight ? -1 : 1))
}
