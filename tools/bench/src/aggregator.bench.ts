// Measures the signature aggregator with devnets of increasing size. Aggregator and devnet run in separate
// processes and communicate over HTTP and TLS.
import { resolve } from 'node:path'
import * as Process from './Process.ts'
import * as Quantiles from './Quantiles.ts'
import * as Table from './Table.ts'

const tools = resolve(import.meta.dirname, '../..')
const DEVNET = resolve(tools, 'devnet/src/bin.ts')
const AGGREGATOR = resolve(tools, '../services/aggregator/src/bin.ts')
const SIZES = [5, 100, 1000]
const WARM_UP = 5
const MESSAGES = 30

/** Processor time (milliseconds) and memory (bytes) that a service reports. */
interface Usage {
  readonly cpu: number
  readonly memory: number
}

export async function report(print: (text: string) => void): Promise<void> {
  const rows: string[][] = []
  for (const size of SIZES) rows.push(await measure(size))
  const head = ['validators', 'fresh p50', 'p95', 'cpu each', 'cached p50', 'p95', 'cpu each', 'memory']
  print(`Aggregation over HTTP, quorum 67 %, ${MESSAGES} messages in sequence\n${Table.format(head, rows)}`)
}

async function measure(size: number): Promise<string[]> {
  const devnet = await Process.start(DEVNET, ['--validators', String(size), '--rpc-port', '0'], isJson)
  const { rpcUrl } = JSON.parse(devnet.readyLine) as { rpcUrl: string }
  const flags = [
    '--network',
    'local',
    '--p-chain-api',
    rpcUrl,
    '--api-port',
    '0',
    '--rate-limit-per-minute',
    '0',
  ]
  const aggregator = await Process.start(AGGREGATOR, [...flags, '--log-level', 'off'], (line) =>
    line.includes(' listens on '),
  )
  try {
    const url = /http:\S+/.exec(aggregator.readyLine)?.[0] ?? ''
    const messages: string[] = []
    for (let i = 0; i < WARM_UP + MESSAGES; i++) messages.push(await accept(rpcUrl, i))
    await allConnected(url, size)
    await timeAll(url, messages.splice(0, WARM_UP))
    const before = await usage(url)
    const fresh = await timeAll(url, messages)
    const between = await usage(url)
    const cached = await timeAll(url, messages)
    const after = await usage(url)
    return [
      String(size),
      ...summary(fresh, between.cpu - before.cpu),
      ...summary(cached, after.cpu - between.cpu),
      `${(after.memory / 2 ** 20).toFixed(0)} MiB`,
    ]
  } finally {
    await aggregator.close()
    await devnet.close()
  }
}

function summary(times: readonly number[], cpu: number): string[] {
  return [Quantiles.at(times, 0.5), Quantiles.at(times, 0.95), cpu / times.length].map(Table.formatTime)
}

async function timeAll(url: string, messages: readonly string[]): Promise<number[]> {
  const times: number[] = []
  for (const message of messages) {
    const start = performance.now()
    const { signedMessage } = await post(`${url}/v1/signatureAggregator/local/aggregateSignatures`, {
      message,
    })
    times.push(performance.now() - start)
    if (typeof signedMessage !== 'string')
      throw new Error('the signature aggregator returned no signed message')
  }
  return times
}

async function accept(rpcUrl: string, index: number): Promise<string> {
  const payload = `0x${index.toString(16).padStart(8, '0')}`
  const { message } = await post(`${rpcUrl}/devnet/messages`, { chain: 'C', payload })
  return message as string
}

async function allConnected(url: string, size: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const health = (await (await fetch(`${url}/health`)).json()) as {
      subnets?: { connectedValidators: number }[]
    }
    if (health.subnets?.[0]?.connectedValidators === size) return
    await new Promise((settle) => setTimeout(settle, 100))
  }
  throw new Error(`the signature aggregator did not connect to ${size} validators within 30 s`)
}

async function usage(url: string): Promise<Usage> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const metric = (name: string) => Number(new RegExp(`^\\w*${name} (\\S+)`, 'm').exec(text)?.[1])
  return { cpu: metric('process_cpu_seconds_total') * 1000, memory: metric('process_resident_memory_bytes') }
}

async function post(url: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (response.status !== 200)
    throw new Error(`${url} returned status ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}

function isJson(line: string): boolean {
  return line.startsWith('{')
}
