import { Id } from '@firn/codec'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, message, missed, PATH, setUp } from '../testing/app.ts'
import { ASYNC, setUpJobs } from '../testing/jobs.ts'

afterEach(closeAll)

const nodeIds = [expect.stringMatching(/^NodeID-/)]

describe('Prefer: respond-async', () => {
  it('returns 202 with the job’s id and path at once', async () => {
    const { post, server } = await setUpJobs()
    const { status, body, headers } = await post({ message }, { prefer: 'wait=5, Respond-Async' })
    expect(status).toBe(202)
    expect(body).toEqual({
      jobId: expect.stringMatching(/^[0-9a-f]{32}$/),
      location: `/v1/jobs/${body.jobId}`,
    })
    expect(headers).toMatchObject({ location: body.location, 'preference-applied': 'respond-async' })
    const other = await post({ message }, ASYNC)
    expect(other.body.jobId).not.toBe(body.jobId)
    expect((await server.inject(body.location)).headers['cache-control']).toBe('no-store')
  })

  it('rejects an invalid body or network at once', async () => {
    const { post } = await setUpJobs()
    const invalid = await post({ message: 'not hex' }, ASYNC)
    expect([invalid.status, invalid.body.message]).toEqual([400, expect.stringMatching(/^message: /)])
    const url = PATH.replace('local', 'fuji')
    expect((await post({ message }, ASYNC, url)).status).toBe(404)
  })

  it('rejects a destination without RPC at once', async () => {
    const { post } = await setUpJobs()
    const destinationChain = Id.format(new Uint8Array(32).fill(7))
    const { status, body } = await post({ message, destinationChain }, ASYNC)
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^destinationChain: .*--chain-rpc/)])
  })

  it('waits for the result if the header asks for something else', async () => {
    const { post } = await setUp()
    for (const prefer of ['return=minimal', 'not-respond-async', '']) {
      expect((await post({ message }, { headers: { prefer } })).status).toBe(200)
    }
  })
})

describe('GET /v1/jobs/{jobId}', () => {
  it('returns the weight so far, who has signed and who refused, and then the result', async () => {
    const { submit, read, pending } = await setUpJobs()
    const path = await submit({}, `${PATH}?report=true`)
    await pending[0]?.report(1)
    expect((await read(path)).body).toEqual({
      jobId: path.slice('/v1/jobs/'.length),
      state: 'running',
      createdAt: '1970-01-01T00:00:00.000Z',
      progress: {
        messages: 1,
        signed: 0,
        failed: 0,
        current: [
          {
            index: 0,
            messageId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
            state: 'collecting',
            collectedWeight: '30',
            neededWeight: '67',
            totalWeight: '100',
            signed: [{ nodeIds, weight: '30' }],
            failing: [{ nodeIds, weight: '30', outcome: 'refused', code: 2, text: 'not accepted' }],
          },
        ],
      },
    })
    await pending[0]?.sign()
    expect((await read(path)).body).toMatchObject({
      state: 'done',
      finishedAt: '1970-01-01T00:00:00.000Z',
      progress: {
        signed: 1,
        current: [
          {
            state: 'signed',
            collectedWeight: '60',
            signed: [{ nodeIds, weight: '60' }],
            failing: [{ outcome: 'refused', text: 'not accepted' }],
          },
        ],
      },
      result: { signedMessage: 'abcd', report: { totalWeight: '100' } },
    })
  })

  it('returns the error of the synchronous route if the job fails', async () => {
    const { submit, read, pending } = await setUpJobs()
    const path = await submit({}, `${PATH}?report=true`)
    await pending[0]?.fail(missed)
    const { status, body } = await read(path)
    expect([status, body]).toMatchObject([
      200,
      {
        state: 'failed',
        progress: { failed: 1, current: [{ state: 'failed', collectedWeight: '60' }] },
        error: {
          statusCode: 502,
          message: expect.stringMatching(/^quorum not/),
          report: { totalWeight: '100' },
        },
      },
    ])
  })

  it('returns the results of a batch in order, with the progress of each message', async () => {
    const { submit, read, pending } = await setUpJobs()
    const path = await submit({}, `${PATH}:batch`, { messages: [{ message }, {}] })
    await pending[0]?.report(2)
    expect((await read(path)).body.progress).toEqual({
      messages: 2,
      signed: 0,
      failed: 1,
      current: [
        expect.objectContaining({ state: 'collecting', collectedWeight: '60' }),
        { index: 1, state: 'failed' },
      ],
    })
    await pending[0]?.sign()
    const { body } = await read(path)
    expect(body).toMatchObject({
      state: 'done',
      result: { results: [{ signedMessage: 'abcd' }, { statusCode: 400 }] },
    })
  })

  it('fails a job at the job time-out', async () => {
    const { submit, read, clock } = await setUpJobs()
    const path = await submit()
    await clock.advance(30_000)
    expect((await read(path)).body).toMatchObject({
      state: 'failed',
      error: { statusCode: 503, message: 'no result within the job time-out of 30 s' },
    })
  })

  it('deletes a finished job after the retention time', async () => {
    const { submit, read, clock, pending } = await setUpJobs()
    const path = await submit()
    await pending[0]?.sign()
    await clock.advance(59_999)
    expect((await read(path)).status).toBe(200)
    await clock.advance(1)
    expect(await read(path)).toMatchObject({
      status: 404,
      body: { message: expect.stringMatching(/^jobId: no job/) },
    })
  })

  it.each(['0'.repeat(32), 'x', `${'0'.repeat(32)}%00`])('returns 404 for the unknown id %s', async (id) => {
    const { read } = await setUpJobs()
    expect((await read(`/v1/jobs/${id}`)).status).toBe(404)
    expect((await read(`/v1/jobs/${id}/events`)).status).toBe(404)
  })

  it('shows a job only to the API key that created it', async () => {
    const { submit, read } = await setUpJobs({ configuration: { apiKeys: ['mine', 'yours'] } })
    const mine = { 'x-data-api-key': 'mine' }
    const path = await submit(mine)
    const status = async (headers = {}) => (await read(path, headers)).status
    expect(await status(mine)).toBe(200)
    expect(await status({ 'x-data-api-key': 'yours' })).toBe(404)
    expect(await status()).toBe(401)
    expect((await read(`${path}/events`, { 'x-data-api-key': 'yours' })).status).toBe(404)
  })

  it('counts against the rate limit', async () => {
    const { submit, read } = await setUpJobs({ configuration: { rateLimitPerMinute: 2 } })
    const path = await submit()
    expect([(await read(path)).status, (await read(path)).status]).toEqual([200, 429])
  })
})

describe('limits of jobs', () => {
  it('limits the unfinished jobs of a caller, and of all callers', async () => {
    // The limits of the tests are 3 and 4.
    const { post, submit, pending } = await setUpJobs({ configuration: { apiKeys: ['one', 'two'] } })
    const one = { 'x-data-api-key': 'one' }
    const two = { 'x-data-api-key': 'two' }
    for (let i = 0; i < 3; i++) await submit(one)
    expect((await post({ message }, { ...ASYNC, ...one })).status).toBe(429)
    await submit(two)
    const full = await post({ message }, { ...ASYNC, ...two })
    expect([full.status, full.body.message]).toEqual([503, 'too many jobs; try again later'])
    await pending[0]?.sign()
    await submit(one)
  })
})
