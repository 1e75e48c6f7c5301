import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Statement } from '@firn/runtime'
import Fastify from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import * as SlowLog from './SlowLog.ts'

interface Line {
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** The statements of these tests, as they are logged. Others come from tests before, whose services may still run. */
const STATEMENTS: ReadonlySet<unknown> = new Set([
  'select ?',
  'select * from key where name = ? and "id1" = $1 limit ?',
])

/** Starts a log with a threshold, and returns its lines. */
const startLog = (slowThreshold: number): readonly Line[] => {
  const lines: Line[] = []
  const warn = (facts: object, message: string) => {
    const isForeign = 'statement' in facts && !STATEMENTS.has(facts.statement)
    if (!isForeign) lines.push({ message, facts: { ...facts } })
  }
  const slow = SlowLog.start({ slowThreshold }, { warn })
  closers.push(() => slow.close())
  return lines
}

/** Publishes a statement as a store does, after it has waited. */
const query = async (statement: Statement.Statement): Promise<void> => {
  await sleep(1)
  channel(Statement.CHANNEL).publish(statement)
}

const startFastify = async (handle: () => Promise<unknown>): Promise<string> => {
  const server = Fastify({ genReqId: () => 'request-7' })
  server.post('/things/:id', handle)
  closers.push(() => server.close())
  return server.listen({ port: 0 })
}

const post = async (url: string): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  await (await fetch(url, { method: 'POST', headers, body: '{"a":1}' })).text()
}

describe('SlowLog', () => {
  it('logs a slow request with its id, its route, and the sum of its statements', async () => {
    const lines = startLog(0.001)
    const url = await startFastify(async () => {
      await Promise.all([
        query({ text: 'select 1', milliseconds: 0, rows: 2 }),
        query({ text: 'select 2', milliseconds: 0, rows: 3 }),
      ])
      return 'done'
    })
    await post(`${url}/things/secret?key=secret`)
    await expect.poll(() => lines.length).toBe(1)
    expect(lines[0]).toMatchObject({
      message: 'slow request',
      facts: {
        requestId: 'request-7',
        method: 'POST',
        route: '/things/:id',
        status: 200,
        statements: 2,
        rows: 5,
      },
    })
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it('logs a slow statement without its values', async () => {
    const lines = startLog(50_000)
    const statement = "select *\n from key\n where name = 'it''s a secret' and \"id1\" = $1 limit 40"
    const url = await startFastify(async () => {
      await query({ text: statement, milliseconds: 60_000, rows: 4 })
      return 'done'
    })
    await post(`${url}/things/4`)
    const facts = { requestId: 'request-7', route: '/things/:id', milliseconds: 60_000, rows: 4 }
    const shown = 'select * from key where name = ? and "id1" = $1 limit ?'
    expect(lines).toEqual([{ message: 'slow statement', facts: { ...facts, statement: shown } }])
  })

  it('keeps concurrent requests to a plain server apart, after their bodies are read', async () => {
    const lines = startLog(0.001)
    const server = createServer((request, response) => {
      let length = 0
      request.on('data', (chunk: Buffer) => {
        length += chunk.length
      })
      request.on('end', async () => {
        for (let i = 0; i < length; i++) await query({ text: 'select 1', milliseconds: 0, rows: 1 })
        response.end()
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await Promise.all(
      ['/rpc/43114/secret', '/ext/bc/P?secret'].map((path, i) =>
        fetch(url + path, { method: 'POST', body: 'x'.repeat(2 + i) }).then((response) => response.text()),
      ),
    )
    await expect.poll(() => lines.length).toBe(2)
    const found = lines.map(({ facts }) => [facts['route'], facts['statements']])
    expect(new Map(found as [string, number][])).toEqual(
      new Map([
        ['/rpc/43114', 2],
        ['/ext/bc/P', 3],
      ]),
    )
  })

  it('logs statements outside of requests, and nothing after it is closed', async () => {
    const lines = startLog(1)
    await query({ text: 'select 1', milliseconds: 5, rows: 1 })
    expect(lines).toHaveLength(1)
    closers.pop()?.()
    await query({ text: 'select 1', milliseconds: 5, rows: 1 })
    expect(lines).toHaveLength(1)
  })

  it('subscribes to nothing with a threshold of 0', () => {
    startLog(0)
    expect(channel(Statement.CHANNEL).hasSubscribers).toBe(false)
  })
})
