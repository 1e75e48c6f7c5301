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
}

/** Outcome for one validator, until the report completes it. */
export type Outcome = ProgressFailure & Partial<ReportedValidator>

/** An aggregation and what is known about each validator. */
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
    submit(aggregator, asked, signal).then((url) => follow(url, signal, setState), fail)
    return () => abort.abort()
  }, [asked])
  return { aggregation: state, start: (next: SigningRequest) => setAsked({ ...next }) }
}

/** Starts a job and returns the URL of its events. */
async function submit(
  { url, network, signatureAggregator }: Aggregator,
  what: SigningRequest,
  signal: AbortSignal,
): Promise<string> {
  const parameters = { network, ...what, report: true, proof: true, prefer: 'respond-async' }
  const job = await signatureAggregator.aggregateSignatures(parameters, { signal })
  if ('location' in job) return `${url}${job.location}/events`
  throw new ConsoleError('CONSOLE_API', 'The signature aggregator started no job. Update it.')
}

/** Reads the events of a job until its last one. The browser connects again by itself if the connection is lost. */
function follow(
  url: string,
  signal: AbortSignal,
  set: (change: (before: Aggregation) => Aggregation) => void,
) {
  if (signal.aborted) return
  const events = new EventSource(url)
  signal.addEventListener('abort', () => events.close())
  const on = <T>(name: string, change: (before: Aggregation, data: T) => Aggregation) =>
    events.addEventListener(name, (event) => {
      const data = JSON.parse((event as MessageEvent<string>).data) as T
      set((before) => change(before, data))
      if (name !== 'progress') events.close()
    })
  on<JobProgress>('progress', withProgress)
  on<SignatureAggregationResponse>('done', (before, signed) => ({
    ...withReport(before, signed.report),
    state: 'signed',
    signed,
  }))
  on<AggregatorFailure>('failed', (before, { message, report }) => ({
    ...withReport(before, report),
    state: 'failed',
    error: new ConsoleError('CONSOLE_SERVICE', message),
  }))
  events.addEventListener('error', () => {
    if (events.readyState !== EventSource.CLOSED) return
    const message = 'The progress of the aggregation was lost. Collect the signatures again.'
    set((before) => ({ ...before, state: 'failed', error: new ConsoleError('CONSOLE_SERVICE', message) }))
  })
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
