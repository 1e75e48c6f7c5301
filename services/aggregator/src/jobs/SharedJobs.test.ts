import type { Progress } from '@firn/aggregation'
import { createSqlJobStore, type JobStore } from '@firn/jobs'
import { silentLogger } from '@firn/runtime'
import { createFakeClock, settle, until } from '@firn/runtime/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { jobTable } from '../shared-log/Tables.ts'
import type { Limits, Signed } from '../signing/Signatures.ts'
import { message, RESULT } from '../testing/app.ts'
import { NETWORK_ID } from '../testing/fakes.ts'
import { progress } from '../testing/jobs.ts'
import { connectTo, createTestServer, type TestServer } from '../testing/sharedLog.ts'
import { createFairSlots } from './FairSlots.ts'
import type { JobEvent } from './Feed.ts'
import { createJobs } from './Jobs.ts'
import { createSourceChains } from './SourceChains.ts'

const LIMITS = { maxJobs: 3, maxJobsPerCaller: 2, retentionMs: 60_000 }
const CALLER = { key: 'a key', name: 'a caller' }
const TASK = { kind: 'message', body: { message }, parts: { report: false, proof: false } } as const
const ROUND_MS = 5_000
const SIGNED = { result: RESULT } as Signed

/** Starts an aggregator of a fleet whose aggregations a test ends. */
async function join(server: TestServer, extend = (store: JobStore) => store) {
  const { database } = await connectTo(server)
  const clock = createFakeClock()
  const now = Date.now()
  const pending: { sign(): void; report(progress: Progress): void; signal: AbortSignal }[] = []
  const collect = (_request: unknown, { signal, onProgress }: Limits) =>
    new Promise<Signed>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      pending.push({ sign: () => resolve(SIGNED), report: (one) => onProgress?.(one), signal })
    })
  const jobs = createJobs({
    store: extend(createSqlJobStore(jobTable(database), LIMITS)),
    signing: {
      signatures: { collect },
      networkId: NETWORK_ID,
      clock,
      slots: createFairSlots(4),
      sourceChains: createSourceChains({ endpoints: new Map(), clock, timeoutMs: 1_000 }),
    },
    // The database uses the time of the system.
    clock: { ...clock, now: () => now + clock.now() },
    log: silentLogger,
    timeoutMs: 300_000,
  })
  onTestFinished(() => jobs.close())
  /** Renews the leases and takes up jobs. */
  const round = async () => {
    const before = server.statements
    await clock.advance(ROUND_MS)
    await until(() => expect(server.statements).toBeGreaterThanOrEqual(before + 2))
    for (let i = 0; i < 20; i++) await settle()
  }
  const read = async (id: string) => JSON.parse(await jobs.describe(id, CALLER.key))
  return { jobs, pending, round, read, clock }
}

async function createPair() {
  const server = await createTestServer()
  const [a, b] = [await join(server), await join(server)]
  const id = await a.jobs.submit(TASK, CALLER)
  await until(() => expect(a.pending).toHaveLength(1))
  const expire = () => server.sql(`update firn_aggregator.job set leased_until = '-infinity'`)
  return { server, a, b, id, expire }
}

describe('jobs in a database', () => {
  it('shows the state, progress and result of a job at every aggregator', async () => {
    const { a, b, id } = await createPair()
    a.pending[0]?.report(progress(1))
    await a.round()
    expect(await b.read(id)).toMatchObject({
      state: 'running',
      progress: { current: [{ state: 'collecting', collectedWeight: '30' }] },
    })
    a.pending[0]?.sign()
    await until(async () =>
      expect(await b.read(id)).toMatchObject({ state: 'done', result: { signedMessage: 'abcd' } }),
    )
    expect(await b.read(id)).toEqual(await a.read(id))
    await expect(b.jobs.describe(id, 'another key')).rejects.toMatchObject({ code: 'AGGREGATOR_JOB_UNKNOWN' })
  })

  it('sends the events of a job that another aggregator runs', async () => {
    const { a, b, id } = await createPair()
    a.pending[0]?.report(progress(1))
    await a.round()
    const events: JobEvent[] = []
    const ended = vi.fn()
    await b.jobs.listen(id, CALLER, undefined, { send: (event) => events.push(event), end: ended })
    await until(() => expect(events).toHaveLength(1))
    expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({ isComplete: true, messages: 1 })
    a.pending[0]?.sign()
    await until(async () => expect(await b.read(id)).toMatchObject({ state: 'done' }))
    await b.clock.advance(1_000)
    await until(() => expect(ended).toHaveBeenCalled())
    expect(events.at(-1)).toMatchObject({ id: 'end', name: 'done', data: '{"signedMessage":"abcd"}' })
  })

  it('takes up the jobs of an aggregator that closes', async () => {
    const { a, b, id } = await createPair()
    await b.round()
    expect(b.pending).toHaveLength(0)
    await a.jobs.close()
    expect(a.pending[0]?.signal.aborted).toBe(true)
    await b.round()
    b.pending[0]?.sign()
    await until(async () => expect(await b.read(id)).toMatchObject({ state: 'done' }))
  })

  it('leaves a job to others that it claimed while it closed', async () => {
    const { server, id, expire } = await createPair()
    const claimed = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    await expire()
    const late = await join(server, (store) => ({
      ...store,
      claim: async (...given) => {
        const jobs = await store.claim(...given)
        claimed.resolve()
        await go.promise
        return jobs
      },
    }))
    await claimed.promise
    const closed = late.jobs.close()
    go.resolve()
    await closed
    for (let i = 0; i < 20; i++) await settle()
    expect(late.pending).toHaveLength(0)
    const third = await join(server)
    await until(() => expect(third.pending).toHaveLength(1))
    expect(await third.read(id)).toMatchObject({ state: 'running' })
  })

  it('takes up a job whose lease has ended, and the first aggregator then stops', async () => {
    const { a, b, id, expire } = await createPair()
    await a.round()
    await expire()
    await b.round()
    expect(b.pending).toHaveLength(1)
    expect(a.pending[0]?.signal.aborted).toBe(false)
    await a.round()
    expect(a.pending[0]?.signal.aborted).toBe(true)
    expect(await b.read(id)).toMatchObject({ state: 'running' })
    b.pending[0]?.sign()
    await until(async () => expect(await b.read(id)).toMatchObject({ state: 'done' }))
  })

  it('limits unfinished jobs of the fleet, and deletes finished ones after the retention time', async () => {
    const { server, a, b, id } = await createPair()
    await b.jobs.submit(TASK, CALLER)
    await expect(b.jobs.submit(TASK, CALLER)).rejects.toMatchObject({ code: 'AGGREGATOR_RATE_LIMIT' })
    const other = { key: undefined, name: 'another caller' }
    await b.jobs.submit(TASK, other)
    await expect(a.jobs.submit(TASK, other)).rejects.toMatchObject({ code: 'AGGREGATOR_JOBS_FULL' })
    a.pending[0]?.sign()
    await until(async () => expect(await a.read(id)).toMatchObject({ state: 'done' }))
    await a.jobs.submit(TASK, other)
    await server.sql(`update firn_aggregator.job set finished_at = finished_at - interval '61 seconds'`)
    await b.round()
    await expect(a.read(id)).rejects.toMatchObject({ code: 'AGGREGATOR_JOB_UNKNOWN' })
  })

  it('closes without an error while the database is down', async () => {
    const { server, a } = await createPair()
    server.state = 'down'
    await expect(a.jobs.close()).resolves.toBeUndefined()
  })

  it('continues jobs while the database is down, and stores their end later', async () => {
    const { server, a, id } = await createPair()
    server.state = 'down'
    await a.clock.advance(ROUND_MS)
    expect(a.pending[0]?.signal.aborted).toBe(false)
    await expect(a.jobs.submit(TASK, CALLER)).rejects.toMatchObject({ code: 'AGGREGATOR_DATABASE' })
    a.pending[0]?.sign()
    for (let i = 0; i < 20; i++) await settle()
    server.state = 'up'
    await until(async () => {
      await a.clock.advance(1_000)
      expect(await a.read(id)).toMatchObject({ state: 'done' })
    })
  })
})
