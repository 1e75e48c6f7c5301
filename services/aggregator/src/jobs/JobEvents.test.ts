import { connect } from 'node:net'
import { settle, until } from '@firn/runtime/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { closeAll, missed, PATH } from '../testing/app.ts'
import { setUpJobs } from '../testing/jobs.ts'

afterEach(closeAll)

interface Event {
  readonly id: string
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: tests access members of any event
  readonly data: any
}

/** Starts the service on a socket, and creates a job. `listen` opens the job's events. */
async function setUpEvents(setup: Parameters<typeof setUpJobs>[0] = {}) {
  const parts = await setUpJobs(setup)
  const url = await parts.server.listen({ port: 0, host: '127.0.0.1' })
  const path = `${await parts.submit()}/events`
  const listen = async (headers = {}) => {
    const response = await fetch(`${url}${path}`, { headers })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    /** Returns the next block of lines, or undefined at the end. */
    const next = async (): Promise<string | undefined> => {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const block = text.slice(0, end)
          text = text.slice(end + 2)
          return block
        }
        const { done, value } = (await reader?.read()) ?? { done: true }
        if (done) return undefined
        text += value
      }
    }
    const event = async (): Promise<Event | undefined> => {
      const block = await next()
      if (block === undefined) return undefined
      if (!block.startsWith('id: ')) return event()
      const [id = '', name = '', data = ''] = block.split('\n').map((line) => line.replace(/^\w+: /, ''))
      return { id, name, data: JSON.parse(data) }
    }
    return { response, next, event, cancel: () => reader?.cancel() }
  }
  return { ...parts, url, path, listen, job: parts.pending[0] }
}

describe('GET /v1/jobs/{jobId}/events', () => {
  it('sends the whole progress, then only what changes, and at the end the result', async () => {
    const { listen, job, clock } = await setUpEvents()
    await job?.report(1)
    const { response, event } = await listen()
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(await event()).toMatchObject({
      id: '1-0',
      name: 'progress',
      data: {
        isComplete: true,
        messages: 1,
        current: [{ collectedWeight: '30', signed: [{}], failing: [{}] }],
      },
    })
    await job?.report(2)
    await clock.advance(1_000)
    expect(await event()).toMatchObject({
      id: '1-1',
      name: 'progress',
      data: { current: [{ collectedWeight: '60', signed: [{ weight: '30' }], failing: [] }] },
    })
    await job?.sign()
    expect(await event()).toEqual({ id: 'end', name: 'done', data: { signedMessage: 'abcd' } })
    expect(await event()).toBeUndefined()
  })

  it('ends with the error if the job fails, also for callers that come later', async () => {
    const { listen, job } = await setUpEvents()
    const { event } = await listen()
    await event()
    await job?.fail(missed)
    const failed = { id: 'end', name: 'failed', data: { statusCode: 502 } }
    expect(await event()).toMatchObject(failed)
    const later = await listen()
    expect(await later.event()).toMatchObject(failed)
    expect(await later.event()).toBeUndefined()
    expect((await listen({ 'last-event-id': 'end' })).response.status).toBe(204)
  })

  it('sends several changes within 250 ms as one event', async () => {
    const { listen, job, clock } = await setUpEvents()
    const { event } = await listen()
    await event()
    for (const signers of [1, 2]) await job?.report(signers)
    await clock.advance(249)
    await job?.report(3)
    await clock.advance(1)
    expect(await event()).toMatchObject({ id: '1-1', data: { current: [{ collectedWeight: '90' }] } })
  })

  it('sends nothing while nothing changes', async () => {
    const { listen, job, clock } = await setUpEvents()
    await job?.report(1)
    const { event } = await listen()
    await event()
    for (const signers of [1, 1, 2, 2]) {
      await job?.report(signers)
      await clock.advance(1_000)
    }
    await job?.sign()
    expect(await event()).toMatchObject({ id: '1-1', data: { current: [{ collectedWeight: '60' }] } })
    expect(await event()).toMatchObject({ id: 'end' })
  })

  it('continues after the last event that the caller has received', async () => {
    const { listen, job, clock } = await setUpEvents()
    const first = await listen()
    await first.event()
    for (const signers of [1, 2, 3]) {
      await job?.report(signers)
      await clock.advance(1_000)
    }
    const resumed = await listen({ 'last-event-id': '1-1' })
    expect(await resumed.event()).toMatchObject({ id: '1-2', data: { current: [{ collectedWeight: '60' }] } })
    expect(await resumed.event()).toMatchObject({ id: '1-3' })
    const unknown = await listen({ 'last-event-id': '9-9' })
    expect(await unknown.event()).toMatchObject({ id: '1-3', data: { isComplete: true } })
  })

  it('sends a comment every 15 s', async () => {
    const { listen, clock } = await setUpEvents()
    const { next } = await listen()
    expect([await next(), (await next())?.slice(0, 7)]).toEqual(['retry: 1000', 'id: 1-0'])
    await clock.advance(15_000)
    expect(await next()).toBe(': heartbeat')
  })

  it('limits the event streams of a caller, and counts only open ones', async () => {
    const { listen, server } = await setUpEvents()
    const streams = []
    for (let i = 0; i < 100; i++) streams.push(await listen())
    expect((await listen()).response.status).toBe(429)
    await streams[0]?.cancel()
    await until(async () => expect((await listen()).response.status).toBe(200))
    // Without it, the server would wait until the clients' idle connections time out.
    server.server.closeAllConnections()
  })

  it('counts an open stream like a request per minute, and ends it when its caller has no units left', async () => {
    const { listen, clock, path, post, server } = await setUpEvents({
      configuration: { rateLimitPerMinute: 10, jobTimeout: 600_000 },
    })
    const left = async () => (await server.inject(path.replace('/events', ''))).headers['ratelimit-remaining']
    const { next } = await listen()
    expect(await left()).toBe('7')
    // The units are restored, and the stream has used one of them.
    await clock.advance(60_000)
    expect(await left()).toBe('8')
    await clock.advance(59_000)
    const messages = Array.from({ length: 9 }, () => ({ message: '0x00' }))
    expect((await post({ messages }, {}, `${PATH}:batch`)).status).toBe(200)
    expect(await left()).toBe('0')
    await clock.advance(1_000)
    const blocks = []
    for (let block = await next(); block !== undefined; block = await next()) blocks.push(block)
    expect(blocks.at(-1)).toBe(': heartbeat')
    server.server.closeAllConnections()
  })

  it('ends the streams when the service closes', async () => {
    const { listen, server } = await setUpEvents()
    const { event } = await listen()
    await event()
    const closed = server.close()
    expect(await event()).toBeUndefined()
    await closed
  })

  it('disconnects a caller that does not read', async () => {
    const { url, path, job, clock } = await setUpEvents()
    const { port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    await new Promise((resolve) => socket.once('data', resolve))
    socket.pause()
    const closed = vi.fn()
    socket.on('close', closed)
    socket.on('error', () => {})
    const reason = 'x'.repeat(1 << 20)
    const progress = (text: string) => ({
      ...{ collectedWeight: 1n, provedWeight: 0n, neededWeight: 1n, targetWeight: 1n, totalWeight: 1n },
      ...{ asked: 1, collected: 0, lost: 0, elapsedMs: 1 },
      validators: () => [
        {
          index: 0,
          nodeIds: [new Uint8Array(20)],
          weight: 1n,
          hasSigned: false,
          failure: { outcome: 'refused' as const, code: text.length, text: text + reason },
        },
      ],
    })
    // Buffers of the system take up several events.
    for (let i = 0; i < 40; i++) {
      job?.request.onProgress?.(progress('y'.repeat(i)))
      // In total, this is shorter than the time between two heartbeats.
      await clock.advance(300)
      await settle()
    }
    socket.resume()
    await until(() => expect(closed).toHaveBeenCalled())
  })
})
