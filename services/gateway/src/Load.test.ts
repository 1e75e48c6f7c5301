import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { until } from '@firn/runtime/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from './Limits.ts'
import { connectFrom, type RawClient, rawClient, requestText } from './testing/rawClient.ts'

/** Number of connections of regular callers. Each address has 100 of them. */
const CALLERS = 2_000
const PER_ADDRESS = 100
const AT_ONCE = 200
const MIB = 1_048_576

let gateway: ChildProcess
let port = 0
let rss = 0
let highest = 0
let counted: { readonly sums: Record<number, number>; readonly rows: number } | undefined

beforeAll(async () => {
  gateway = fork(new URL('./testing/gatewayProcess.ts', import.meta.url), {
    execArgv: ['--conditions=source'],
  })
  // biome-ignore lint/suspicious/noExplicitAny: messages of the test's own child process are not validated
  gateway.on('message', (message: any) => {
    if (message.kind === 'memory') {
      rss = message.rss
      highest = Math.max(highest, rss)
    } else if (message.kind === 'counted') counted = message
    else port = message.port
  })
  while (port === 0) await once(gateway, 'message')
})
afterAll(() => gateway.kill())

// Only Linux accepts connections from every loopback address without configuration.
test.skipIf(process.platform !== 'linux')(
  'serves 2,000 connections with bounded memory while one address floods the gateway',
  { tags: ['linux'] },
  async () => {
    const callers = await connectAll()
    await round(callers, 0)
    // The memory that was used during the start is released by now.
    highest = 0
    const [quiet, before] = [await round(callers, 1), highest]
    const stop = new AbortController()
    const floods = flood('127.0.0.2', stop.signal)
    const idlers = await idle('127.0.0.3', 400)
    const loud = [await round(callers, 2), await round(callers, 3)]
    stop.abort()
    const flooded = await floods
    for (const { close } of callers) close()
    gateway.send('count')
    while (counted === undefined) await once(gateway, 'message')
    await until(() => expect(idlers()).toBeLessThanOrEqual(LIMITS.connectionsPerAddress))
    const all = loud.flatMap(({ times }) => times)
    print(`callers alone            ${summary(quiet.times)}`)
    print(`callers during the flood ${summary(all)}`)
    print(`flood ${JSON.stringify(flooded)}; silent connections that were kept: ${idlers()}`)
    print(
      `memory ${mib(before)} MiB before the flood, ${mib(highest)} MiB at the highest; counted ${JSON.stringify(counted)}`,
    )

    // Every regular caller must get a valid answer.
    expect(loud.every(({ statuses }) => statuses.every((status) => status === 200))).toBe(true)
    // The rate limit must reject most requests of the flood.
    expect(flooded.served).toBeLessThan(flooded.sent / 2)
    expect(highest - before).toBeLessThan(256 * MIB)
    expect(counted.rows).toBeLessThan(10_000)
  },
)

async function connectAll(): Promise<RawClient[]> {
  const callers: RawClient[] = []
  while (callers.length < CALLERS) {
    const address = `127.0.1.${1 + Math.floor(callers.length / PER_ADDRESS)}`
    callers.push(...(await Promise.all(Array.from({ length: PER_ADDRESS }, () => rawClient(address, port)))))
  }
  return callers
}

interface Round {
  readonly statuses: readonly number[]
  /** Response times in milliseconds, in the order of the requests. */
  readonly times: readonly number[]
}

/** Sends one call for each caller, with limited concurrency. */
async function round(callers: readonly RawClient[], id: number): Promise<Round> {
  const answers: { readonly status: number; readonly time: number }[] = []
  for (let at = 0; at < callers.length; at += AT_ONCE) {
    const some = callers.slice(at, at + AT_ONCE).map(async ({ ask }) => {
      const start = performance.now()
      return { status: await ask(id), time: performance.now() - start }
    })
    answers.push(...(await Promise.all(some)))
  }
  return { statuses: answers.map(({ status }) => status), times: answers.map(({ time }) => time) }
}

/**
 * Sends requests without pause on 100 connections until the signal aborts. Opens closed connections again.
 */
async function flood(address: string, signal: AbortSignal) {
  const sums = { sent: 0, served: 0, refused: 0, connections: 0 }
  const many = requestText(1).repeat(20)
  const connectOne = async (): Promise<Socket> => {
    const socket = await connectFrom(address, port)
    sums.connections++
    socket.on('data', (data) => {
      const text = data.toString('latin1')
      sums.served += text.split('HTTP/1.1 200').length - 1
      sums.refused += text.split('HTTP/1.1 429').length - 1
    })
    return socket
  }
  const one = async () => {
    let socket = await connectOne()
    while (!signal.aborted) {
      if (socket.destroyed) socket = await connectOne()
      else if (!socket.writableNeedDrain) {
        socket.write(many)
        sums.sent += 20
      }
      await setTimeout(20)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: 100 }, one))
  return sums
}

/** Opens idle connections, and returns a function that counts those that are still open. */
async function idle(address: string, count: number): Promise<() => number> {
  const sockets = await Promise.all(Array.from({ length: count }, () => connectFrom(address, port)))
  return () => sockets.filter(({ destroyed }) => !destroyed).length
}

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  return `${sorted.length} calls, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
}

function mib(bytes: number): number {
  return Math.round(bytes / MIB)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
