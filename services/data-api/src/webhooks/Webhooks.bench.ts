import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hex } from '@firn/codec'
import { BlockReader } from '@firn/evm'
import { type InventedParts, inventedChain, seeded } from '@firn/evm/testing'
import { EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { systemClock } from '@firn/runtime'
import { Webhooks } from '@firn/service-store'
import { TestPostgres } from '@firn/sql/testing'
import { createSender } from './common/Sender.ts'
import * as Source from './common/Source.ts'
import { createMatcher } from './evm/Matcher.ts'
import { policyOf } from './WebhookOptions.ts'
import { startWebhooks } from './WebhookRunner.ts'

const WEBHOOKS = Number(process.env['FIRN_BENCH_WEBHOOKS'] ?? 1_000)
const SECONDS = Number(process.env['FIRN_BENCH_SECONDS'] ?? 20)
const EVENTS_PER_SECOND = 50
const MATCHED = 100_000

/** Prints the rate of the matcher, and the time from a stored event to the message at its target. */
export async function report(print: (text: string) => void): Promise<void> {
  print(matching())
  const reason = TestPostgres.missing()
  if (reason !== undefined) print(`PostgreSQL: ${reason}`)
  else {
    const server = await TestPostgres.startForBench(['shared_buffers=512MB', 'max_wal_size=4GB'])
    const store = await EvmStore.open({ url: server.url, chainId: TEST_CHAIN.chainId })
    await store.migrate()
    // A process that sends messages has other connections than the indexer, and learns of blocks from the server.
    const sending = await EvmStore.open({ url: server.url, chainId: TEST_CHAIN.chainId })
    print(await latency('PostgreSQL', store, sending))
    await sending.close()
    await store.close()
    await server.close()
  }
  const embedded = await openEvm()
  print(await latency('PGlite in memory', embedded, embedded))
  await embedded.close()
}

/** Compares invented transactions with many webhooks in memory. */
function matching(): string {
  const random = seeded(1)
  const address = () =>
    random
      .below(MATCHED / 2)
      .toString(16)
      .padStart(40, '0')
  const matcher = createMatcher()
  for (let i = 0; i < MATCHED; i++)
    matcher.put({
      id: String(i),
      fromSequence: 0n,
      keys: [address()],
      signatures: i % 3 === 0 ? ['s'] : [],
    })
  const activities = Array.from(
    { length: 20_000 },
    () => new Map(Array.from({ length: 6 }, () => [address(), new Set(['s'])])),
  )
  const start = performance.now()
  let deliveries = 0
  for (const activity of activities) deliveries += matcher.match(activity, 1n).length
  const seconds = (performance.now() - start) / 1000
  const rate = (count: number) => Math.round(count / seconds).toLocaleString('en')
  return `matching with ${MATCHED.toLocaleString('en')} webhooks in memory: ${rate(activities.length)} transactions/s, ${rate(deliveries)} deliveries/s`
}

async function latency(name: string, store: EvmStore, sending: EvmStore): Promise<string> {
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const chain = inventedChain({ seed: 1, transactions: [1, 1], accounts: WEBHOOKS })
  const commit = (parts: readonly InventedParts[]) =>
    writer.commit(parts.map((one) => ({ block: BlockReader.read(one), contracts: [] })))
  await commit(chain.grow(1))
  const blocks = chain.grow(SECONDS * EVENTS_PER_SECOND)
  const senders = blocks.map(({ block }) => (block['transactions'] as { from: string }[])[0]?.from ?? '0x')
  const begunAt = new Map<string, number>()
  const storedAt = new Map<string, number>()
  const delays = { begun: [] as number[], stored: [] as number[] }
  const target = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { blockHash } = JSON.parse(Buffer.concat(chunks).toString()).event.transaction
      const now = performance.now()
      // A message may arrive before the indexer knows that the block is stored.
      delays.stored.push(now - (storedAt.get(blockHash) ?? now))
      delays.begun.push(now - (begunAt.get(blockHash) ?? Number.NaN))
      response.end()
    })
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  const { port } = target.address() as AddressInfo
  await createWebhooks(store, senders, port)
  const policy = policyOf({ networks: ['127.0.0.1'] })
  const runner = startWebhooks({
    home: sending,
    chains: [{ chain: TEST_CHAIN, store: sending }],
    send: createSender({ policy, timeoutMs: 10_000, clock: systemClock }),
    ...{ timeoutMs: 10_000, keepMs: 1e9 },
  })
  await sleep(2_000)
  const begin = performance.now()
  const cpu = process.cpuUsage()
  for (const [i, part] of blocks.entries()) {
    await sleep(Math.max(0, begin + (i * 1_000) / EVENTS_PER_SECOND - performance.now()))
    begunAt.set(part.block.hash, performance.now())
    await commit([part])
    storedAt.set(part.block.hash, performance.now())
  }
  const took = (performance.now() - begin) / 1_000
  const cpuOfRun = process.cpuUsage(cpu)
  await sleep(3_000)
  await runner.close()
  target.close()
  const { user, system } = cpuOfRun
  const rate = (count: number) => (count / took).toFixed(0)
  return `${name}: ${WEBHOOKS} webhooks, ${rate(blocks.length)} events/s, ${rate(delays.stored.length)} messages/s, ${((user + system) / 1e4 / took).toFixed(0)} % of a processor for indexer, sender and target; from the block to the target ${quantiles(delays.begun)}; from stored to the target ${quantiles(delays.stored)}`
}

function quantiles(delays: readonly number[]): string {
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (share: number) => `${(sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(0)} ms`
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, at most ${at(0.9999)}`
}

async function createWebhooks(store: EvmStore, senders: readonly string[], port: number): Promise<void> {
  const { sequence } = await store.snapshot()
  for (let i = 0; i < WEBHOOKS; i++) {
    const id = crypto.randomUUID()
    await Webhooks.create(store, {
      ...{ id, owner: new Uint8Array(32), source: Source.ofEvm(TEST_CHAIN.chainId) },
      ...{ event_type: 'address_activity', chain: '1337', name: '', description: '', created_at: 0n },
      ...{ url: `http://127.0.0.1:${port}/${i}`, host: `host ${i % 100}` },
      secret_encoding: 'text',
      settings: { eventSignatures: [], includeInternalTxs: true, includeLogs: true, finality: 'executed' },
      from_sequence: sequence,
      keys: [Hex.decode((senders[i % senders.length] ?? '0x').toLowerCase())],
    })
  }
}
