import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Hex } from '@firn/codec'
import { createDevnet, type Devnet } from '@firn/devnet'
import { TestPostgres } from '@firn/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, startService, verify } from '../testing/devnet.ts'

const MESSAGES = 50
/** Number of messages that are requested at the same time. */
const AT_ONCE = 5

let devnet: Devnet
let bench: Bench
let other: ChildProcess
let otherUrl = ''

/** Starts another aggregator as a process, which can be killed. */
async function spawnService(databaseUrl: string): Promise<void> {
  const bin = new URL('../bin.ts', import.meta.url).pathname
  const options = [
    '--p-chain-api',
    devnet.rpcUrl,
    '--database-url',
    databaseUrl,
    '--database-timeout',
    '1m',
    '--log-level',
    'off',
  ]
  other = spawn(process.execPath, ['--conditions=source', bin, '--api-port', '0', ...options], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(other.stdout as NodeJS.ReadableStream, 'data')
  otherUrl = /http:\S+/.exec(String(line))?.[0] ?? ''
}

const isMissing = TestPostgres.missing() !== undefined

beforeAll(async () => {
  if (isMissing) return
  devnet = await createDevnet({ validators: 5 })
  const databaseUrl = await TestPostgres.url()
  bench = await startService(devnet, { databaseUrl, databaseTimeout: 60_000, rateLimitPerMinute: 0 })
  await spawnService(databaseUrl)
})
afterAll(async () => {
  if (isMissing) return
  other.kill('SIGKILL')
  await bench.service.close()
  await devnet.close()
})

const run = crypto.randomUUID()

function accept(index: number): string {
  const payload = new TextEncoder().encode(`${run} ${index}`)
  return Hex.encode(devnet.acceptMessage({ chain: 'C', payload }))
}

/** Requests a message from the other aggregator. Returns the status, or 0 if the aggregator has ended. */
async function askOther(message: string): Promise<number> {
  const path = '/v1/signatureAggregator/local/aggregateSignatures'
  const body = JSON.stringify({ message })
  return fetch(`${otherUrl}${path}`, { method: 'POST', body }).then(
    ({ status }) => status,
    () => 0,
  )
}

describe.skipIf(isMissing)('two aggregators with one database', { tags: ['postgres'] }, () => {
  it('queries each validator once for a message that both receive, and continues the work of a killed aggregator', async () => {
    const statuses: (readonly [own: number, other: number])[] = []
    let isKilled = false
    let next = 0
    const work = async () => {
      while (next < MESSAGES) {
        const index = next++
        const message = accept(index)
        const theirs = askOther(message)
        if (index === MESSAGES / 2) {
          isKilled = other.kill('SIGKILL')
        }
        const mine = await bench.ask({ message }, '?proof=true')
        expect(verify(mine)).toMatchObject({ ok: true })
        statuses.push([mine.status, await theirs])
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    expect(isKilled).toBe(true)
    expect(statuses.map(([own]) => own)).toEqual(Array(MESSAGES).fill(200))
    expect(statuses.filter(([, status]) => status === 200).length).toBeGreaterThanOrEqual(
      MESSAGES / 2 - AT_ONCE,
    )
    // Only requests that the killed aggregator had sent are sent again.
    for (const { counters } of devnet.validators) {
      expect(counters.requests).toBeLessThanOrEqual(MESSAGES + AT_ONCE)
    }
    const list = async () => {
      const page = await fetch(`${bench.service.url}/v1/messages?pageSize=${MESSAGES}`)
      const { messages } = (await page.json()) as { messages: { signedMessages: object[] }[] }
      return messages.filter(({ signedMessages }) => signedMessages.length > 0)
    }
    await expect.poll(list).toHaveLength(MESSAGES)
    expect((await bench.health()).body.messageLog).toEqual({ status: 'up' })
  })
})
