import { Store } from '@firn/store'
import { createArchiveSource } from '../primary/archive/ArchiveSource.ts'
import * as GenesisFiles from '../primary/archive/GenesisFiles.ts'
import { createIndexer } from '../primary/Indexer.ts'

/**
 * Arguments of the process whose indexing a benchmark measures: `<archive> <url or folder> <schema>`. The
 * process prints the number of blocks, the seconds in total and per stage, and the peak memory use.
 */
const [archive = '', place = '', schema = ''] = process.argv.slice(2)
const at = place.startsWith('postgres:') ? { url: place } : { folder: place }
const store = await Store.open({ ...at, schema })
await store.migrate()
const rules = await GenesisFiles.load({ archive, now: 0n })
const source = createArchiveSource(archive)
const indexer = createIndexer({ store, source, ...rules })
const idle = process.memoryUsage().rss
const [since, cpuBefore] = [performance.now(), process.cpuUsage()]
await indexer.run(new AbortController().signal)
const seconds = (performance.now() - since) / 1000
const cpu = process.cpuUsage(cpuBefore)
const stages = await indexer.metrics.getSingleMetric('firn_indexer_stage_seconds_total')?.get()
const { chains } = indexer.status()
await source.close()
await store.close()
process.stdout.write(
  JSON.stringify({
    blocks: Number(chains?.P.height),
    seconds,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    stages: Object.fromEntries((stages?.values ?? []).map(({ labels, value }) => [labels['stage'], value])),
    idleMiB: Math.round(idle / 2 ** 20),
    peakMiB: Math.round(process.resourceUsage().maxRSS / 2 ** 10),
  }),
)
