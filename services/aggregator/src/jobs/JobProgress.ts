import type { Misconduct, Progress, Report } from '@firn/aggregation'
import { NodeId } from '@firn/codec'
import type { Static } from 'typebox'
import * as Schema from '../Schema.ts'
import type { Signed } from '../signing/Signatures.ts'

const SignerJson = Schema.object('ProgressSigner', 'A validator that has signed', {
  nodeIds: Schema.nodeIds(),
  weight: Schema.weight('Weight of the validator'),
})

const FailingJson = Schema.object('ProgressFailure', 'A validator that has not signed', {
  nodeIds: Schema.nodeIds(),
  weight: Schema.weight('Weight of the validator'),
  outcome: Schema.text('Latest reason, as in the report', 'timed-out'),
  code: Schema.optional(Schema.integer('Code of the application error that the validator sent', 1)),
  text: Schema.optional(
    Schema.text('Text of the application error that the validator sent', 'unknown message'),
  ),
  reportedBy: Schema.optional(
    Schema.text('Instance of the aggregator of the same fleet that has received the answer', 'aggregator-2'),
  ),
})

/** JSON schema of the progress of one message. Weights are decimal strings, because they can exceed 2^53. */
const MessageProgressJson = Schema.object('MessageProgress', 'Progress of one message', {
  index: Schema.integer('Place of the message in the batch; 0 for a single message', 0),
  messageId: Schema.optional(
    Schema.text('Id of the unsigned message in hex, once it is known', '0d'.repeat(32)),
  ),
  state: Schema.text('State: waiting, collecting, signed or failed', 'collecting'),
  collectedWeight: Schema.optional(Schema.weight('Weight of the validators that have signed so far')),
  neededWeight: Schema.optional(Schema.weight('Weight that the quorum requires')),
  totalWeight: Schema.optional(Schema.weight('Weight of all validators')),
  signed: Schema.optional(Schema.list(SignerJson, 'Validators that have signed; only for a single message')),
  failing: Schema.optional(
    Schema.list(
      FailingJson,
      'Validators that have not signed, with the latest reason; they may be queried again; only for a single message',
    ),
  ),
})

/** JSON schema of the progress of a job. */
export const JobProgressJson = Schema.object('JobProgress', 'Progress of a job', {
  messages: Schema.integer('Number of messages; 0 while they are not known yet', 2),
  signed: Schema.integer('Number of signed messages', 1),
  failed: Schema.integer('Number of failed messages', 0),
  current: Schema.list(MessageProgressJson, 'Messages in their order'),
})

type MessageJson = Static<typeof MessageProgressJson>
type ValidatorJson = Static<typeof SignerJson> | Static<typeof FailingJson>

/** Receives the progress of one message. */
export interface Watcher {
  started(messageId: string | undefined): void
  readonly progressed: (progress: Progress) => void
  signed(signed: Signed): void
  /** `report` is present if the message missed its quorum. */
  failed(report: Report | undefined): void
}

/** The progress of one job. Created by {@link createTracker}. */
export interface Tracker {
  /** Sets the number of messages. It is known late if the messages come from a source chain. */
  begin(messages: number): void
  watcher(index: number): Watcher
  /** Returns the progress of all messages. The validators are included only for a single message. */
  view(options: { readonly validators: boolean }): Static<typeof JobProgressJson>
  /**
   * Returns the progress of what has changed since the last call, with the validators that have changed; undefined if
   * nothing has changed.
   */
  changes(): Static<typeof JobProgressJson> | undefined
  /** Number of validators of a single message; 0 if it is not known, or for several messages. */
  readonly validators: number
}

interface Message {
  readonly messageId?: string
  readonly state: 'waiting' | 'collecting' | 'signed' | 'failed'
  readonly collected?: bigint
  readonly needed?: bigint
  readonly total?: bigint
}

/** A validator that has signed or failed. */
interface Verdict {
  readonly index: number
  readonly nodeIds: readonly Uint8Array[]
  readonly weight: bigint
  readonly failure?: Misconduct
}

/** Creates a tracker. `onChange` is called at each change. */
export function createTracker(onChange: () => void): Tracker {
  let messages: Message[] = []
  let verdicts: () => readonly Verdict[] = () => []
  let validators = 0
  const changed = new Set<number>()
  /** The progress of each message in the last changes, by its index. */
  const sentMessages = new Map<number, string>()
  /** The state of each validator in the last changes, by its index. */
  const sentVerdicts = new Map<number, string>()

  const update = (index: number, message: Partial<Message>) => {
    messages[index] = { ...(messages[index] ?? { state: 'waiting' }), ...message }
    changed.add(index)
    onChange()
  }
  const isSingle = () => messages.length === 1
  const settle = (index: number, state: 'signed' | 'failed', report: Report | undefined) => {
    if (report !== undefined && isSingle()) {
      // The report replaces the run, which can then be freed.
      const last = verdictsOf(report)
      verdicts = () => last
    } else verdicts = () => []
    const { signedWeight: collected, neededWeight: needed, totalWeight: total } = report ?? {}
    update(index, {
      state,
      ...(report === undefined ? {} : { collected, needed, total }),
    } as Partial<Message>)
  }
  const count = (state: Message['state']) => messages.filter((message) => message.state === state).length
  const totals = () => ({ messages: messages.length, signed: count('signed'), failed: count('failed') })
  return {
    begin: (count) => {
      messages = Array.from({ length: count }, () => ({ state: 'waiting' }))
      for (let index = 0; index < count; index++) changed.add(index)
      onChange()
    },
    watcher: (index) => ({
      started: (messageId) =>
        update(index, { state: 'collecting', ...(messageId === undefined ? {} : { messageId }) }),
      progressed: ({ collectedWeight: collected, neededWeight: needed, totalWeight: total, ...progress }) => {
        if (isSingle()) {
          const all = progress.validators
          verdicts = () => all().filter(({ hasSigned, failure }) => hasSigned || failure !== undefined)
        }
        update(index, { collected, needed, total })
      },
      signed: ({ result }) => settle(index, 'signed', result.report),
      failed: (report) => settle(index, 'failed', report),
    }),
    view: (options) => ({
      ...totals(),
      current: messages.map((message, index) => ({
        ...toJson(index, message),
        ...(options.validators && isSingle() ? groups(verdicts()) : {}),
      })),
    }),
    changes: () => {
      const indices = [...changed].sort((one, other) => one - other)
      changed.clear()
      const current = indices.map((index) => toJson(index, messages[index] as Message))
      const fresh = current.filter((message) => isNew(sentMessages, message.index, JSON.stringify(message)))
      if (!isSingle()) return fresh.length === 0 ? undefined : { ...totals(), current: fresh }
      const all = verdicts()
      validators = Math.max(validators, all.length)
      const changedVerdicts = all.filter((verdict) => isNew(sentVerdicts, verdict.index, keyOf(verdict)))
      if (fresh.length === 0 && changedVerdicts.length === 0) return undefined
      return {
        ...totals(),
        current: current.map((message) => ({ ...message, ...groups(changedVerdicts) })),
      }
    },
    get validators() {
      return validators
    },
  }
}

/** Stores a value under its key, and returns whether it differs from the value before. */
function isNew(known: Map<number, string>, key: number, value: string): boolean {
  if (known.get(key) === value) return false
  known.set(key, value)
  return true
}

function verdictsOf({ validators }: Report): readonly Verdict[] {
  return validators.flatMap(({ index, nodeIds, weight, outcome, code, text: reason, reportedBy }) => {
    if (outcome === 'not-asked' || outcome === 'unanswered' || outcome === 'not-sent') return []
    if (outcome === 'signed') return [{ index, nodeIds, weight }]
    const failure = {
      outcome,
      ...(code === undefined ? {} : { code }),
      ...(reason === undefined ? {} : { text: reason }),
      ...(reportedBy === undefined ? {} : { reportedBy }),
    }
    return [{ index, nodeIds, weight, failure }]
  })
}

function keyOf({ failure }: Verdict): string {
  return failure === undefined ? 'signed' : `${failure.outcome} ${failure.code}`
}

function toJson(index: number, { messageId, state, collected, needed, total }: Message): MessageJson {
  return {
    index,
    ...(messageId === undefined ? {} : { messageId }),
    state,
    ...(collected === undefined ? {} : { collectedWeight: collected.toString() }),
    ...(needed === undefined ? {} : { neededWeight: needed.toString() }),
    ...(total === undefined ? {} : { totalWeight: total.toString() }),
  }
}

function groups(verdicts: readonly Verdict[]): Pick<MessageJson, 'signed' | 'failing'> {
  const json = ({ nodeIds, weight, failure }: Verdict): ValidatorJson => ({
    nodeIds: nodeIds.map(NodeId.format),
    weight: weight.toString(),
    ...failure,
  })
  return {
    signed: verdicts.filter(({ failure }) => failure === undefined).map(json),
    failing: verdicts.filter(({ failure }) => failure !== undefined).map(json) as NonNullable<
      MessageJson['failing']
    >,
  }
}
