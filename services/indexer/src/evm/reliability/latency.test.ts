import { setTimeout } from 'node:timers/promises'
import { database } from '@firn/sql/testing'
import { createEvmNode } from '../../testing/EvmNode.ts'
import type { NodeBlock } from '../../testing/evmMethods.ts'
import { CHAIN_ID, either, openTarget, scenario, startIndexer, until } from '../../testing/reliability.ts'
import { token } from '../../testing/reliableToken.ts'
import { extend, rewrite } from '../../testing/transferChain.ts'

const MEDIAN = 'has a median latency below two seconds'
const SLOWEST = 'has a 99th percentile latency below ten seconds'
const BEHIND = 'catches up within fifteen seconds'
const AFTER = 'returns to its normal latency after a reorg'

/** Milliseconds between blocks. */
const BLOCK_MS = either(2_000, 250)
const STEADY = either(120, 24)
const LATER = either(30, 12)

scenario('latency at the head', [MEDIAN, SLOWEST, BEHIND, AFTER], async (report) => {
  const target = await openTarget()
  let blocks: readonly NodeBlock[] = extend([], 20, { name: 'steady' })
  const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
  const indexer = startIndexer(target, [node.wsUrl])
  await until(async () => (await target.height()) === blocks.length - 1)
  await until(() => node.subscriptions() > 0)
  const published = new Map<string, number>()
  const latencies: { readonly at: number; readonly ms: number }[] = []
  let [isEnded, worstLag, behindSince, longestBehind] = [false, 0, 0, 0]
  const watching = (async () => {
    let seen = ''
    while (!isEnded) {
      const row = await database(target.store).selectFrom('cursor').selectAll().executeTakeFirst()
      const now = performance.now()
      const hash = `0x${Buffer.from(row?.hash ?? []).toString('hex')}`
      const at = published.get(hash)
      if (hash !== seen && at !== undefined) latencies.push({ at, ms: now - at })
      seen = hash
      const lag = blocks.length - 1 - Number(row?.height ?? -1n)
      worstLag = Math.max(worstLag, lag)
      if (lag <= 5) behindSince = now
      longestBehind = Math.max(longestBehind, now - behindSince)
      await setTimeout(either(10, 3))
    }
  })()
  behindSince = performance.now()
  const publish = async (next: readonly NodeBlock[]) => {
    blocks = next
    published.set(String(blocks.at(-1)?.block['hash']), performance.now())
    node.publish(blocks)
    await setTimeout(BLOCK_MS)
  }
  for (let i = 0; i < STEADY; i++) await publish(extend(blocks, 1, { name: 'steady' }))
  const steady = latencies.map(({ ms }) => ms).sort((a, b) => a - b)
  await publish(rewrite(blocks, blocks.length - 4, 4, { name: 'other' }))
  const reconciled = await until(async () => (await target.height()) === blocks.length - 1)
  const since = performance.now()
  for (let i = 0; i < LATER; i++) await publish(extend(blocks, 1, { name: 'other' }))
  await until(async () => (await target.height()) === blocks.length - 1)
  isEnded = true
  await watching
  const late = latencies.filter(({ at }) => at >= since).map(({ ms }) => ms)
  late.sort((a, b) => a - b)
  const [median, slowest] = [percentile(steady, 0.5), percentile(steady, 0.99)]
  const lateMedian = percentile(late, 0.5)
  report.measure('median latency', median, 'ms')
  report.measure('99th percentile latency', slowest, 'ms')
  report.measure('median latency after the reorganisation', lateMedian, 'ms')
  report.measure('worst lag behind the head', worstLag, 'blocks')
  report.check(MEDIAN, steady.length > STEADY / 2 && median < 2_000, `${median} ms of ${steady.length}`)
  report.check(SLOWEST, slowest < 10_000, `${slowest} ms`)
  report.check(BEHIND, longestBehind < 15_000, `${longestBehind} ms`)
  const isBack = reconciled && late.length > 0 && lateMedian <= Math.max(3 * slowest, BLOCK_MS)
  report.check(AFTER, isBack, `${lateMedian} ms after ${median} ms`)
  const words = await target.difference(blocks)
  report.check(AFTER, words === undefined, words)
  await indexer.end('SIGTERM')
  await node.close()
  await target.close()
})

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.POSITIVE_INFINITY
}
