import { CHAIN_ALIASES, type ChainAlias, Id } from '@firn/codec'
import type { Network } from '@firn/p2p'
import { systemClock } from '@firn/runtime'
import { bootstrap, fetchVertices, type SyncDependencies, type Transport, Voters } from '@firn/sync'
import { afterEach, describe, expect, test } from 'vitest'
import * as Fault from '../Fault.ts'
import { connectPeer } from '../testing/peer.ts'
import { localNetwork } from '../testing/recordings.ts'
import { createBlockStore, createVertexStore } from '../testing/stores.ts'
import * as GeneratedNetwork from './GeneratedNetwork.ts'
import type { RecordedBlock } from './RecordedChain.ts'
import { createRecordedDevnet, type RecordedDevnet, type RecordedDevnetOptions } from './RecordedDevnet.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

interface Syncing {
  readonly devnet: RecordedDevnet
  readonly dependencies: (chain: ChainAlias) => SyncDependencies
  /** Fetches a chain and returns its containers above block 0. */
  readonly sync: (chain: ChainAlias, checkpoints?: readonly Uint8Array[]) => Promise<readonly Uint8Array[]>
}

async function start(options: RecordedDevnetOptions): Promise<Syncing> {
  const devnet = await createRecordedDevnet(options)
  closers.push(() => devnet.close())
  const peer = await connectPeer(devnet)
  closers.push(() => peer.close())
  const dependencies = (chain: ChainAlias): SyncDependencies => ({
    chain,
    chainId: devnet.network.chains[chain].chainId,
    transport: transportOf(peer),
    clock: systemClock,
    voters: () => Voters.beacons(devnet.validators.map(({ nodeId }) => nodeId)),
    options: { smallTimeoutMs: 1_000, ancestorsTimeoutMs: 2_000, hedgeMs: 500 },
  })
  return {
    devnet,
    dependencies,
    async sync(chain, checkpoints = []) {
      const store = createBlockStore()
      const { id } = devnet.network.chains[chain].blocks[0] as RecordedBlock
      const tip = await bootstrap({
        ...dependencies(chain),
        root: { id, height: 0n },
        store,
        checkpoints: checkpoints.map((checkpoint) => ({ id: checkpoint })),
      })
      return Array.from(
        { length: Number(tip.height) },
        (_, i) => store.blocks.get(BigInt(i + 1))?.bytes ?? new Uint8Array(),
      )
    },
  }
}

function transportOf(peer: Network): Transport {
  return {
    connected: () => peer.peers().map(({ nodeId }) => nodeId),
    ask: (kind, nodeId, request, signal) => peer.ask(kind, nodeId, request, signal),
  }
}

/** Returns the containers of a chain above block 0, up to the devnet's height. */
function recorded({ network, heights }: RecordedDevnet, chain: ChainAlias): readonly Uint8Array[] {
  return network.chains[chain].blocks.slice(1, heights[chain] + 1).map(({ bytes }) => bytes)
}

describe('a sync from five validators', () => {
  test('gets every container of all chains as recorded, although two lie in every way', async () => {
    const { devnet, sync } = await start({ network: await localNetwork(), faults: { 1: 'any', 3: 'any' } })
    for (const chain of CHAIN_ALIASES) expect(await sync(chain)).toEqual(recorded(devnet, chain))
  })

  test.each(Fault.kindsOf('blocks'))('gets the P-chain if two of them have the fault %s', async (kind) => {
    const fault = { kind, ms: 300, blocks: 20 }
    const { devnet, sync } = await start({ network: await localNetwork(), faults: { 0: fault, 4: fault } })
    expect(await sync('P')).toEqual(recorded(devnet, 'P'))
  })

  test('reaches the tip of a network that grows', async () => {
    const { devnet, sync } = await start({ network: await localNetwork(), height: 30 })
    expect(await sync('P')).toHaveLength(30)
    devnet.grow(40)
    expect(await sync('P')).toEqual(recorded(devnet, 'P'))
    expect(devnet.heights.P).toBeGreaterThan(30)
  })
})

describe('a sync of a generated network', () => {
  test('gets the P-chain behind the genesis of Mainnet, with checkpoints that nobody has', async () => {
    const { network } = await GeneratedNetwork.create({ networkId: 1, blocks: 10_000, seed: 'mainnet' })
    const { devnet, sync } = await start({ network })
    const checkpoints = Array.from({ length: 99 }, (_, i) => Id.hash(Uint8Array.of(i)))
    expect(await sync('P', checkpoints)).toEqual(recorded(devnet, 'P'))
  })

  test('gets the X-chain with its vertices', async () => {
    const { network } = await GeneratedNetwork.create({
      networkId: 4321,
      blocks: 1,
      vertices: 500,
      seed: 'graph',
    })
    const { devnet, dependencies, sync } = await start({ network, faults: { 2: 'any' } })
    const store = createVertexStore()
    const stopVertexId = network.rules.constants.upgrades.cortinaXChainStopVertexId
    await fetchVertices({ ...dependencies('X'), stopVertexId, store })
    const fetched = await store.page(undefined, 1_000)
    const ids = fetched.map(({ id }) => Buffer.from(id).toString('hex'))
    expect(ids.sort()).toEqual([...network.chains.X.vertices.keys()].sort())
    expect(await sync('X')).toEqual(recorded(devnet, 'X'))
  })
})
