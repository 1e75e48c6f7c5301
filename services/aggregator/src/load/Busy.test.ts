import { request } from 'node:http'
import type { AggregationResult } from '@firn/aggregation'
import { Hex } from '@firn/codec'
import { until } from '@firn/runtime/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { closeAll, failing, GO_PATH, message, missed, PATH, RESULT, setUp } from '../testing/app.ts'
import { C_CHAIN, createMessage, NETWORK_ID } from '../testing/fakes.ts'

afterEach(closeAll)

const distinct = (number: number) => Hex.encode(createMessage(C_CHAIN, NETWORK_ID, `message ${number}`))

describe('busy service', () => {
  const busy = new AggregatorError('AGGREGATOR_BUSY', 'try again in 7 s', {
    details: { headers: { 'retry-after': '7' } },
  })

  it('answers 503 with retry-after on both routes, each with its own error body', async () => {
    const { post } = await setUp({ aggregate: failing(busy) })
    const bodies = []
    for (const url of [PATH, GO_PATH]) {
      const { status, headers, body } = await post({ message }, { url })
      expect([status, headers['retry-after']]).toEqual([503, '7'])
      bodies.push(body)
    }
    expect(bodies).toEqual([
      { message: 'try again in 7 s', error: 'Service Unavailable', statusCode: 503 },
      { error: 'try again in 7 s' },
    ])
  })

  it('collects signatures for one message after another, and goes on after a failure', async () => {
    let inProgress = 0
    const { post, asked } = await setUp({
      capacity: 1,
      aggregate: async () => {
        expect(++inProgress).toBe(1)
        await new Promise((resolve) => setImmediate(resolve))
        inProgress -= 1
        if (asked.length === 1) throw busy
        return RESULT
      },
    })
    const answers = await Promise.all([0, 1, 2, 3].map((number) => post({ message: distinct(number) })))
    expect(answers.map(({ status }) => status)).toEqual([503, 200, 200, 200])
  })

  it('queries no validators in reserve for a message that had to wait', async () => {
    const finish: (() => void)[] = []
    const { post, clock, asked } = await setUp({
      capacity: 1,
      aggregate: () =>
        new Promise<AggregationResult>((resolve) => {
          finish.push(() => resolve(RESULT))
        }),
    })
    const first = post({ message: distinct(0) })
    await until(() => expect(asked.length).toBe(1))
    const second = post({ message: distinct(1) })
    for (let i = 0; i < 20; i++) await clock.advance(1)
    finish[0]?.()
    await first
    await until(() => expect(asked.length).toBe(2))
    finish[1]?.()
    await second
    expect(asked.map(({ slackPercentage }) => slackPercentage)).toEqual([undefined, 0])
  })

  it('does not blame validators if a request missed its quorum because its turn came late', async () => {
    const finish: (() => void)[] = []
    const first = distinct(0)
    const { post, clock, server, asked } = await setUp({
      capacity: 1,
      aggregate: async (request) => {
        if (Hex.encode(request.message) !== first) throw missed
        return new Promise<AggregationResult>((resolve) => {
          finish.push(() => resolve(RESULT))
        })
      },
    })
    const hopeless = post({ message: first })
    await until(() => expect(asked.length).toBe(1))
    const waiting = [10_000, 40_000].map((deadlineMs, i) => post({ message: distinct(1 + i), deadlineMs }))
    await until(async () => expect((await server.inject('/metrics')).body).toContain('queue_length 2\n'))
    await clock.advance(6_000)
    const [late, early] = await Promise.all(waiting)
    expect(early?.status).toBe(502)
    const { status, headers } = late as Awaited<ReturnType<typeof post>>
    expect([status, Number(headers['retry-after']) >= 1]).toEqual([503, true])
    for (const one of finish) one()
    expect((await hopeless).status).toBe(200)
  })

  it('refuses bodies that exceed the memory together with the bodies in progress', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const { post, asked, server } = await setUp({
      configuration: { maxHeldBytes: 1_048_576 },
      aggregate: async () => gate.then(() => RESULT),
    })
    const large = (number: number) => ({ message: distinct(number), justification: '00'.repeat(300_000) })
    const first = post(large(0))
    await until(() => expect(asked.length).toBe(1))
    for (const url of [PATH, GO_PATH]) {
      const { status, headers } = await post(large(1), { url })
      expect([status, Number(headers['retry-after'])]).toEqual([503, expect.any(Number)])
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
    }
    const small = post({ message: distinct(2) })
    release()
    expect((await first).status).toBe(200)
    expect((await small).status).toBe(200)
    expect((await post(large(3))).status).toBe(200)
    const metrics = (await server.inject('/metrics')).body
    expect(metrics).toContain('signature_aggregator_held_bytes 0\n')
    expect(metrics).toContain('signature_aggregator_memory_refused_total 2\n')
  })

  it('counts the bytes of bodies without a stated size as they arrive', async () => {
    const { server, post } = await setUp({ configuration: { maxHeldBytes: 1_048_576 } })
    const url = await server.listen({ port: 0, host: '127.0.0.1' })
    const held = async () =>
      Number(/held_bytes (\d+)/.exec((await server.inject('/metrics')).body)?.[1] ?? Number.NaN)
    const open = Array.from({ length: 3 }, () => request(url + PATH, { method: 'POST' }))
    for (const one of open) one.on('error', () => undefined).write('{')
    await until(async () => expect(await held()).toBeGreaterThan(200_000))
    expect((await post({ message: distinct(0) })).status).toBe(200)
    open[0]?.write(' '.repeat(500_000))
    await until(async () => expect(await held()).toBeGreaterThan(700_000))
    expect((await post({ message: distinct(1), justification: '00'.repeat(200_000) })).status).toBe(503)
    for (const one of open) one.destroy()
    await until(async () => expect(await held()).toBe(0))
  })

  it('answers 413 to a body above the limit of a body, also while the memory is held', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const { post, asked } = await setUp({
      configuration: { maxHeldBytes: 1_048_576, bodyLimitBytes: 700_000 },
      aggregate: async () => gate.then(() => RESULT),
    })
    const body = (number: number, size: number) => ({
      message: distinct(number),
      justification: '00'.repeat(size),
    })
    const first = post(body(0, 300_000))
    await until(() => expect(asked.length).toBe(1))
    expect((await post(body(1, 300_000))).status).toBe(503)
    expect((await post(body(1, 400_000))).status).toBe(413)
    release()
    expect((await first).status).toBe(200)
  })

  it('documents retry-after in the OpenAPI document', async () => {
    const { server } = await setUp()
    const { paths } = (await server.inject('/openapi.json')).json()
    const responses = ['/v1/signatureAggregator/{network}/aggregateSignatures', GO_PATH].flatMap((path) =>
      ['4XX', '5XX'].map((status) => paths[path].post.responses[status].headers),
    )
    expect(responses.every((headers) => headers['retry-after'] !== undefined)).toBe(true)
  })
})
