// A devnet and a signature aggregator in separate processes, which communicate over HTTP and TLS.
import { resolve } from 'node:path'
import * as Process from './Process.ts'

const tools = resolve(import.meta.dirname, '../..')
const DEVNET = resolve(tools, 'devnet/src/bin.ts')
const AGGREGATOR = resolve(tools, '../services/aggregator/src/bin.ts')
const CONNECT_ATTEMPTS = 600
const CONNECT_PAUSE_MS = 100

/** Processor time (milliseconds), memory (bytes) and event loop delay (milliseconds) that a service reports. */
export interface Usage {
  readonly cpu: number
  readonly memory: number
  readonly loopDelay: number
}

/** A response of the aggregator. */
export interface Response {
  readonly status: number
  /** Seconds after which the service asks to be called again; undefined if it does not say. */
  readonly retryAfter: number | undefined
  readonly body: Readonly<Record<string, unknown>>
}

/** A devnet with an aggregator. */
export interface AggregatorTrial {
  /** URL of the aggregator. */
  readonly url: string
  /** URL of the devnet's API. */
  readonly rpcUrl: string
  /** Makes a message signable and returns it in hex. Different indices give different messages. */
  accept(index: number): Promise<string>
  /** Sends a message to the aggregator. The response has a report of every validator if `report` is true. */
  aggregate(message: string, report?: boolean): Promise<Response>
  /** Sends a command to the devnet, such as `faults`. */
  control(command: string, body: object): Promise<Readonly<Record<string, unknown>>>
  usage(): Promise<Usage>
  close(): Promise<void>
}

/** Starts a devnet of `size` validators and an aggregator, and waits until all validators are connected. */
export async function start(size: number, flags: readonly string[] = []): Promise<AggregatorTrial> {
  const devnet = await Process.start(DEVNET, ['--validators', String(size), '--rpc-port', '0'], isJson)
  const { rpcUrl } = JSON.parse(devnet.readyLine) as { rpcUrl: string }
  const own = ['--network', 'local', '--api-port', '0', '--rate-limit-per-minute', '0', '--log-level', 'off']
  const aggregator = await Process.start(AGGREGATOR, [...own, '--p-chain-api', rpcUrl, ...flags], isListening)
  const url = /http:\S+/.exec(aggregator.readyLine)?.[0] ?? ''
  await allConnected(url, size)
  return {
    url,
    rpcUrl,
    accept: async (index) => {
      const payload = `0x${index.toString(16).padStart(8, '0')}`
      const { message } = (await post(`${rpcUrl}/devnet/messages`, { chain: 'C', payload })).body
      return message as string
    },
    aggregate: (message, report = false) => {
      const path = '/v1/signatureAggregator/local/aggregateSignatures'
      return post(`${url}${path}${report ? '?report=true' : ''}`, { message })
    },
    control: async (command, body) => {
      const { status, body: answer } = await post(`${rpcUrl}/devnet/${command}`, body)
      if (status !== 200) throw new Error(`the devnet rejected ${command}: ${JSON.stringify(answer)}`)
      return answer
    },
    usage: () => usage(url),
    close: async () => {
      await aggregator.close()
      await devnet.close()
    },
  }
}

async function allConnected(url: string, size: number): Promise<void> {
  for (let attempt = 0; attempt < CONNECT_ATTEMPTS; attempt++) {
    const health = (await (await fetch(`${url}/health`)).json()) as {
      subnets?: { connectedValidators: number }[]
    }
    if (health.subnets?.[0]?.connectedValidators === size) return
    await new Promise((settle) => setTimeout(settle, CONNECT_PAUSE_MS))
  }
  const seconds = (CONNECT_ATTEMPTS * CONNECT_PAUSE_MS) / 1_000
  throw new Error(`the signature aggregator did not connect to ${size} validators within ${seconds} s`)
}

async function usage(url: string): Promise<Usage> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const metric = (name: string) => Number(new RegExp(`^\\w*${name} (\\S+)`, 'm').exec(text)?.[1])
  return {
    cpu: metric('process_cpu_seconds_total') * 1_000,
    memory: metric('process_resident_memory_bytes'),
    loopDelay: metric('nodejs_eventloop_lag_max_seconds') * 1_000,
  }
}

async function post(url: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const after = response.headers.get('retry-after')
  return {
    status: response.status,
    retryAfter: after === null ? undefined : Number(after),
    body: (await response.json()) as Record<string, unknown>,
  }
}

function isJson(line: string): boolean {
  return line.startsWith('{')
}

function isListening(line: string): boolean {
  return line.includes(' listens on ')
}
