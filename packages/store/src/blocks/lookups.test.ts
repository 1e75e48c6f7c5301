import { CHAIN_ALIASES, type ChainAlias, Id } from '@firn/codec'
import { database } from '@firn/sql/testing'
import { AvmBlock, AvmTx, AvmUtxo, PlatformBlock, PlatformUtxo } from '@firn/txs'
import { beforeAll, describe, expect, test } from 'vitest'
import * as Assets from '../assets/Assets.ts'
import * as Snapshots from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import { Recordings, recordedStore } from '../testing/index.ts'
import * as Transactions from '../transactions/index.ts'
import * as Utxos from '../utxos/index.ts'
import * as Blocks from './index.ts'

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex')

let store: Store
let end: Snapshots.Snapshot
beforeAll(async () => {
  store = await recordedStore('local')
  end = await store.snapshot()
})

/** Returns a snapshot with one chain at the given height and the other chains at their last block. */
function at(chain: ChainAlias, height: bigint): Snapshots.Snapshot {
  return Snapshots.create({ ...end, [chain]: { ...end[chain], height } })
}

describe('Blocks', () => {
  test.each(CHAIN_ALIASES)(
    'finds the recorded blocks of the %s-chain by height, id and container id',
    async (chain) => {
      const recorded = Recordings.load('local').chains[chain]
      const all = await Blocks.containers(store, end, chain, 1n, end[chain].height)
      expect(all.length).toBe(recorded.length)
      for (const [i, { bytes, parentId, container }] of recorded.entries()) {
        const height = BigInt(i + 1)
        const block = await Blocks.byHeight(store, end, chain, height)
        expect(hex(block?.bytes)).toBe(hex(bytes))
        expect(hex(block?.parentId)).toBe(hex(parentId))
        expect(await Blocks.byId(store, end, chain, block?.id ?? Id.EMPTY)).toEqual(block)
        expect(hex(all[i]?.bytes)).toBe(hex(container?.bytes))
        expect(hex(all[i]?.id)).toBe(hex(container?.id))
        expect(all[i]).toMatchObject({ height, acceptedAt: container?.acceptedAt, time: block?.time })
        expect(await Blocks.heightOfContainer(store, end, chain, container?.id ?? Id.EMPTY)).toBe(height)
        // The id of a block inside a container is not the id of a container.
        expect(await Blocks.heightOfContainer(store, end, chain, block?.id ?? Id.EMPTY)).toBeUndefined()
      }
    },
  )

  test('returns the same container by id as by height', async () => {
    const [first] = await Blocks.containers(store, end, 'C', 5n, 5n)
    expect(await Blocks.containerById(store, end, 'C', first?.id ?? Id.EMPTY)).toEqual(first)
    expect(await Blocks.containerById(store, end, 'P', first?.id ?? Id.EMPTY)).toBeUndefined()
    expect(await Blocks.containerById(store, at('C', 4n), 'C', first?.id ?? Id.EMPTY)).toBeUndefined()
  })

  test('returns no blocks above the snapshot', async () => {
    const below = at('X', 7n)
    const next = await Blocks.byHeight(store, end, 'X', 8n)
    expect(await Blocks.byHeight(store, below, 'X', 8n)).toBeUndefined()
    expect(await Blocks.byId(store, below, 'X', next?.id ?? Id.EMPTY)).toBeUndefined()
    expect((await Blocks.containers(store, below, 'X', 6n, 20n)).map(({ height }) => height)).toEqual([
      6n,
      7n,
    ])
    expect(await Blocks.containers(store, below, 'X', 8n, 20n)).toEqual([])
    expect(await Blocks.containers(store, end, 'X', 9n, 8n)).toEqual([])
  })

  test('returns the inner block as the container if no container is known', async () => {
    const helicon = await recordedStore('helicon')
    const now = await helicon.snapshot()
    const block = await Blocks.byHeight(helicon, now, 'X', 2n)
    const [container] = await Blocks.containers(helicon, now, 'X', 2n, 2n)
    expect(container).toMatchObject({ acceptedAt: undefined, time: block?.time })
    expect(hex(container?.id)).toBe(hex(block?.id))
    expect(hex(container?.bytes)).toBe(hex(block?.bytes))
    expect(await Blocks.heightOfContainer(helicon, now, 'X', block?.id ?? Id.EMPTY)).toBe(2n)
  })
})

describe('Transactions', () => {
  test('finds the transactions of every X-chain block by id, with their block and position', async () => {
    for (const { bytes } of Recordings.load('local').chains.X) {
      const { height, txs } = AvmBlock.decode(bytes)
      for (const [position, tx] of txs.entries()) {
        const signed = AvmTx.encode(tx)
        const found = await Transactions.byId(store, end, 'X', AvmTx.id(signed))
        expect(found).toMatchObject({ height, position, status: 'Accepted', name: tx.unsignedTx.type })
        expect(hex(found?.bytes)).toBe(hex(signed))
        const { bytes: _bytes, ...rest } = found as Transactions.Transaction
        expect(await Transactions.statusById(store, end, 'X', AvmTx.id(signed))).toEqual(rest)
        expect(
          await Transactions.statusById(store, at('X', height - 1n), 'X', AvmTx.id(signed)),
        ).toBeUndefined()
        expect(await Transactions.byId(store, end, 'P', AvmTx.id(signed))).toBeUndefined()
      }
    }
  })

  test("returns a proposal's transaction only after the next block has decided it", async () => {
    let proposals = 0
    for (const { bytes } of Recordings.load('local').chains.P) {
      const block = PlatformBlock.decode(bytes)
      if (block.type !== 'BanffProposalBlock') continue
      proposals += 1
      const rows = await database(store)
        .selectFrom('transaction')
        .select('id')
        .where('chain', '=', 'P')
        .where('height', '=', block.height)
        .execute()
      const id = rows[0]?.id ?? Id.EMPTY
      expect(await Transactions.byId(store, at('P', block.height), 'P', id)).toBeUndefined()
      const decided = await Transactions.byId(store, at('P', block.height + 1n), 'P', id)
      expect(decided).toMatchObject({ height: block.height, decidedHeight: block.height + 1n })
    }
    expect(proposals).toBeGreaterThan(3)
  })
})

test('returns an asset only in snapshots that include the block that created it', async () => {
  const created = await database(store)
    .selectFrom('transaction')
    .selectAll()
    .where('name', '=', 'CreateAssetTx')
    .execute()
  expect(created.length).toBeGreaterThan(5)
  for (const { id, height } of created) {
    const asset = await Assets.byId(store, end, id)
    expect(hex(asset?.assetId)).toBe(hex(id))
    if (height > 0n) expect(await Assets.byId(store, at('X', height - 1n), id)).toBeUndefined()
  }
  const avax = await Assets.byId(store, end, Recordings.load('local').genesis.avaxAssetId)
  expect(avax).toMatchObject({ name: 'Avalanche', symbol: 'AVAX', denomination: 9 })
})

describe('Utxos', () => {
  test('returns UTXOs with the same bytes as the codec encodes', async () => {
    for (const [chain, codec] of [
      ['P', PlatformUtxo],
      ['X', AvmUtxo],
    ] as const) {
      const owners = await database(store).selectFrom('utxo_address').select('address').distinct().execute()
      const addresses = owners.map(({ address }) => address)
      const query = { chain, source: chain, addresses, after: undefined, limit: 10_000 }
      const listed = await Utxos.list(store, end, query)
      expect(listed.length).toBeGreaterThan(50)
      for (const { bytes } of listed)
        expect(hex(codec.codec.encode(codec.decode(bytes) as never))).toBe(hex(bytes))
    }
  })

  test('lists the UTXOs created by a reward under the rewarded transaction, last output first', async () => {
    const rewarded = await database(store)
      .selectFrom('utxo')
      .select(['reward_tx_id', 'height'])
      .where('reward_tx_id', 'is not', null)
      .execute()
    const [{ reward_tx_id: id, height } = { reward_tx_id: null, height: 0n }] = rewarded
    const rewards = await Utxos.rewards(store, end, id ?? Id.EMPTY)
    const indexes = rewards.map((bytes) => PlatformUtxo.decode(bytes).outputIndex)
    expect(indexes.length).toBeGreaterThan(0)
    expect(indexes).toEqual(indexes.toSorted((a, b) => b - a))
    expect(await Utxos.rewards(store, at('P', height - 1n), id ?? Id.EMPTY)).toEqual([])
    expect(await Utxos.rewards(store, end, Id.EMPTY)).toEqual([])
  })

  test('returns the UTXOs of many addresses in one sorted list, although it reads them with several statements', async () => {
    const addresses = Array.from({ length: 600 }, (_, i) => new Uint8Array(20).fill(i % 256, i >> 8))
    const owner = await database(store)
      .selectFrom('utxo_address')
      .select('address')
      .where('chain', '=', 'X')
      .executeTakeFirst()
    const last = owner?.address ?? addresses[0]
    const query = { chain: 'X', source: 'X', after: undefined, limit: 1024 } as const
    const alone = await Utxos.list(store, end, { ...query, addresses: [last as Uint8Array] })
    const among = await Utxos.list(store, end, { ...query, addresses: [...addresses, last as Uint8Array] })
    expect(alone.length).toBeGreaterThan(0)
    expect(among).toEqual(alone)
    // The page starts within the first list; the other lists are read from their beginning.
    for (const before of [1, 255, 256, 257]) {
      const lists = [...addresses.slice(0, before), last as Uint8Array]
      const after = { height: 0n, ordinal: 0 }
      expect(await Utxos.list(store, end, { ...query, addresses: lists, after })).toEqual(alone)
    }
  })
})
