import { setTimeout } from 'node:timers/promises'
import { database } from '@firn/sql/testing'
import { createEvmNode } from '../../testing/EvmNode.ts'
import type { NodeBlock } from '../../testing/evmMethods.ts'
import {
  CHAIN_ID,
  either,
  openTarget,
  type Report,
  SLOW,
  scenario,
  startIndexerInTest,
  type Target,
  until,
} from '../../testing/reliability.ts'
import { token } from '../../testing/reliableToken.ts'
import { extend, rewrite } from '../../testing/transferChain.ts'

const CHANGED = 'follows a one-block reorg that changes a transfer'
const REMOVED = 'follows a reorg that removes all transfers'
const DEEP = 'follows a deep reorg, and stops at a reorg beyond the limit'
const DOWN = 'follows a reorg that happened while the indexer was stopped'
const FAST = 'follows three reorgs in quick succession'
const BEHIND = 'follows a reorg of stored blocks during a backfill'

scenario('reorgs', [CHANGED, REMOVED, DEEP, DOWN, FAST, BEHIND], async (report) => {
  const target = await openTarget()
  let blocks: readonly NodeBlock[] = extend([], 120, { name: 'main' })
  const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
  let inTest = startIndexerInTest(target, [node.wsUrl])
  const reconciled = async (check: string, since: number) => {
    await until(async () => (await target.height()) === blocks.length - 1 && (await isOn(target, blocks)))
    const words = await target.difference(blocks)
    report.check(check, words === undefined, words)
    if (words === undefined) report.measure('time to reconcile', (Date.now() - since) / 1000, 's')
  }
  /** Replaces the last `depth` blocks, and adds two more blocks shortly afterwards. */
  const replace = async (depth: number, name: string, transfers?: number) => {
    const height = blocks.length - 1 - depth
    blocks = rewrite(blocks, height, depth, { name, ...(transfers === undefined ? {} : { transfers }) })
    node.publish(blocks)
    await setTimeout(either(2_000, 100))
    blocks = extend(blocks, 2, { name })
    node.publish(blocks)
  }
  await until(async () => (await target.height()) === blocks.length - 1)
  let since = Date.now()
  await replace(1, 'changed')
  await reconciled(CHANGED, since)
  since = Date.now()
  await replace(3, 'removed', 0)
  await reconciled(REMOVED, since)
  since = Date.now()
  await replace(60, 'deep')
  await reconciled(DEEP, since)
  since = Date.now()
  for (const name of ['first', 'second', 'third']) {
    await replace(4, name)
    await setTimeout(either(2_000, 50))
  }
  await reconciled(FAST, since)
  await inTest.stop()
  blocks = rewrite(blocks, blocks.length - 6, 9, { name: 'while down' })
  node.publish(blocks)
  since = Date.now()
  inTest = startIndexerInTest(target, [node.wsUrl])
  await reconciled(DOWN, since)
  // A reorg beyond the limit must be reported without a change of the stored data.
  const before = await target.contents()
  blocks = rewrite(blocks, blocks.length - 90, 95, { name: 'too deep' })
  node.publish(blocks)
  const status = () => inTest.indexer.status()[0]
  const isReported = await until(() => status()?.phase === 'halted')
  const words = status()?.problems.join()
  report.check(DEEP, isReported && words?.includes('firn evm --reset') === true, `problems: ${words}`)
  const isUnchanged = JSON.stringify(await target.contents()) === JSON.stringify(before)
  report.check(DEEP, isUnchanged, 'the data has changed')
  await inTest.stop()
  await node.close()
  await target.close()
  await behind(report)
})

/** Replaces blocks below the written height while the head is far above the written height. */
async function behind(report: Report): Promise<void> {
  const target = await openTarget()
  let blocks: readonly NodeBlock[] = extend([], 300, { name: 'long' })
  const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
  node.faults = { slowMs: 30 }
  // A busy machine may write any number of blocks between the reading of the height and the reorg.
  const inTest = startIndexerInTest(target, [node.url], { ...SLOW, maxReorgDepth: blocks.length })
  await until(async () => (await target.height()) > 100)
  const height = await target.height()
  blocks = rewrite(blocks, height - 20, 320, { name: 'rewritten' })
  node.publish(blocks)
  const since = Date.now()
  await until(async () => (await target.height()) > height)
  node.faults = {}
  await until(async () => (await target.height()) === blocks.length - 1)
  const words = await target.difference(blocks)
  report.check(BEHIND, words === undefined && height < 290, words ?? `only at ${height}`)
  report.measure('time to reconcile', (Date.now() - since) / 1000, 's')
  await inTest.stop()
  await node.close()
  await target.close()
}

async function isOn({ store }: Target, blocks: readonly NodeBlock[]): Promise<boolean> {
  const found = await database(store).selectFrom('cursor').select('hash').executeTakeFirst()
  return `0x${Buffer.from(found?.hash ?? []).toString('hex')}` === blocks.at(-1)?.block['hash']
}
