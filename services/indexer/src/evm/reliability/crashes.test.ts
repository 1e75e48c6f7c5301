import { setTimeout } from 'node:timers/promises'
import { database, TestPostgres } from '@firn/store/testing'
import { createEvmNode } from '../../testing/EvmNode.ts'
import type { EvmLife } from '../../testing/evmLives.ts'
import {
  beginAt,
  CHAIN_ID,
  either,
  openPlace,
  type Place,
  type Report,
  SLOW,
  scenario,
  until,
} from '../../testing/reliability.ts'
import { token } from '../../testing/reliableToken.ts'
import { extend } from '../../testing/transferChain.ts'

const BLOCKS = either(1_000, 240)

scenario(
  'database outage',
  [
    'resumes a backfill after a database restart',
    'follows the head again after a database restart',
    'loses no data in a database restart',
    'writes no duplicates after a database restart',
  ],
  async (report) => {
    const server = await TestPostgres.start()
    const place = await openPlace(server.url)
    let blocks = extend([], BLOCKS, { name: 'restart' })
    const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
    node.faults = { slowMs: 30 }
    const life = beginAt(place, [node.url], SLOW)
    const restarted = async (check: string, grow: () => void) => {
      const before = await place.height()
      await server.restart(either(10_000, 1_000))
      const since = Date.now()
      grow()
      const moved = await until(async () => (await place.height()) > Math.max(before, 0))
      report.check(check, moved && life.isRunning(), `at ${await place.height()}, ${life.errors()}`)
      report.measure('time to resume', (Date.now() - since) / 1000, 's')
    }
    await until(async () => (await place.height()) > BLOCKS / 3)
    await restarted('resumes a backfill after a database restart', () => undefined)
    node.faults = {}
    await until(async () => (await place.height()) === BLOCKS - 1)
    await compare(report, place, blocks)
    const grow = () => {
      blocks = extend(blocks, 3, { name: 'restart' })
      node.publish(blocks)
    }
    grow()
    await restarted('follows the head again after a database restart', grow)
    await until(async () => (await place.height()) === blocks.length - 1)
    await compare(report, place, blocks)
    report.measure('restarts needed', life.isRunning() ? 0 : 1, 'count')
    await life.end('SIGTERM')
    await node.close()
    await place.store.close()
    await server.close()
  },
)

async function compare(report: Report, place: Place, blocks: Parameters<Place['difference']>[0]) {
  const words = await place.difference(blocks)
  const [missing, extra] = [!words?.includes('missing 0'), !words?.includes('too many 0')]
  report.check('loses no data in a database restart', words === undefined || !missing, words)
  report.check(
    'writes no duplicates after a database restart',
    words === undefined || (missing && !extra),
    words,
  )
}

scenario(
  'SIGKILL during a batch',
  [
    'continues from the stored height after a kill',
    'leaves no gap at the height of the kill',
    'applies no block twice',
    'never shows a partially written batch',
  ],
  async (report) => {
    const place = await openPlace()
    const blocks = extend([], BLOCKS, { name: 'killed' })
    const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
    node.faults = { slowMs: 30 }
    let reindexed = 0
    let life: EvmLife | undefined
    for (const part of [0.2, 0.45, 0.7]) {
      node.asked.lowest = Number.POSITIVE_INFINITY
      const before = await place.height()
      life = beginAt(place, [node.url], SLOW)
      const moved = await until(async () => (await place.height()) > Math.max(BLOCKS * part, before))
      report.check('continues from the stored height after a kill', moved, life.errors())
      if (before >= 0) reindexed += Math.max(before + 1 - node.asked.lowest, 0)
      // The second process is killed after it has written a batch, but before the batch is committed.
      if (part === 0.45) await killInCommit(place, life)
      else await life.end('SIGKILL')
      const at = await place.height()
      const words = await place.difference(blocks, at)
      report.check('never shows a partially written batch', words === undefined, words)
    }
    node.faults = {}
    life = beginAt(place, [node.url])
    await until(async () => (await place.height()) === BLOCKS - 1)
    const words = await place.difference(blocks)
    report.check('leaves no gap at the height of the kill', words === undefined, words)
    report.check('applies no block twice', words === undefined, words)
    report.measure('blocks re-indexed', reindexed, 'blocks')
    await life.end('SIGTERM')
    await node.close()
    await place.close()
  },
)

async function killInCommit(place: Place, life: EvmLife): Promise<void> {
  const { driver } = place.store
  const db = database(place.store)
  const isHeldBack = async () => {
    const query = 'select 1 as one from pg_locks where not granted limit 1'
    return (await driver.transaction((session) => session.query(query))).length > 0
  }
  await db.transaction().execute(async (held) => {
    await held.selectFrom('cursor').selectAll().forUpdate().execute()
    const at = await place.height()
    const isCommitting = await until(isHeldBack)
    if (!isCommitting || (await place.height()) !== at) throw new RangeError('the commit was not held back')
    await life.end('SIGKILL')
  })
  // The server may need a moment to notice that the killed client has disconnected.
  await setTimeout(either(1_000, 100))
}

scenario(
  'SIGTERM during a backfill',
  ['exits with code 0 within fifteen seconds', 'stores a height that matches the stored blocks'],
  async (report) => {
    const place = await openPlace()
    const blocks = extend([], BLOCKS, { name: 'stopped' })
    const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
    node.faults = { slowMs: 30 }
    const life = beginAt(place, [node.url], SLOW)
    await until(async () => (await place.height()) > BLOCKS / 3)
    const since = Date.now()
    await life.end('SIGTERM')
    const seconds = (Date.now() - since) / 1000
    report.measure('time to stop', seconds, 's')
    const isClean = life.exitCode() === 0 && seconds < 15 && life.errors() === ''
    report.check('exits with code 0 within fifteen seconds', isClean, `${life.exitCode()} ${life.errors()}`)
    const check = 'stores a height that matches the stored blocks'
    const at = await place.height()
    report.check(check, at > 0 && at < BLOCKS - 1, `stopped at ${at}`)
    const halfway = await place.difference(blocks, at)
    report.check(check, halfway === undefined, halfway)
    node.faults = {}
    const again = beginAt(place, [node.url])
    await until(async () => (await place.height()) === BLOCKS - 1)
    const words = await place.difference(blocks)
    report.check(check, words === undefined, words)
    await again.end('SIGTERM')
    await node.close()
    await place.close()
  },
)
