import { Hex, Id } from '@firn/codec'
import type { Genesis, Networks } from '@firn/genesis'
import { createArchiveSource, createIndexer, GenesisFiles } from '@firn/indexer'
import { type Position, type Snapshot, Snapshots, Store } from '@firn/store'
import { ConformanceError } from '../ConformanceError.ts'
import type { Heights } from './Moments.ts'

/** A recorded network, indexed into a store that lives in memory. */
export interface Archive {
  readonly folder: string
  readonly store: Store
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** What a request sees whose chains stand at these heights; a chain without one stands at its last block. */
  snapshotAt(heights: Heights): Promise<Snapshot>
  /** The block that made a UTXO; `txID` as cb58 or hex. */
  readonly madeBy: (txID: string, outputIndex: number) => string | undefined
  /** The same by the UTXO's id, in cb58. */
  readonly madeByID: (utxoID: string) => string | undefined
  close(): Promise<void>
}

/**
 * Indexes what a folder holds, into memory or into the schema `conformance_<network id>` of a PostgreSQL database, which stays.
 * @throws IndexerError, StoreError, LedgerError
 */
export async function open(folder: string, database?: string): Promise<Archive> {
  const { genesis, constants } = await GenesisFiles.load({ archive: folder, now: 0n })
  const schema = `conformance_${constants.networkID}`
  const store = await Store.open({ schema, ...(database === undefined ? {} : { url: database }) })
  try {
    await store.migrate()
    const source = createArchiveSource(folder)
    await createIndexer({ store, source, genesis, constants, once: true }).run(new AbortController().signal)
    await source.close()
    const makers = await makersOf(store)
    return {
      folder,
      store,
      genesis,
      constants,
      snapshotAt: (heights) => snapshotAt(store, heights),
      madeBy: (txID, outputIndex) => makers.get(`${txID}:${outputIndex}`),
      madeByID: (utxoID) => makers.get(utxoID),
      close: () => store.close(),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function makersOf(store: Store): Promise<ReadonlyMap<string, string>> {
  const rows = await store.db
    .selectFrom('utxo')
    .select(['id', 'tx_id', 'output_index', 'source', 'height'])
    .execute()
  const makers = new Map<string, string>()
  for (const { id, tx_id, output_index, source, height } of rows) {
    const block = `${source}-chain block ${height}`
    makers.set(`${Hex.encode(tx_id).slice(2)}:${output_index}`, block)
    makers.set(`${Id.format(tx_id)}:${output_index}`, block)
    makers.set(Id.format(id), block)
  }
  return makers
}

async function snapshotAt(store: Store, heights: Heights): Promise<Snapshot> {
  const tip = await store.snapshot()
  const position = async (chain: 'P' | 'X' | 'C'): Promise<Position> => {
    const height = heights[chain]
    if (height === undefined || height === tip[chain].height) return tip[chain]
    // The C-chain's block 0 has no row: it follows from the genesis.
    if (chain === 'C' && height === 0n) return { height, blockID: new Uint8Array(32), time: 0n }
    const row = await store.db
      .selectFrom('block')
      .select(['id', 'time'])
      .where('chain', '=', chain)
      .where('height', '=', height)
      .executeTakeFirst()
    if (row === undefined) {
      throw new ConformanceError(
        'CONFORMANCE_FOLDER',
        `expected ${chain}-chain block ${height} in the archive`,
      )
    }
    return { height, blockID: row.id, time: row.time }
  }
  const [P, X, C] = [await position('P'), await position('X'), await position('C')]
  return Snapshots.create({ P, X, C })
}
