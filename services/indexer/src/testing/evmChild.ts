import { EvmStore } from '@firn/evm-store'
import { createEvmIndexer } from '../evm/EvmIndexer.ts'

/** Options of an indexing process. They are passed to it as JSON in an argument. For tests only. */
export interface ChildOptions {
  readonly url?: string
  readonly folder?: string
  readonly schema: string
  readonly chainId: number
  readonly upstreams: readonly string[]
  readonly withLogs?: boolean
  readonly checksBalances?: boolean
  readonly buildsIndexesLater?: boolean
  readonly settings: {
    readonly pollMs?: number
    readonly batchBlocks?: number
    readonly maxReorgDepth?: number
    readonly longestPauseMs?: number
    readonly timeoutMs?: number
    readonly once?: boolean
    readonly concurrency?: number
    readonly maxBatch?: number
  }
}

const options = JSON.parse(process.argv[2] ?? '{}') as ChildOptions
const at = options.url === undefined ? { folder: options.folder ?? '' } : { url: options.url, connections: 3 }
const { timeoutMs, ...settings } = options.settings
const store = await EvmStore.open({ ...at, schema: options.schema, chainId: BigInt(options.chainId) })
const indexer = createEvmIndexer({
  chains: [
    {
      store,
      chain: {
        name: 'Reliability',
        network: 'local',
        token: { name: 'Coin', symbol: 'COIN', decimals: 18 },
      },
      withLogs: options.withLogs,
      checksBalances: options.checksBalances,
      buildsIndexesLater: options.buildsIndexesLater,
      upstreams: options.upstreams.map((url) => ({ url, ...(timeoutMs === undefined ? {} : { timeoutMs }) })),
    },
  ],
  ...settings,
})
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
let printed = ''
const tell = setInterval(() => {
  const [status] = indexer.status()
  const line = `${status?.height ?? -1} ${status?.phase}\n`
  if (line !== printed) process.stdout.write(line)
  printed = line
}, 20)
const since = performance.now()
const cpuSince = process.cpuUsage()
try {
  await indexer.run(stop.signal)
  const seconds = (performance.now() - since) / 1000
  const { user, system } = process.cpuUsage(cpuSince)
  const [peakMiB, cpuSeconds] = [process.resourceUsage().maxRSS / 1024, (user + system) / 1e6]
  process.stdout.write(`${JSON.stringify({ seconds, peakMiB, cpuSeconds })}\n`)
} catch (error) {
  process.stderr.write(
    `${error instanceof Error ? `${'code' in error ? error.code : ''} ${error.message}` : error}\n`,
  )
  process.exitCode = 1
}
clearInterval(tell)
await store.close()
