import { monitorEventLoopDelay } from 'node:perf_hooks'
import { GeneratedNetwork } from '@firn/devnet'
import { systemClock } from '@firn/runtime'
import { Store, Writer } from '@firn/store'
import { Recordings } from '@firn/store/testing'
import { createIndexer } from '../primary/Indexer.ts'
import { parseBeacons } from '../primary/peers/NetworkPeers.ts'
import { createPeerSource } from '../primary/peers/PeerSource.ts'
import { GENERATED_NETWORK } from './generatedNetwork.ts'

/**
 * Arguments of the process whose sync from peers a benchmark measures: `<made-up or transfers> <url or folder>
 * <schema> <bootstrap ids> <bootstrap ips>`. It prints a line when all blocks are fetched, and one when all are applied.
 */
const [kind = '', place = '', schema = '', ids = '', ips = ''] = process.argv.slice(2)
const at = place.startsWith('postgres:') ? { url: place } : { folder: place }
const store = await Store.open({ ...at, schema })
await store.migrate()
const { genesis, constants } =
  kind === 'made-up'
    ? (await GeneratedNetwork.create({ networkId: GENERATED_NETWORK, blocks: 0, seed: 'bench' })).network
        .rules
    : Recordings.load('local')
await Writer.resume(store, genesis, constants)
const source = createPeerSource({
  store,
  genesis,
  constants,
  beacons: parseBeacons(ids.split(','), ips.split(',')),
})
const indexer = createIndexer({ store, source, genesis, constants, once: true, pollMs: 50 })
const delay = monitorEventLoopDelay({ resolution: 5 })

async function phase(name: string, work: () => Promise<unknown>): Promise<void> {
  const [since, cpuBefore] = [systemClock.now(), process.cpuUsage()]
  delay.reset()
  delay.enable()
  await work()
  const { user, system } = process.cpuUsage(cpuBefore)
  const { P } = await heights()
  const stages = await indexer.metrics.getSingleMetric('firn_indexer_stage_seconds_total')?.get()
  const figures = {
    phase: name,
    blocks: P,
    seconds: (systemClock.now() - since) / 1000,
    cpuSeconds: (user + system) / 1e6,
    stages: Object.fromEntries((stages?.values ?? []).map(({ labels, value }) => [labels['stage'], value])),
    delayMs: delay.percentile(99) / 1e6,
    peakMiB: Math.round(process.resourceUsage().maxRSS / 2 ** 10),
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}

async function heights(): Promise<{ readonly P: number }> {
  const { chains } = indexer.status()
  return { P: Number(chains?.P.height ?? (await source.tip('P')) ?? 0n) }
}

const fetched = source.tip('P')
while (source.progress?.()?.phase === 'bootstrapping') await systemClock.sleep(5)
await phase('fetch', () => fetched)
await phase('apply', () => indexer.run(new AbortController().signal))
await source.close()
await store.close()
