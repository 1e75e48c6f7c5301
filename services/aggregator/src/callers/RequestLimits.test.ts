import type { AggregationRequest } from '@firn/aggregation'
import { IpAddress } from '@firn/http'
import { createFakeClock } from '@firn/runtime/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, GO_PATH, message, missed, PATH, RESULT, setUp } from '../testing/app.ts'
import { createP2pBudget } from './P2pBudget.ts'

afterEach(closeAll)

const HEADER = 'x-request-timeout-ms'

/** A fake aggregation that ends at its deadline. */
const untilDeadline = ({ deadlineMs }: AggregationRequest) =>
  new Promise<never>((_resolve, reject) => setTimeout(() => reject(missed), deadlineMs))

/** A fake aggregation that ends when it is aborted. */
const untilAborted = ({ signal }: AggregationRequest) =>
  new Promise<never>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

describe('deadline of the caller', () => {
  it.each<[string, object, Record<string, string>, number]>([
    ['none', {}, {}, 9_000],
    ['in the body', { deadlineMs: 3_000 }, {}, 2_700],
    ['in the header', {}, { [HEADER]: '3000' }, 2_700],
    ['in both, the earlier one', { deadlineMs: 5_000 }, { [HEADER]: '3000' }, 2_700],
    ['beyond the request time-out', { deadlineMs: 1_000_000 }, {}, 9_000],
  ])('limits the time for signatures: %s', async (_name, fields, headers, expected) => {
    const { post, asked } = await setUp({ configuration: { requestTimeout: 10_000 } })
    expect((await post({ message, ...fields }, { headers })).status).toBe(200)
    expect(asked.map(({ deadlineMs }) => deadlineMs)).toEqual([expected])
  })

  it('reports the missed quorum shortly before the deadline, also on the Go service’s route', async () => {
    const { post } = await setUp({ aggregate: untilDeadline })
    expect((await post({ message, deadlineMs: 2_000 })).status).toBe(502)
    const { status, headers } = await post({ message }, { url: GO_PATH, headers: { [HEADER]: '2000' } })
    expect([status, headers['firn-reason']]).toEqual([500, expect.stringContaining('quorum not reached')])
  })

  it('names the deadline if nothing is known by then', async () => {
    const { post } = await setUp({ aggregate: untilAborted })
    expect((await post({ message, deadlineMs: 20 })).body).toMatchObject({
      statusCode: 503,
      message: 'no result within the requested deadline of 20 ms',
    })
  })

  it.each(['0', '-1', '1.5', 'soon', '', '5s'])('rejects %j in the header', async (value) => {
    const { post, asked } = await setUp()
    const headers = { [HEADER]: value }
    expect((await post({ message }, { headers })).body).toEqual({
      message: `x-request-timeout-ms: expected a positive integer of milliseconds, got ${JSON.stringify(value)}`,
      error: 'Bad Request',
      statusCode: 400,
    })
    expect(await post({ message }, { headers, url: GO_PATH })).toMatchObject({
      status: 400,
      body: { error: 'Invalid x-request-timeout-ms header' },
    })
    expect(asked).toEqual([])
  })

  it.each([0, -1, 1.5, '100'])('rejects %j as deadlineMs', async (deadlineMs) => {
    const { post } = await setUp()
    const { body } = await post({ message, deadlineMs })
    expect(body).toMatchObject({
      statusCode: 400,
      message: expect.stringMatching(/^deadlineMs: expected an integer/),
    })
  })
})

it('documents the deadline in the OpenAPI document', async () => {
  const { paths, components } = (await (await setUp()).server.inject('/openapi.json')).json()
  for (const path of [PATH.replace('local', '{network}'), GO_PATH])
    expect(paths[path].post.parameters).toContainEqual(
      expect.objectContaining({ in: 'header', name: HEADER }),
    )
  expect(components.schemas.SignatureAggregatorRequest.properties).toHaveProperty('deadlineMs')
})

describe('limit of requests to validators', () => {
  /** A fake aggregation that sends ten requests. */
  const costly = async ({ onRequestSent }: AggregationRequest) => {
    for (let i = 0; i < 10; i++) onRequestSent?.()
    return RESULT
  }

  it('returns 429 with the headers of a rate limit until the caller’s budget has refilled', async () => {
    const { post, clock } = await setUp({ configuration: { p2pRequestsPerMinute: 12 }, aggregate: costly })
    expect([(await post({ message })).status, (await post({ message })).status]).toEqual([200, 200])
    const { status, body, headers } = await post({ message })
    expect([status, body]).toEqual([
      429,
      {
        message: 'your requests caused more than 12 requests to validators in a minute; try again in 45 s',
        error: 'Too Many Requests',
        statusCode: 429,
      },
    ])
    expect(headers).toMatchObject({
      'ratelimit-limit': '12',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '45',
      'retry-after': '45',
    })
    const go = await post({ message }, { url: GO_PATH })
    expect([go.status, go.headers['retry-after']]).toEqual([429, '45'])
    await clock.advance(44_000)
    expect((await post({ message })).headers['retry-after']).toBe('1')
    await clock.advance(1_000)
    expect((await post({ message })).status).toBe(200)
  })

  it('counts each API key on its own, and none without a limit', async () => {
    const configuration = { p2pRequestsPerMinute: 5, apiKeys: ['one', 'two'] }
    const limited = await setUp({ configuration, aggregate: costly })
    const as = async (key: string) =>
      (await limited.post({ message }, { headers: { 'x-data-api-key': key } })).status
    expect([await as('one'), await as('one'), await as('two')]).toEqual([200, 429, 200])
    const { post } = await setUp({ configuration: { p2pRequestsPerMinute: 0 }, aggregate: costly })
    for (let i = 0; i < 3; i++) expect((await post({ message }, { url: PATH })).status).toBe(200)
  })

  it('shares a larger budget among the networks of an IPv6 /48', () => {
    const budget = createP2pBudget(1, createFakeClock())
    const isLeft = (caller: string) => {
      try {
        budget.assertLeft(caller)
        return true
      } catch {
        return false
      }
    }
    const networks = Array.from({ length: 20 }, (_, i) => keyOf(`2001:db8:0:${i}::1`))
    const allowed = networks.filter((caller) => {
      const wasLeft = isLeft(caller)
      if (wasLeft) budget.charge(caller)
      return wasLeft
    })
    expect(allowed).toEqual(networks.slice(0, IpAddress.SITE_FACTOR))
    expect([isLeft(keyOf('2001:db8:1::1')), isLeft('203.0.113.9'), isLeft('relayer')]).toEqual([
      true,
      true,
      true,
    ])
  })
})

function keyOf(address: string): string {
  return IpAddress.toLimitKey(IpAddress.parse(address))
}
