import { join } from 'node:path'
import { Hex } from '@firn/codec'
import { StateDigest, Store } from '@firn/store'
import { afterAll, describe, expect, it } from 'vitest'
import { createArchiveSource } from './ArchiveSource.ts'
import * as GenesisFiles from './GenesisFiles.ts'
import { createIndexer } from './Indexer.ts'
import { temporaryFolder, unpack } from './testing/archives.ts'

const { folder, remove } = temporaryFolder()
afterAll(remove)

describe('x', () => {
  it.each(['local', 'helicon'] as const)('%s', async (name) => {
    const archive = join(folder, name)
    unpack(name, archive)
    const rules = await GenesisFiles.load({ archive, now: 0n })
    const store = await Store.open({ networkID: rules.genesis.networkID })
    await store.migrate()
    const indexer = createIndexer({ store, source: createArchiveSource(archive), ...rules })
    await indexer.run(new AbortController().signal)
    console.log(
      indexer.status(),
      Hex.encode(await StateDigest.of(store)),
      await indexer.metrics.getSingleMetricAsString('firn_indexer_stage_seconds_total'),
    )
    await store.close()
    expect(1).toBe(1)
  })
})
