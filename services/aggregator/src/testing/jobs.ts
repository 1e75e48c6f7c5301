import type { AggregationRequest, AggregationResult, Progress } from '@firn/aggregation'
import { settle } from '@firn/runtime/testing'
import { message, PATH, RESULT, type Setup, setUp } from './app.ts'

export const ASYNC = { prefer: 'respond-async' }
const MEMBERS = [17, 18, 19].map((byte) => new Uint8Array(20).fill(byte))

/** Returns the progress of three validators, of which the first ones have signed and the last one refused. */
export function progress(signers: number): Progress {
  const validators = MEMBERS.map((nodeId, index) => ({
    index,
    nodeIds: [nodeId],
    weight: 30n,
    hasSigned: index < signers,
    ...(index === 2 && signers > 0
      ? { failure: { outcome: 'refused', code: 2, text: 'not accepted' } as const }
      : {}),
  }))
  const weights = { neededWeight: 67n, targetWeight: 67n, totalWeight: 100n }
  const collectedWeight = BigInt(30 * signers)
  const counts = { asked: 3, collected: signers, lost: 0, elapsedMs: 1 }
  return { ...weights, ...counts, collectedWeight, provedWeight: 0n, validators: () => validators }
}

/** One aggregation that a test ends. */
export interface Pending {
  readonly request: AggregationRequest
  /** Reports progress with this number of signers. */
  report(signers: number): Promise<void>
  sign(): Promise<void>
  fail(error: unknown): Promise<void>
}

/** Creates the service with aggregations that a test ends. */
export async function setUpJobs(setup: Setup = {}) {
  const pending: Pending[] = []
  const aggregate = (request: AggregationRequest) => {
    const { promise, resolve, reject } = Promise.withResolvers<AggregationResult>()
    request.signal?.addEventListener('abort', () => reject(request.signal?.reason))
    const after = async (action: () => void) => {
      action()
      for (let i = 0; i < 5; i++) await settle()
    }
    pending.push({
      request,
      report: (signers) => after(() => request.onProgress?.(progress(signers))),
      sign: () => after(() => resolve(RESULT)),
      fail: (error) => after(() => reject(error)),
    })
    return promise
  }
  const parts = await setUp({ aggregate, ...setup })
  /** Creates a job, waits until its aggregation has started, and returns its path. */
  const submit = async (headers = {}, url = PATH, payload: object = { message }): Promise<string> => {
    const { status, body } = await parts.post(payload, { url, headers: { ...ASYNC, ...headers } })
    if (status !== 202) throw new Error(`expected status 202, got ${status} ${JSON.stringify(body)}`)
    for (let i = 0; i < 5; i++) await settle()
    return body.location
  }
  const read = async (path: string, headers = {}) => {
    const response = await parts.server.inject({ url: path, headers })
    return { status: response.statusCode, body: response.json() }
  }
  const { server, clock, post } = parts
  return {
    server,
    clock,
    pending,
    submit,
    read,
    post: (body: unknown, headers = {}, url = PATH) => post(body, { url, headers }),
  }
}
