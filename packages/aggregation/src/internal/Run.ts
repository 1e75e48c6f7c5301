import { Hex, Id, isFirnError } from '@firn/codec'
import type { Attributes, Span } from '@firn/runtime'
import { AggregationError } from '../AggregationError.ts'
import type { AggregationResult } from '../AggregationResult.ts'
import * as Collection from '../Collection.ts'
import * as Plan from '../Plan.ts'
import * as Alarm from './Alarm.ts'
import { assemble, type ProvedSigner } from './Assembly.ts'
import * as Callers from './Callers.ts'
import { type End, quorumFailure } from './Failures.ts'
import * as Inquiry from './Inquiry.ts'
import { judge } from './Judgement.ts'
import * as Outlook from './Outlook.ts'
import { proveAll, recall, recheckRecalled } from './Proving.ts'
import { build } from './ReportBuilder.ts'
import { progressOf } from './RunProgress.ts'
import { nextDue, tick } from './Schedule.ts'
import { type Job, type State, startCounting, type Tools } from './State.ts'

/** One aggregation, for one caller or for several callers with equal requests. */
export interface Run {
  /** True once the last caller is settled; the run does nothing after that. */
  readonly closed: boolean
  /** The run as a part of the trace of its first caller. */
  readonly span: Span
  /** Adds a caller and returns the promise of that caller's result. The first caller starts the work. */
  join(caller: Callers.Caller): Promise<AggregationResult>
}

/** Number of validators that all runs together query in one turn of the event loop. Each takes about 40 µs. */
export const QUERIES_PER_TURN = 64

interface Loop extends State {
  readonly callers: Callers.Callers
  readonly order: readonly number[]
  readonly alarm: Alarm.Alarm
  readonly hooks: Inquiry.RunHooks
  inquiry: Inquiry.Inquiry | undefined
  /** Time up to which all arrived responses have been read. Time-outs and deadlines are checked against this time. */
  inputReadAt: number
  /** True once a caller has received the signed message. */
  isSigned: boolean
  /** Code of the error that the last caller has received. */
  failure: string | undefined
  closed: boolean
  working: boolean
  again: boolean
}

/** Functions that a run calls. */
export interface RunEvents {
  /** Called once, when the last caller is settled. */
  readonly onClosed: () => void
  /** Called once for each request that leaves this machine. */
  readonly onRequestSent: () => void
}

/** Returns a run that starts with its first caller. */
export function create(tools: Tools, job: Job, { onClosed, onRequestSent }: RunEvents): Run {
  const controller = new AbortController()
  const close = () => {
    loop.closed = true
    loop.hooks.late.take = loop.isSigned ? () => undefined : tools.lateSignatures.handlerOf(job)
    loop.alarm.stop()
    loop.hooks.lane.close()
    controller.abort()
    endSpan(loop)
    onClosed()
  }
  const wake = () => wakeUp(loop)
  const collection = Collection.create(job.validatorSet, job.inactive)
  const loop: Loop = {
    tools,
    job,
    collection,
    counters: startCounting(),
    startedAt: tools.clock.now(),
    callers: Callers.create(close),
    order: Plan.order(
      collection.entries,
      ({ publicKey }) => tools.standing.misconduct(publicKey, job.chain, tools.clock.now()) !== undefined,
    ),
    alarm: Alarm.create(tools.clock, () => {
      loop.inputReadAt = tools.clock.now()
      wake()
    }),
    hooks: {
      signal: controller.signal,
      span: tools.tracer.start('collect signatures', () => attributesOf(job)),
      lane: tools.lanes.open(),
      wake,
      deadline: () => loop.callers.latest,
      retryUntil: () =>
        loop.callers.latestRetry(loop.inquiry === undefined ? 0 : Outlook.defaultWaitMs(loop.inquiry)),
      onRequestSent,
      late: {
        take: (index, place, bytes) => {
          loop.inquiry?.late.push({ index, place, bytes })
          wake()
        },
      },
    },
    inquiry: undefined,
    inputReadAt: tools.clock.now(),
    isSigned: false,
    failure: undefined,
    closed: false,
    working: false,
    again: false,
  }
  return {
    get closed() {
      return loop.closed
    },
    span: loop.hooks.span,
    join(caller) {
      const promise = loop.callers.add(caller)
      wake()
      return promise
    },
  }
}

function wakeUp(loop: Loop): void {
  loop.again = true
  if (loop.working || loop.closed) return
  loop.working = true
  queueMicrotask(() => void work(loop))
}

async function work(loop: Loop): Promise<void> {
  try {
    loop.inquiry ??= start(loop)
    const { inquiry } = loop
    while (loop.again && !loop.closed) {
      loop.again = false
      await turn(loop, inquiry)
      loop.callers.notify(() => progressOf(loop))
    }
    if (loop.closed) return
    if (Collection.isExhausted(loop.collection)) loop.callers.notifyWaiting()
    loop.alarm.set(Math.min(nextDue(inquiry), loop.callers.earliest))
  } catch (error) {
    settle(loop, () => true, error as Error)
  } finally {
    loop.working = false
  }
}

function start(loop: Loop): Inquiry.Inquiry {
  recall(loop)
  return Inquiry.create(loop, loop.hooks)
}

/**
 * Processes the received responses, runs due timers, and then either ends the run or queries more validators.
 */
async function turn(loop: Loop, inquiry: Inquiry.Inquiry): Promise<void> {
  const { needed, target } = loop.job.target
  const hasTarget = () => Collection.collected(loop.collection) >= target
  Inquiry.takeAnswers(inquiry, hasTarget)
  tick(inquiry, loop.inputReadAt)
  // Verification may remove invalid signatures, so the outlook is evaluated again after it.
  if (hasTarget() || loop.callers.some(Outlook.hopeless(inquiry))) await proveAll(loop, () => loop.closed)
  if (loop.closed) return
  const isDone = Outlook.hopeless(inquiry)
  if (loop.callers.some(isDone)) await conclude(loop, isDone, false)
  if (loop.closed) return
  const { inputReadAt } = loop
  if (loop.callers.earliest <= inputReadAt)
    await conclude(loop, (caller) => Callers.deadlineOf(caller) <= inputReadAt, true)
  if (loop.closed) return
  await sendWave(loop, inquiry)
  if (loop.closed) return
  // If no response is expected on time, signatures are verified early, so that invalid ones can be replaced.
  const { counts, weights } = loop.collection
  if (counts.waiting === 0 && weights.signed < needed && Collection.collected(loop.collection) >= needed) {
    await proveAll(loop, () => loop.closed)
    loop.again = true
  }
  if (inquiry.arrived.length > 0) loop.again = true
}

async function sendWave(loop: Loop, inquiry: Inquiry.Inquiry): Promise<void> {
  const { needed, goal } = loop.job.target
  if (Collection.reachable(loop.collection) < needed) return
  const isFirst = inquiry.requested === 0
  let isAny = false
  // Waves are repeated until one is empty, because a validator may turn out to be unconnected only when it is queried.
  // A large wave is sent in parts, so that it does not block the event loop.
  for (let wave = next(loop, goal); wave.length > 0; wave = next(loop, goal)) {
    const part = wave.slice(0, QUERIES_PER_TURN)
    const turn = loop.tools.pace.take(part.length)
    if (turn !== undefined) await turn
    if (loop.closed) return
    for (const index of part) Inquiry.ask(inquiry, index)
    isAny = true
  }
  if (isAny && !isFirst) loop.counters.hedges += 1
}

function next({ collection, order }: Loop, goal: bigint): number[] {
  return Plan.wave(collection, order, goal)
}

/** Settles the callers for which `isDone` returns true. */
async function conclude(loop: Loop, isDone: IsDone, atDeadline: boolean): Promise<void> {
  await proveAll(loop, () => loop.closed)
  if (loop.closed) return
  judge(loop, atDeadline)
  if (loop.collection.weights.signed < loop.job.target.needed) {
    settle(loop, isDone, quorumFailure(report(loop, [], atDeadline), atDeadline ? 'deadline' : endOf(loop)))
    return
  }
  const outcome = await finish(loop, atDeadline)
  if (loop.closed) return
  if (outcome instanceof Error && (await recheckRecalled(loop)) && !loop.closed) {
    // A cached signature was invalid and has been removed, so the run continues if there is time.
    if (atDeadline) return conclude(loop, isDone, true)
    loop.again = true
    return
  }
  settle(loop, isDone, outcome)
}

/** Returns why the run ends before the deadline without a quorum. */
function endOf({ collection, job }: Loop): End {
  const { counts } = collection
  const isRetryPossible = counts.silent + counts['not-yet'] > 0
  return isRetryPossible && Collection.reachable(collection) >= job.target.needed ? 'no-time' : 'impossible'
}

type IsDone = (caller: Callers.Caller) => boolean

function settle(loop: Loop, isDone: IsDone, outcome: AggregationResult | Error): void {
  loop.isSigned ||= !(outcome instanceof Error)
  loop.failure = isFirnError(outcome) ? outcome.code : undefined
  loop.callers.settle(isDone, outcome)
}

function attributesOf({ messageId, unsigned, validatorSet, quorumPercentage }: Job): Attributes {
  return {
    'avalanche.message_id': Hex.encode(messageId),
    'avalanche.source_chain_id': Id.format(unsigned.sourceChainID),
    'firn.validators': validatorSet.validators.length,
    'firn.quorum_percentage': quorumPercentage,
  }
}

function endSpan({ collection, counters, hooks, isSigned, failure = 'AGGREGATION_ABORTED' }: Loop): void {
  const facts = {
    'firn.signatures': collection.counts.signed,
    'firn.requests': counters.requests,
    'firn.from_cache': counters.fromCache,
  }
  hooks.span.end(facts, isSigned ? undefined : failure)
}

async function finish(loop: Loop, atDeadline: boolean): Promise<AggregationResult | AggregationError> {
  const { job, collection, tools } = loop
  const proved: ProvedSigner[] = collection.entries.flatMap(({ index, weight, publicKey, proved }) =>
    // The receiver verifies with the keys of the set. A corrupt cache may return a signature of another key.
    proved === undefined ? [] : [{ index, weight, publicKey, signature: proved.signature }],
  )
  const parts = { ...job, target: job.target.target }
  const { signedMessage, signers, verification } = await assemble(proved, parts, tools.prover)
  if (!verification.ok) {
    return new AggregationError(
      'AGGREGATION_VERIFICATION',
      `the assembled message does not verify: ${verification.code}: ${verification.reason}`,
      { details: { ...verification } },
    )
  }
  return {
    signedMessage,
    signers,
    signedWeight: verification.signedWeight,
    totalWeight: job.target.total,
    neededWeight: job.target.needed,
    report: report(loop, signers, atDeadline),
  }
}

function report(loop: Loop, signers: readonly number[], atDeadline: boolean) {
  const { collection, counters, job, startedAt, tools } = loop
  const { entries } = collection
  return build({
    entries,
    signers,
    target: job.target,
    counters,
    startedAt,
    now: tools.clock.now(),
    atDeadline,
    lately: ({ publicKey }) => tools.standing.misconduct(publicKey, job.chain, tools.clock.now()),
  })
}
