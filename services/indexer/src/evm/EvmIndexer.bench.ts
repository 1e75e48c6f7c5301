import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { TestPostgres } from '@firn/store/testing'
import { temporaryFolder } from '../testing/archives.ts'
import { createEvmNode } from '../testing/EvmNode.ts'
import type { NodeBlock } from '../testing/evmMethods.ts'
import { startProcess } from '../testing/evmProcess.ts'
import { CHAIN_ID, openTarget, startIndexer } from '../testing/reliability.ts'
import { token } from '../testing/reliableToken.ts'
import { extend } from '../testing/transferChain.ts'

/** Numbers of blocks in the chains. Memory use must not grow with the number of blocks. */
const BLOCKS = (process.env['FIRN_BENCH_EVM_BLOCKS'] ?? '800,2400').split(',').map(Number)
/** Milliseconds between blocks at the head, each with the number of blocks to index at this pace. */
const PACES = [
  [50, 160],
  [200, 60],
  [1_000, 20],
] as const
const NODE = fileURLToPath(new URL('../testing/evmNodeChild.ts', import.meta.url))
const TRANSFERS = 40

/**
 * Measures the indexing of chains from a node in another process. Prints the rate and memory use while catching up,
 * and the latency at the head.
 */
export async function report(print: (text: string) => void): Promise<void> {
  const { folder, remove } = temporaryFolder()
  const reason = TestPostgres.missing()
  const settings = ['shared_buffers=512MB', 'max_wal_size=4GB']
  const server = reason === undefined ? await TestPostgres.startForBench(settings) : undefined
  print('EVM blocks of 50 transactions with 40 ERC-20 transfers, with receipts and traces, fetched over HTTP')
  if (reason !== undefined) print(`PostgreSQL: ${reason}`)
  try {
    for (const blocks of BLOCKS) {
      const node = await startNode(blocks)
      if (server !== undefined) print(await backfill('PostgreSQL', { url: server.url }, node.url, blocks))
      print(await backfill('PGlite', { folder: join(folder, `${blocks}`) }, node.url, blocks))
      node.child.stdin?.end()
    }
    if (server !== undefined) {
      for (const [ms, count] of PACES) print(await latency(server.url, ms, count))
    }
  } finally {
    await server?.close()
    remove()
  }
}

async function startNode(blocks: number): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, ['--conditions=source', NODE, `${blocks}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (child.stdout === null) throw new RangeError('the node process has no standard output')
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { url, child }
}

async function backfill(
  name: string,
  at: { readonly url?: string; readonly folder?: string },
  upstream: string,
  blocks: number,
): Promise<string> {
  const schema = `bench_${blocks}`
  const options = {
    ...at,
    schema,
    chainId: Number(CHAIN_ID),
    upstreams: [upstream],
    settings: { once: true },
  }
  const indexer = startProcess(options)
  await indexer.ended
  if (indexer.errors() !== '') throw new RangeError(indexer.errors())
  const { seconds, peakMiB, cpuSeconds } = JSON.parse(indexer.lastLine()) as Record<string, number>
  const rate = blocks / (seconds ?? 0)
  const cpu = (((cpuSeconds ?? 0) * 1e3) / blocks).toFixed(2)
  return `${name}, ${blocks} blocks: ${rate.toFixed(0)} blocks/s, ${(rate * TRANSFERS).toFixed(0)} transfers/s, ${cpu} ms CPU a block, peak ${peakMiB?.toFixed(0)} MiB`
}

async function latency(url: string, blockMs: number, count: number): Promise<string> {
  const target = await openTarget(url)
  let blocks: readonly NodeBlock[] = extend([], 5, { name: 'head' })
  const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
  const indexer = startIndexer(target, [node.wsUrl])
  while (node.subscriptions() === 0 || (await target.height()) < 4) await setTimeout(10)
  const latencies: number[] = []
  for (let i = 0; i < count; i++) {
    const next = extend(blocks, 1, { name: 'head', transactions: 50, transfers: TRANSFERS })
    blocks = next
    const since = performance.now()
    node.publish(blocks)
    while ((await target.height()) < blocks.length - 1) await setTimeout(1)
    latencies.push(performance.now() - since)
    await setTimeout(Math.max(blockMs - (performance.now() - since), 0))
  }
  await indexer.end('SIGTERM')
  await node.close()
  await target.close()
  latencies.sort((a, b) => a - b)
  const at = (part: number) => (latencies[Math.floor(latencies.length * part)] ?? 0).toFixed(0)
  return `PostgreSQL, a block every ${blockMs} ms: time from publication until readable p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}
