import { randomBytes } from 'node:crypto'
import { openUsage } from '@firn/service-store/testing'
import { database } from '@firn/sql/testing'
import { createGateway } from '../Gateway.ts'
import { fakeNode } from './fakeNode.ts'

/**
 * Runs a gateway in a separate process, in which the load test can measure the memory use. For tests only.
 */
const usage = await openUsage()
const node = await fakeNode()
const gateway = await createGateway({
  chains: [{ names: ['43114'], urls: [node.url] }],
  usage,
  host: '0.0.0.0',
  port: 0,
  // The timeouts are long, because connections must not be closed only because the machine is busy.
  limits: { requestMs: 300_000, answerMs: 300_000, totalMs: 300_000, idleMs: 300_000 },
  now: () => performance.timeOrigin + performance.now(),
  random: { bytes: randomBytes, number: Math.random },
  log: { info: () => undefined, warn: () => undefined },
})
const tell = (message: object) => process.send?.(message)

process.on('message', async () => {
  await gateway.flush()
  const rows = await database(usage).selectFrom('usage').select(['status', 'requests']).execute()
  const sums: Record<number, number> = {}
  for (const { status, requests } of rows) sums[status] = (sums[status] ?? 0) + Number(requests)
  tell({ kind: 'counted', sums, rows: rows.length })
})
process.on('disconnect', () => process.exit())
// The bodies that the fake node stores must not count as memory of the gateway.
setInterval(() => node.bodies.splice(1), 100).unref()
setInterval(() => tell({ kind: 'memory', rss: process.memoryUsage.rss() }), 100).unref()
tell({ kind: 'ready', port: Number(new URL(gateway.url).port) })
