import { Hex } from '@firn/codec'
import { EvmStore } from '@firn/evm-store'
import { database } from '@firn/sql/testing'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../testing/archives.ts'
import { createEvmNode } from '../../testing/EvmNode.ts'
import { difference, expectedContents, storedContents } from '../../testing/evmContents.ts'
import { startProcess } from '../../testing/evmProcess.ts'
import { CHAIN_ID, SLOW, until } from '../../testing/reliability.ts'
import { token } from '../../testing/reliableToken.ts'
import { extend } from '../../testing/transferChain.ts'

/** The embedded database runs in the killed process. It writes each commit to the disk before it reports it. */
it('keeps every committed block when it is killed or stopped, on PGlite', async () => {
  const { folder, remove } = temporaryFolder()
  const blocks = extend([], 140, { name: 'embedded' })
  const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
  node.faults = { slowMs: 30 }
  const schema = 'embedded'
  const start = (settings: object = {}) => {
    const upstreams = [node.url]
    return startProcess({
      folder,
      schema,
      chainId: Number(CHAIN_ID),
      upstreams,
      settings: { ...SLOW, ...settings },
    })
  }
  const readHeight = async (): Promise<number> => {
    const store = await EvmStore.open({ folder, schema, chainId: CHAIN_ID })
    const cursor = await database(store).selectFrom('cursor').selectAll().executeTakeFirst()
    const height = Number(cursor?.height ?? -1n)
    const contents = await storedContents(store)
    await store.close()
    expect(difference(contents, expectedContents(blocks.slice(0, height + 1)))).toBeUndefined()
    expect(cursor && Hex.encode(cursor.hash)).toBe(blocks[height]?.block['hash'])
    return height
  }
  for (const [signal, height] of [
    ['SIGKILL', 40],
    ['SIGTERM', 90],
  ] as const) {
    const indexer = start()
    expect(await until(() => indexer.height() >= height)).toBe(true)
    const reported = indexer.height()
    await indexer.end(signal)
    if (signal === 'SIGTERM') expect(indexer.exitCode()).toBe(0)
    expect(await readHeight()).toBeGreaterThanOrEqual(reported)
  }
  node.faults = {}
  const last = start({ once: true })
  await last.ended
  expect(last.errors()).toBe('')
  expect(await readHeight()).toBe(blocks.length - 1)
  await node.close()
  remove()
})
