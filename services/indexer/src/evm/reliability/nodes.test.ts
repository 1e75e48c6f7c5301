import { setTimeout } from 'node:timers/promises'
import { createEvmNode } from '../../testing/EvmNode.ts'
import type { EvmFaults } from '../../testing/evmFaults.ts'
import {
  CHAIN_ID,
  either,
  openTarget,
  SLOW,
  scenario,
  startIndexer,
  startIndexerInTest,
  until,
} from '../../testing/reliability.ts'
import { token } from '../../testing/reliableToken.ts'
import { extend, rewrite } from '../../testing/transferChain.ts'

const WINDOWS: readonly EvmFaults[] = [
  { mode: 'errors' },
  { mode: 'limited' },
  { mode: 'badGateway' },
  { mode: 'hang' },
]
const SURVIVES = 'keeps running during every fault'
const RESUMES = 'resumes after the node recovers'
const NOTHING = 'loses no data because of failed requests'
const BACKS_OFF = 'limits its request rate while requests fail'

scenario('node outage', [SURVIVES, RESUMES, NOTHING, BACKS_OFF], async (report) => {
  const target = await openTarget()
  const blocks = extend([], either(1_500, 400), { name: 'outage' })
  const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
  node.faults = { slowMs: 150 }
  const limits = either(1, 0) === 1 ? {} : { timeoutMs: 1_000, longestPauseMs: 1_000 }
  const indexer = startIndexer(target, [node.url], { ...SLOW, ...limits })
  await until(async () => (await target.height()) > 20)
  const windowMs = either(30_000, 1_500)
  const healthyMs = either(5_000, 1_000)
  const rate = async (ms: number): Promise<number> => {
    const before = node.requests()
    await setTimeout(ms)
    return (node.requests() - before) / (ms / 1000)
  }
  for (const fault of WINDOWS) {
    const healthy = await rate(healthyMs)
    node.faults = fault
    const faulty = await rate(windowMs)
    const before = await target.height()
    node.faults = { slowMs: 150 }
    const since = Date.now()
    const moved = await until(async () => (await target.height()) > before)
    report.check(RESUMES, moved && before < blocks.length - 1, `${fault.mode}: still at ${before}`)
    report.measure(`time to resume after ${fault.mode}`, (Date.now() - since) / 1000, 's')
    const words = `${fault.mode}: ${faulty} requests a second, ${healthy} when healthy`
    report.check(BACKS_OFF, faulty <= 20 * Math.max(healthy, 1), words)
    report.measure(`requests during ${fault.mode}`, faulty, '1/s')
    report.measure(`requests before ${fault.mode}`, healthy, '1/s')
    report.check(SURVIVES, indexer.isRunning(), `${fault.mode}: ${indexer.errors()}`)
  }
  node.faults = {}
  await until(async () => (await target.height()) === blocks.length - 1)
  const words = await target.difference(blocks)
  report.check(NOTHING, words === undefined, words)
  await indexer.end('SIGTERM')
  await node.close()
  await target.close()
})

const NARROWS = 'reduces the batch size if the node refuses a batch'
const TOO_LARGE = 'reduces the batch size if a response would be too large'
const WIDENS = 'increases the batch size after the limit is removed'

// The indexer never reads blocks by log ranges, so the node refuses batches of calls instead.
scenario('request limits of a node', [NARROWS, TOO_LARGE, WIDENS], async (report) => {
  const blocks = extend([], 400, { name: 'limits' })
  for (const [check, limit] of [
    [NARROWS, { maxBatch: 5 }],
    [TOO_LARGE, { maxBytes: 20_000 }],
  ] as const) {
    const target = await openTarget()
    const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
    node.faults = { ...limit, slowMs: 20 }
    const inTest = startIndexerInTest(target, [node.url], { batchBlocks: 32, concurrency: 2 })
    const moved = await until(async () => (await target.height()) > 150)
    report.check(check, moved, `at ${await target.height()}`)
    const narrow = node.batches.last
    node.batches.largest = 0
    node.faults = {}
    await until(async () => (await target.height()) === blocks.length - 1)
    const words = await target.difference(blocks)
    report.check(check, words === undefined, words)
    report.check(WIDENS, node.batches.largest > narrow, `${node.batches.largest} calls after ${narrow}`)
    report.measure(`largest batch after removal of ${Object.keys(limit)}`, node.batches.largest, 'calls')
    await inTest.stop()
    await node.close()
    await target.close()
  }
})

const BACKWARDS = 'ignores a head that moves backwards'
const TWICE = 'ignores answers and heads that are delivered twice'
const VANISHED = 'follows the chain if announced blocks disappear'

scenario('inconsistent answers of a node', [BACKWARDS, TWICE, VANISHED], async (report) => {
  const target = await openTarget()
  let blocks: readonly (typeof main)[number][] = []
  const main = extend([], 80, { name: 'steady' })
  blocks = main
  const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
  const inTest = startIndexerInTest(target, [node.wsUrl, node.url])
  const caughtUp = () => until(async () => (await target.height()) === blocks.length - 1)
  await caughtUp()
  const grow = async (times: number) => {
    for (let i = 0; i < times; i++) {
      blocks = extend(blocks, 1, { name: 'steady' })
      node.publish(blocks)
      await setTimeout(either(1_000, 100))
    }
  }
  node.faults = { flip: 6 }
  await grow(either(20, 8))
  node.faults = { lag: 12 }
  await grow(either(10, 4))
  node.faults = {}
  await caughtUp()
  const undone = await inTest.counter('reorganisations_total')
  report.check(BACKWARDS, undone === 0, `${undone} times blocks were undone`)
  const backwards = await target.difference(blocks)
  report.check(BACKWARDS, backwards === undefined && inTest.failure() === undefined, backwards)
  node.faults = { duplicated: true }
  blocks = extend(blocks, 40, { name: 'steady' })
  node.publish(blocks)
  await grow(4)
  await caughtUp()
  const twice = await target.difference(blocks)
  report.check(TWICE, twice === undefined, twice)
  // Three blocks are announced and disappear while they are fetched, and other blocks replace them.
  const gone = extend(blocks, 3, { name: 'gone' })
  node.faults = { vanished: new Set(gone.slice(-3).map(({ block }) => String(block['hash']))), slowMs: 20 }
  node.publish(gone)
  await setTimeout(either(3_000, 300))
  blocks = rewrite(blocks, blocks.length - 1, 4, { name: 'instead' })
  node.publish(blocks)
  node.faults = {}
  const moved = await caughtUp()
  report.check(VANISHED, moved, `at ${await target.height()} of ${blocks.length - 1}`)
  const vanished = await target.difference(blocks)
  report.check(VANISHED, vanished === undefined, vanished)
  await inTest.stop()
  await node.close()
  await target.close()
})
