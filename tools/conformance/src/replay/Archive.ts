import { type ChainAlias, Hex } from '@firn/codec'
import type { Genesis, Networks } from '@firn/genesis'
import { createArchiveSource, createIndexer, GenesisFiles } from '@firn/indexer'
import { database, emptyCluster, emptyDatabase, TestPostgres } from '@firn/sql/testing'
import { type Position, type Snapshot, Snapshots, Store, Vertices } from '@firn/store'
import { ConformanceError } from '../ConformanceError.ts'
import type { Orders } from './Orders.ts'
import { createNetworkSource, type PeerNetwork } from './PeerNetwork.ts'
import type { Heights } from './PointInTime.ts'
import { createNodeSource } from './RecordedUpstream.ts'
import * as VertexTimes from './VertexTimes.ts'

/** A recorded network that is indexed into a store. */
export interface Archive {
  readonly folder: string
  readonly store: Store
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** Returns the snapshot at the given heights. A chain without a height is at its last block. */
  snapshotAt(heights: Heights): Promise<Snapshot>
  /** Returns the block, or the transaction of a vertex, that created a UTXO, or undefined if it is unknown. `txID` is hexadecimal. */
  readonly madeBy: (txId: string, outputIndex: number) => string | undefined
  /** Stores the UTXOs of each block in the order in which a node lists them, the newest first. */
  arrange(orders: Orders): Promise<void>
  close(): Promise<void>
}

/** Options of {@link open}. */
export interface ArchiveOptions {
  /**
   * URL (`postgres://…`) of the database of the index, in the schema `conformance_<network id>`, which is not removed
   * afterwards. By default, the index is kept in memory or, if its blocks come from peers and PostgreSQL is available, in a
   * temporary PostgreSQL. Runs of both kinds together test both databases.
   */
  readonly database?: string | undefined
  /** Peers that the blocks are fetched from. By default, they are read from the archive. */
  readonly network?: PeerNetwork | undefined
  /** Whether the blocks come from a server of the recorded Index API instead of the archive or peers. */
  readonly isFromNode?: boolean | undefined
}

/**
 * Indexes the archive in `folder`.
 * @throws IndexerError, StoreError, LedgerError; DevnetError if peers cannot serve the archive
 */
export async function open(
  folder: string,
  { database, network, isFromNode = false }: ArchiveOptions = {},
): Promise<Archive> {
  const { genesis, constants } = await GenesisFiles.load({ archive: folder, now: 0n })
  const schema = `conformance_${constants.networkId}`
  const store = await Store.open({
    schema,
    ...(database === undefined ? await temporary(network) : { url: database }),
  })
  try {
    await store.migrate()
    const given = async () => {
      if (isFromNode) return createNodeSource(folder)
      if (network === undefined) return createArchiveSource(folder)
      return createNetworkSource(folder, { genesis, constants }, store, network)
    }
    const source = await VertexTimes.withTimes(folder, await given())
    await createIndexer({ store, source, genesis, constants, once: true }).run(new AbortController().signal)
    await source.close()
    const makers = await makersOf(store, VertexTimes.has(folder))
    return {
      folder,
      store,
      genesis,
      constants,
      snapshotAt: (heights) => snapshotAt(store, heights),
      madeBy: (txId, outputIndex) => makers.get(`${txId}:${outputIndex}`),
      arrange: (orders) => arrange(store, orders),
      close: () => store.close(),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Returns the options of a database that is removed afterwards. */
async function temporary(network: PeerNetwork | undefined): Promise<Parameters<typeof Store.open>[0]> {
  if (network !== undefined && TestPostgres.missing() === undefined) return emptyDatabase()
  // PGlite needs three seconds of CPU time to create a cluster, and a recording has several archives.
  process.env['FIRN_EMPTY_CLUSTER'] ??= await emptyCluster()
  return {}
}

/**
 * Returns the block, or the transaction of a vertex, that made each UTXO. A node that bootstraps stores the outputs of each
 * transaction of a vertex by themselves. A node that lived through the DAG has its own order of all transactions, as if
 * they were in one block.
 */
async function makersOf(store: Store, isBootstrapped: boolean): Promise<ReadonlyMap<string, string>> {
  const { first, transactions } = await Vertices.extent(store)
  const ofVertices = isBootstrapped ? await Vertices.transactions(store, first, first + transactions - 1) : []
  const ids = new Set(ofVertices.map(({ id }) => Hex.encodeBare(id)))
  const rows = await database(store)
    .selectFrom('utxo')
    .select(['tx_id', 'output_index', 'source', 'height'])
    .execute()
  const makers = new Map<string, string>()
  for (const { tx_id, output_index, source, height } of rows) {
    const txId = Hex.encodeBare(tx_id)
    const block = ids.has(txId) ? `transaction ${txId}` : `${source}-chain block ${height}`
    makers.set(`${txId}:${output_index}`, block)
  }
  return makers
}

/**
 * Offset added to positions during a swap. It exceeds the number of UTXOs in any block, so the shifted
 * positions are free.
 */
const ASIDE = 1_000_000

async function arrange(store: Store, orders: Orders): Promise<void> {
  const rows = await database(store)
    .selectFrom('utxo')
    .select(['id', 'tx_id', 'output_index', 'ordinal'])
    .execute()
  const byKey = new Map(rows.map((row) => [`${Hex.encode(row.tx_id).slice(2)}:${row.output_index}`, row]))
  const moves = [...orders.values()].flatMap((order) => {
    const listed = order.flatMap((key) => byKey.get(key) ?? [])
    const places = listed.map(({ ordinal }) => ordinal).sort((one, other) => other - one)
    return listed.map((row, index) => ({ ...row, place: places[index] ?? row.ordinal }))
  })
  const moved = moves.filter(({ ordinal, place }) => ordinal !== place)
  await database(store)
    .transaction()
    .execute(async (all) => {
      for (const aside of [ASIDE, 0]) {
        for (const { id, place } of moved) {
          const ordinal = place + aside
          await all.updateTable('utxo').set({ ordinal }).where('id', '=', id).execute()
          await all.updateTable('utxo_address').set({ ordinal }).where('id', '=', id).execute()
        }
      }
    })
}

async function snapshotAt(store: Store, heights: Heights): Promise<Snapshot> {
  const tip = await store.snapshot()
  const position = async (chain: ChainAlias): Promise<Position> => {
    const height = heights[chain]
    if (height === undefined || height === tip[chain].height) return tip[chain]
    // Block 0 of the C-chain has no row, because it is derived from the genesis.
    if (chain === 'C' && height === 0n) return { height, blockId: new Uint8Array(32), time: 0n }
    const row = await database(store)
      .selectFrom('block')
      .select(['id', 'time'])
      .where('chain', '=', chain)
      .where('height', '=', height)
      .executeTakeFirst()
    if (row === undefined) {
      throw new ConformanceError('CONFORMANCE_FOLDER', `the archive has no ${chain}-chain block ${height}`)
    }
    return { height, blockId: row.id, time: row.time }
  }
  const [P, X, C] = [await position('P'), await position('X'), await position('C')]
  return Snapshots.create({ P, X, C })
}
