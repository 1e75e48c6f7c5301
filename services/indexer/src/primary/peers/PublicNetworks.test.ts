import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bytes } from '@firn/codec'
import { createRecordedDevnet, GeneratedNetwork } from '@firn/devnet'
import { systemClock } from '@firn/runtime'
import { TestPostgres } from '@firn/sql/testing'
import { Blocks, Store } from '@firn/store'
import { openPGlite } from '@firn/store/testing'
import { expect, it, onTestFinished } from 'vitest'
import { createIndexer } from '../Indexer.ts'
import type { IndexerStatus } from '../Status.ts'
import { openNetwork } from '../setup/Setup.ts'
import * as NetworkPeers from './NetworkPeers.ts'
import { createPeerSource } from './PeerSource.ts'

/** Number of P-chain blocks to sync. If it is set, every network is synced on both databases, and times are printed. */
const BLOCKS = process.env['FIRN_SYNC_BLOCKS']
const DATABASES = {
  PGlite: async () => {
    if (BLOCKS === undefined) return openPGlite()
    const folder = await mkdtemp(join(tmpdir(), 'firn-sync-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    return Store.open({ folder })
  },
  PostgreSQL: async () => {
    const { url, close } = await TestPostgres.start()
    onTestFinished(close)
    return Store.open({ url })
  },
} as const

const ALL = [
  [1, 'PGlite'],
  [5, 'PGlite'],
  [1, 'PostgreSQL'],
  [5, 'PostgreSQL'],
] as const

const report = ({ phase, source, chains }: IndexerStatus, since: number): string =>
  `${Math.round((systemClock.now() - since) / 1000)} s: ${phase}, fetched ${source?.fetched}, applied ${chains?.P.height}`

it.each(BLOCKS === undefined ? ALL.slice(0, 1) : ALL)(
  'syncs the P-chain of network %i on %s from the built-in genesis, although nobody has the checkpoints',
  async (networkId, database) => {
    const blocks = Number(BLOCKS ?? 300)
    const { network } = await GeneratedNetwork.create({ networkId, blocks, seed: 'public' })
    const devnet = await createRecordedDevnet({ network })
    onTestFinished(() => devnet.close())
    const stop = new AbortController()
    const { store, rules } = await openNetwork(
      { networkId, clock: systemClock, random: Math.random },
      DATABASES[database],
      stop.signal,
    )
    onTestFinished(() => store.close())
    const [ids, ips] = [devnet.bootstrap.ids.split(','), devnet.bootstrap.ips.split(',')]
    const peers = await NetworkPeers.load(networkId, { bootstrapIds: ids, bootstrapIps: ips })
    expect(peers.checkpoints?.P).toHaveLength(99)
    const source = createPeerSource({ store, ...rules, ...peers })
    const indexer = createIndexer({ store, source, ...rules })
    const since = systemClock.now()
    const run = indexer.run(stop.signal)
    const isThere = () => indexer.status().chains?.P.height === BigInt(blocks)
    for (let round = 0; !isThere(); round++) {
      if (BLOCKS !== undefined && round % 100 === 0) console.log(report(indexer.status(), since))
      await systemClock.sleep(100)
    }
    if (BLOCKS !== undefined) console.log(report(indexer.status(), since))
    stop.abort()
    await run
    await source.close()
    const { P } = await store.snapshot()
    const last = network.chains.P.blocks[blocks]
    expect(Bytes.equals(P.blockId, last?.innerId as Uint8Array)).toBe(true)
    expect(await store.network()).toMatchObject({ followsCChain: false })
    expect((await Blocks.idsAt(store, 'P', P.height))?.containerId).toEqual(last?.id)
  },
)
