import { setTimeout } from 'node:timers/promises'
import { database, TestPostgres } from '@firn/sql/testing'
import { createEvmNode } from '../../testing/EvmNode.ts'
import type { IndexingProcess } from '../../testing/evmProcess.ts'
import {
  CHAIN_ID,
  either,
  openTarget,
  type Report,
  SLOW,
  scenario,
  startIndexer,
  startIndexerInTest,
  type Target,
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
    const target = await openTarget(server.url)
    let blocks = extend([], BLOCKS, { name: 'restart' })
    const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
    node.faults = { slowMs: 30 }
    const indexer = startIndexer(target, [node.url], SLOW)
    const restarted = async (check: string, grow: () => void) => {
      const before = await target.height()
      await server.restart(either(10_000, 1_000))
      const since = Date.now()
      grow()
      const moved = await until(async () => (await target.height()) > Math.max(before, 0))
      report.check(check, moved && indexer.isRunning(), `at ${await target.height()}, ${indexer.errors()}`)
      report.measure('time to resume', (Date.now() - since) / 1000, 's')
    }
    await until(async () => (await target.height()) > BLOCKS / 3)
    await restarted('resumes a backfill after a database restart', () => undefined)
    node.faults = {}
    await until(async () => (await target.height()) === BLOCKS - 1)
    await compare(report, target, blocks)
    const grow = () => {
      blocks = extend(blocks, 3, { name: 'restart' })
      node.publish(blocks)
    }
    grow()
    await restarted('follows the head again after a database restart', grow)
    await until(async () => (await target.height()) === blocks.length - 1)
    await compare(report, target, blocks)
    report.measure('restarts needed', indexer.isRunning() ? 0 : 1, 'count')
    await indexer.end('SIGTERM')
    await node.close()
    await target.store.close()
    await server.close()
  },
)

scenario(
  'full disk',
  [
    'says that the disk is full, and keeps running',
    'stores no part of a block while the disk is full',
    'goes on when there is space again',
    'loses no data while the disk is full',
  ],
  async (report) => {
    const target = await openTarget()
    const blocks = extend([], BLOCKS, { name: 'full' })
    const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
    node.faults = { slowMs: 30 }
    const running = startIndexerInTest(target, [node.url], SLOW)
    const problems = () => running.indexer.status().flatMap(({ problems }) => problems)
    await until(async () => (await target.height()) > BLOCKS / 3)
    const makeSpace = await fillDisk(target)
    const isTold = await until(() =>
      problems().some((words) => words.includes('the disk of the database is full')),
    )
    report.check(
      'says that the disk is full, and keeps running',
      isTold,
      `${problems()} ${running.failure()}`,
    )
    const at = await target.height()
    const words = await target.difference(blocks, at)
    report.check('stores no part of a block while the disk is full', words === undefined, words)
    await makeSpace()
    node.faults = {}
    const isComplete = await until(async () => (await target.height()) === BLOCKS - 1)
    report.check(
      'goes on when there is space again',
      isComplete && at < BLOCKS - 1,
      `${problems()} ${running.failure()}`,
    )
    const lost = await target.difference(blocks)
    report.check('loses no data while the disk is full', lost === undefined, lost)
    await running.stop()
    await node.close()
    await target.close()
  },
)

/**
 * Makes commits fail as on a full disk, after most of a block's rows are written. Returns a function that makes space
 * again.
 */
async function fillDisk({ store, schema }: Target): Promise<() => Promise<void>> {
  const run = (text: string) => store.driver.control(text)
  await run(
    `create function ${schema}.fail_without_space() returns trigger language plpgsql as
     $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`,
  )
  await run(
    `create trigger fail_without_space before insert or update on ${schema}.cursor execute function ${schema}.fail_without_space()`,
  )
  return async () => {
    await run(`drop trigger fail_without_space on ${schema}.cursor`)
  }
}

async function compare(report: Report, target: Target, blocks: Parameters<Target['difference']>[0]) {
  const words = await target.difference(blocks)
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
    const target = await openTarget()
    const blocks = extend([], BLOCKS, { name: 'killed' })
    const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
    node.faults = { slowMs: 30 }
    let reindexed = 0
    let indexer: IndexingProcess | undefined
    for (const part of [0.2, 0.45, 0.7]) {
      node.asked.lowest = Number.POSITIVE_INFINITY
      const before = await target.height()
      indexer = startIndexer(target, [node.url], SLOW)
      const moved = await until(async () => (await target.height()) > Math.max(BLOCKS * part, before))
      report.check('continues from the stored height after a kill', moved, indexer.errors())
      if (before >= 0) reindexed += Math.max(before + 1 - node.asked.lowest, 0)
      // The second process is killed after it has written a batch, but before the batch is committed.
      if (part === 0.45) await killInCommit(target, indexer)
      else await indexer.end('SIGKILL')
      const at = await target.height()
      const words = await target.difference(blocks, at)
      report.check('never shows a partially written batch', words === undefined, words)
    }
    node.faults = {}
    indexer = startIndexer(target, [node.url])
    await until(async () => (await target.height()) === BLOCKS - 1)
    const words = await target.difference(blocks)
    report.check('leaves no gap at the height of the kill', words === undefined, words)
    report.check('applies no block twice', words === undefined, words)
    report.measure('blocks re-indexed', reindexed, 'blocks')
    await indexer.end('SIGTERM')
    await node.close()
    await target.close()
  },
)

async function killInCommit(target: Target, indexer: IndexingProcess): Promise<void> {
  const { driver } = target.store
  const db = database(target.store)
  const isHeldBack = async () => {
    const query = 'select 1 as one from pg_locks where not granted limit 1'
    return (await driver.transaction((session) => session.query(query))).length > 0
  }
  await db.transaction().execute(async (held) => {
    await held.selectFrom('cursor').selectAll().forUpdate().execute()
    const at = await target.height()
    const isCommitting = await until(isHeldBack)
    if (!isCommitting || (await target.height()) !== at) throw new RangeError('the commit was not held back')
    await indexer.end('SIGKILL')
  })
  // The server may need a moment to notice that the killed client has disconnected.
  await setTimeout(either(1_000, 100))
}

scenario(
  'SIGTERM during a backfill',
  ['exits with code 0 within fifteen seconds', 'stores a height that matches the stored blocks'],
  async (report) => {
    const target = await openTarget()
    const blocks = extend([], BLOCKS, { name: 'stopped' })
    const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
    node.faults = { slowMs: 30 }
    const indexer = startIndexer(target, [node.url], SLOW)
    await until(async () => (await target.height()) > BLOCKS / 3)
    const since = Date.now()
    await indexer.end('SIGTERM')
    const seconds = (Date.now() - since) / 1000
    report.measure('time to stop', seconds, 's')
    const isClean = indexer.exitCode() === 0 && seconds < 15 && indexer.errors() === ''
    report.check(
      'exits with code 0 within fifteen seconds',
      isClean,
      `${indexer.exitCode()} ${indexer.errors()}`,
    )
    const check = 'stores a height that matches the stored blocks'
    const at = await target.height()
    report.check(check, at > 0 && at < BLOCKS - 1, `stopped at ${at}`)
    const halfway = await target.difference(blocks, at)
    report.check(check, halfway === undefined, halfway)
    node.faults = {}
    const again = startIndexer(target, [node.url])
    await until(async () => (await target.height()) === BLOCKS - 1)
    const words = await target.difference(blocks)
    report.check(check, words === undefined, words)
    await again.end('SIGTERM')
    await node.close()
    await target.close()
  },
)
