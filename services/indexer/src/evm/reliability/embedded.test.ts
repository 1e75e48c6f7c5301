import { Hex } from '@firn/codec'
import { EvmStore } from '@firn/store/evm'
import { database } from '@firn/store/testing'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../testing/archives.ts'
import { createEvmNode } from '../../testing/EvmNode.ts'
import { begin } from '../../testing/evmLives.ts'
import { difference, storedTruth, truthOf } from '../../testing/evmTruth.ts'
import { CHAIN_ID, SLOW, until } from '../../testing/reliability.ts'
import { token } from '../../testing/reliableToken.ts'
import { extend } from '../../testing/transferChain.ts'

/**
 * The embedded database runs in the killed process. It may lose its last transactions, but never parts of a
 * transaction.
 */
it('resumes from a consistent state after being killed or stopped, and loses no committed block, on PGlite', async () => {
  const { folder, remove } = temporaryFolder()
  const blocks = extend([], 140, { name: 'embedded' })
  const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
  node.faults = { slowMs: 30 }
  const schema = 'embedded'
  const live = (settings: object = {}) => {
    const upstreams = [node.url]
    return begin({ folder, schema, chainId: Number(CHAIN_ID), upstreams, settings: { ...SLOW, ...settings } })
  }
  const look = async (): Promise<number> => {
    const store = await EvmStore.open({ folder, schema, chainId: CHAIN_ID })
    const cursor = await database(store).selectFrom('cursor').selectAll().executeTakeFirst()
    const height = Number(cursor?.height ?? -1n)
    const truth = await storedTruth(store)
    await store.close()
    expect(difference(truth, truthOf(blocks.slice(0, height + 1)))).toBeUndefined()
    expect(cursor && Hex.encode(cursor.hash)).toBe(blocks[height]?.block['hash'])
    return height
  }
  for (const [signal, height] of [
    ['SIGKILL', 40],
    ['SIGTERM', 90],
  ] as const) {
    const life = live()
    expect(await until(() => life.height() >= height)).toBe(true)
    const reported = life.height()
    await life.end(signal)
    if (signal === 'SIGKILL') continue
    expect(life.exitCode()).toBe(0)
    expect(await look()).toBeGreaterThanOrEqual(reported)
  }
  node.faults = {}
  const last = live({ once: true })
  await last.ended
  expect(last.errors()).toBe('')
  expect(await look()).toBe(blocks.length - 1)
  await node.close()
  remove()
}, 240_000)
