import { Store } from '@firn/store'
import { manyUtxo, Recordings, spendingChain } from '@firn/store/testing'
import { createIndexer } from '../primary/Indexer.ts'
import type { Source, SourceBlock } from '../primary/Source.ts'

/**
 * Arguments of the process whose memory use a benchmark measures: `<url> <UTXOs> <blocks>`. It writes blocks that spend
 * made-up UTXOs all over the database, continues where an earlier run stopped, and prints its figures.
 */
const [url = '', utxos = '', blocks = ''] = process.argv.slice(2)
const [count, number] = [Number(utxos), Number(blocks)]
const recording = Recordings.load('local')
const store = await Store.open({ url })
const done = Number((await store.snapshot()).P.height)
const answered = performance.now()

/** Yields pairs of UTXOs that are far from each other. A step that has no factor in common with the count visits all. */
function* pairs() {
  let step = 7_368_787
  while (gcd(step, count) > 1) step++
  for (let i = 0; i < done + number; i++) {
    yield [2 * i, 2 * i + 1].map((at) => manyUtxo(Number((BigInt(at) * BigInt(step)) % BigInt(count))))
  }
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b)
}

const chain = spendingChain(recording, pairs())[Symbol.iterator]()
let made = 0n
const next = (): SourceBlock | undefined => {
  const { value } = chain.next()
  made += 1n
  return value?.container && { kind: 'container', bytes: value.container.bytes, origin: 'bench' }
}
const source: Source = {
  name: 'made-up blocks',
  isFixed: true,
  tip: async (chain) => (chain === 'P' ? BigInt(done + number) : undefined),
  async blocks(chain, from, limit) {
    if (chain !== 'P') return []
    while (made + 1n < from) next()
    return Array.from({ length: Math.min(limit, 256) }, next).filter((block) => block !== undefined)
  },
  refuse: () => undefined,
  close: async () => undefined,
}
const { genesis, constants } = recording
const indexer = createIndexer({ store, source, genesis, constants, once: true })
let first: number | undefined
store.onAdvance(() => {
  if (indexer.status().phase !== 'starting') first ??= performance.now()
})
const cpu = process.cpuUsage()
await indexer.run(new AbortController().signal)
const seconds = (performance.now() - (first ?? 0)) / 1000
const { user, system } = process.cpuUsage(cpu)
const stages = await indexer.metrics.getSingleMetric('firn_indexer_stage_seconds_total')?.get()
const parts = (stages?.values ?? []).map(
  ({ labels, value }) => `${labels['stage']} ${((value * 1e6) / number).toFixed(0)}`,
)
await store.close()
const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
process.stdout.write(
  [
    `first answer after ${inSeconds(answered)}, first blocks written after ${inSeconds(first ?? Number.NaN)}`,
    `${(number / seconds).toFixed(0)} blocks/s`,
    `µs per block: ${parts.join(', ')}; CPU of this process ${((user + system) / number).toFixed(0)}`,
    `peak memory ${Math.round(process.resourceUsage().maxRSS / 2 ** 10)} MiB`,
  ].join('; '),
)
