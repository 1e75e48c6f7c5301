import type {
  AggregatorFailure,
  JobProgress,
  ProgressFailure,
  ReportedValidator,
  SignatureAggregationResponse,
  SignatureReport,
} from '@firn/client/aggregator'
import { useEffect, useState } from 'preact/hooks'
import { ConsoleError } from '../ConsoleError.ts'
import type { Aggregator } from './Aggregator.ts'

/** What to sign, as the body of the request. */
export interface SigningRequest {
  readonly message: string
  readonly quorumPercentage: number
  readonly pChainHeight?: number
  /** Time for the aggregation in milliseconds. */
  readonly deadlineMs: number
  /** Time for validators that do not know the message yet, in milliseconds. */
  readonly waitMs: number
}

/** Outcome for one validator, until the report completes it. */
export type Outcome = ProgressFailure & Partial<ReportedValidator>

/** An aggregation, and the state of each validator. */
export interface Aggregation {
  readonly state: 'idle' | 'running' | 'signed' | 'failed'
  /** Weights as decimal text; undefined until the aggregator knows them. */
  readonly collectedWeight?: string | undefined
  readonly neededWeight?: string | undefined
  readonly totalWeight?: string | undefined
  /** Latest outcomes by the key of {@link keyOf}. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly report?: SignatureReport | undefined
  readonly signed?: SignatureAggregationResponse | undefined
  readonly error?: unknown
}

const IDLE: Aggregation = { state: 'idle', outcomes: new Map() }

/** Returns the key of a validator: its NodeIDs. */
export function keyOf({ nodeIds }: { readonly nodeIds: readonly string[] }): string {
  return nodeIds.join(' ')
}

/**
 * Starts aggregations and follows the latest one by the events of its job. An aggregation is left alone when the
 * component is removed: it ends at its deadline.
 */
export function useAggregation(aggregator: Aggregator) {
  const [state, setState] = useState(IDLE)
  const [asked, setAsked] = useState<SigningRequest>()
  useEffect(() => {
    if (asked === undefined) return undefined
    const abort = new AbortController()
    const { signal } = abort
    setState({ ...IDLE, state: 'running' })
    const fail = (error: unknown) =>
      signal.aborted || setState((before) => ({ ...before, state: 'failed', error }))
    submit(aggregator, asked, signal)
      .then((jobId) => follow(aggregator, jobId, signal, setState))
      .catch(fail)
    return () => abort.abort()
  }, [asked])
  return { aggregation: state, start: (next: SigningRequest) => setAsked({ ...next }) }
}

/** Starts a job and returns its id. */
async function submit(
  { network, signatureAggregator }: Aggregator,
  what: SigningRequest,
  signal: AbortSignal,
): Promise<string> {
  const parameters = { network, ...what, report: true, proof: true, prefer: 'respond-async' }
  const job = await signatureAggregator.aggregateSignatures(parameters, { signal })
  if ('jobId' in job) return job.jobId
  throw new ConsoleError('CONSOLE_API', 'The signature aggregator started no job. Update it.')
}

type Change = (before: Aggregation) => Aggregation

/** How an event changes the aggregation. All but `progress` are the last event of a job. */
const CHANGES: Readonly<Record<string, (data: never) => Change>> = {
  progress: (data: JobProgress) => (before) => withProgress(before, data),
  done: (signed: SignatureAggregationResponse) => (before) => ({
    ...withReport(before, signed.report),
    state: 'signed',
    signed,
  }),
  failed:
    ({ message, report }: AggregatorFailure) =>
    (before) => ({
      ...withReport(before, report),
      state: 'failed',
      error: new ConsoleError('CONSOLE_SERVICE', message),
    }),
}

/** How often lost events are requested again, and the time before that in milliseconds. */
const ATTEMPTS = 5
const PAUSE_MS = 1_000

/** Reads the events of a job until its last one, and connects again if the connection is lost. */
async function follow(
  { signatureAggregator }: Aggregator,
  jobId: string,
  signal: AbortSignal,
  set: (change: Change) => void,
): Promise<void> {
  let last: string | undefined
  for (let failures = 0; failures < ATTEMPTS; failures++) {
    try {
      for await (const { id, event, data } of signatureAggregator.streamJobEvents(
        { jobId, 'last-event-id': last },
        { signal },
      )) {
        last = id ?? last
        failures = 0
        const change = CHANGES[event]
        if (change !== undefined) set(change(JSON.parse(data) as never))
        if (event !== 'progress') return
      }
    } catch (error) {
      if (signal.aborted || failures === ATTEMPTS - 1) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  const message = 'The progress of the aggregation was lost. Collect the signatures again.'
  throw new ConsoleError('CONSOLE_SERVICE', message)
}

function withProgress(
  before: Aggregation,
  { isComplete, current: [message] }: JobProgress & { readonly isComplete?: boolean },
): Aggregation {
  if (message === undefined) return before
  const { signed = [], failing = [], collectedWeight, neededWeight, totalWeight } = message
  const outcomes = new Map(isComplete === true ? [] : before.outcomes)
  for (const one of signed) outcomes.set(keyOf(one), { ...one, outcome: 'signed' })
  for (const one of failing) outcomes.set(keyOf(one), one)
  return {
    ...before,
    outcomes,
    collectedWeight: collectedWeight ?? before.collectedWeight,
    neededWeight: neededWeight ?? before.neededWeight,
    totalWeight: totalWeight ?? before.totalWeight,
  }
}

function withReport(before: Aggregation, report: SignatureReport | undefined): Aggregation {
  if (report === undefined) return before
  const { signedWeight: collectedWeight, neededWeight, totalWeight, validators } = report
  const outcomes = new Map(validators.map((one) => [keyOf(one), one]))
  return { ...before, report, outcomes, collectedWeight, neededWeight, totalWeight }
}
