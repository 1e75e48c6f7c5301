import { Bytes } from '@firn/codec'
import { Genesis, type Networks } from '@firn/genesis'
import { LedgerState, type Reads, type Vertices } from '@firn/ledger'
import {
  assertFence,
  channelName,
  commitSettings,
  type Lease,
  lockFence,
  Partitions,
  PLANS,
  type Session,
  StoreError,
} from '@firn/sql'
import type { Accepted, AcceptedVertices } from './Accepted.ts'
import { Batch, type Cursors } from './internal/Batch.ts'
import { deriveAgain } from './internal/deriveAgain.ts'
import { type DerivedRows, derive } from './internal/derived.ts'
import { fetch } from './internal/fetch.ts'
import { initialize } from './internal/initialize.ts'
import { heightsOf, type Loaded, load } from './internal/load.ts'
import { makePartitions } from './internal/makePartitions.ts'
import { write } from './internal/write.ts'
import * as Snapshots from './Snapshot.ts'
import type { Store } from './Store.ts'

/** The result of {@link Writer.open}: a writer and the state from which it continues. */
export interface OpenResult {
  readonly writer: Writer
  readonly state: LedgerState.LedgerState
  /** Progress of the X-chain's vertices. */
  readonly vertices: Vertices.Progress
}

/** Options of {@link Writer.open} and {@link Writer.resume}. */
export interface WriterOptions {
  /**
   * Whether the C-chain is followed; by default what the database was filled with, and true if it is empty. Without the
   * C-chain, imports from it are stored without their inputs, whose owners are not known.
   */
  readonly followsCChain?: boolean | undefined
  /** As `followsCChain`, for the X-chain. */
  readonly followsXChain?: boolean | undefined
  /**
   * Number of UTXOs, and of assets, that {@link Writer.resume} keeps in memory in addition to those that are not stored
   * yet; default 100,000.
   */
  readonly recent?: number
}

const RECENT = 100_000

/**
 * Writes blocks to a schema. It can write until another process takes the lease or opens a writer without a
 * lease.
 */
export class Writer {
  readonly #store: Store
  readonly #fence: bigint
  readonly #partitions: Partitions
  readonly #state: LedgerState.LedgerState
  #cursors: Required<Cursors>
  #vertices: Vertices.Progress
  /** Number of items with vertices that this writer has stored. */
  #batches = 0n
  #failure: unknown

  private constructor(
    store: Store,
    fence: bigint,
    partitions: Partitions,
    { state, cursors, vertices }: Loaded,
  ) {
    this.#store = store
    this.#fence = fence
    this.#partitions = partitions
    this.#state = state
    this.#cursors = cursors
    this.#vertices = vertices
  }

  /**
   * Makes this process the schema's writer and loads the whole state into memory: for small networks and tools. If the
   * database is empty, the genesis is stored first.
   * @param genesis the parsed genesis, or its bytes
   * @param lease the schema's lease; without a lease, all other writers are fenced off, including the holder
   * of the lease
   * @throws StoreError `STORE_FENCED` if the lease was lost, `STORE_NETWORK`, `STORE_UPGRADES`, `STORE_C_CHAIN`,
   * `STORE_X_CHAIN`, `STORE_UNAVAILABLE`, `STORE_CORRUPT`; CodecError if the genesis is malformed
   */
  static async open(
    store: Store,
    genesis: Uint8Array | Genesis.Genesis,
    constants: Networks.Constants,
    lease?: Lease,
    { followsCChain, followsXChain }: Omit<WriterOptions, 'recent'> = {},
  ): Promise<OpenResult> {
    return Writer.#open(store, genesis, constants, lease, { followsCChain, followsXChain })
  }

  /**
   * Makes this process the schema's writer, like {@link open}, but leaves UTXOs and assets in the database. Memory use
   * and the time to open therefore do not depend on the number of UTXOs. Before a block is applied, {@link fetch} reads
   * what it needs into the state.
   * @throws StoreError `STORE_FENCED` if the lease was lost, `STORE_NETWORK`, `STORE_UPGRADES`, `STORE_C_CHAIN`,
   * `STORE_X_CHAIN`, `STORE_UNAVAILABLE`, `STORE_CORRUPT`; CodecError if the genesis is malformed
   */
  static async resume(
    store: Store,
    genesis: Uint8Array | Genesis.Genesis,
    constants: Networks.Constants,
    lease?: Lease,
    options: WriterOptions = {},
  ): Promise<OpenResult> {
    return Writer.#open(store, genesis, constants, lease, { recent: RECENT, ...options })
  }

  static async #open(
    store: Store,
    genesis: Uint8Array | Genesis.Genesis,
    constants: Networks.Constants,
    lease: Lease | undefined,
    { recent, ...asked }: WriterOptions,
  ): Promise<OpenResult> {
    const known = genesis instanceof Uint8Array ? Genesis.decode(genesis) : genesis
    const opened = await store.driver.transaction(async (session) => {
      // The fence stays locked until the state is loaded, so that no other writer commits in the meantime.
      const fence = await lockFence(session, lease)
      const partitions = await Partitions.load(session)
      const followed = await initialize(session, partitions, known, constants, asked)
      await deriveAgain(session)
      const loaded = await load(session, known, constants, recent, followed)
      const { state, vertices } = loaded
      return { writer: new Writer(store, fence, partitions, loaded), state, vertices }
    })
    store.advanced(Snapshots.create(opened.writer.#cursors))
    return opened
  }

  /**
   * Reads records from the database into the state that {@link resume} returned, in a few statements. Does nothing if
   * the state has them all.
   * @param reads what the next blocks read, see `Reads.of`
   * @throws StoreError `STORE_UNAVAILABLE`
   */
  async fetch(reads: readonly Reads.Read[]): Promise<void> {
    await LedgerState.fetch(this.#state, reads, (missing) =>
      this.#store.driver.transaction(async (session) => {
        await session.query(PLANS)
        return fetch(session, missing)
      }),
    )
  }

  /**
   * Stores consecutive blocks of each chain, or vertices, in one database transaction. If it fails, nothing is stored. After any
   * error except `STORE_CURSOR`, the writer can no longer be used and must be reopened.
   * @throws StoreError `STORE_FENCED`, `STORE_CURSOR`, `STORE_UNAVAILABLE`
   */
  async commit(batch: readonly (Accepted | AcceptedVertices)[]): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (batch.length === 0) return
    const rows = new Batch(this.#cursors)
    for (const item of batch) {
      if ('vertices' in item) rows.addVertices(item)
      else rows.add(item)
    }
    const derived = derive(batch, this.#state.rules.avaxAssetId, this.#cursors.X.time)
    try {
      const made = await this.#store.driver.transaction((session) =>
        this.#write(session, rows, derived, batch.length),
      )
      this.#partitions.add(made)
    } catch (error) {
      this.#failure = error
      throw error
    }
    this.#cursors = { ...this.#cursors, ...rows.cursors }
    this.#vertices = rows.vertices ?? this.#vertices
    this.#batches += BigInt(batch.filter((item) => 'vertices' in item).length)
    LedgerState.settle(this.#state, { ...heightsOf(this.#cursors), vertices: this.#batches })
    this.#store.advanced(Snapshots.create(this.#cursors))
  }

  async #write(session: Session, rows: Batch, derived: DerivedRows, blocks: number): Promise<string[]> {
    await assertFence(session, this.#fence)
    await assertNothingLost(session, this.#cursors)
    if (this.#cursors.X.height === 0n) await assertNoVerticesLost(session, this.#vertices)
    await session.query(commitSettings(blocks, this.#store.driver))
    const made = await makePartitions(session, this.#partitions, this.#cursors, rows.cursors)
    await write(session, rows)
    await derived.write(session)
    await session.query('select pg_notify($1, $2)', [channelName(this.#store.schema), ''])
    return made
  }
}

/**
 * Checks that the database still has the last commit. A crashed server may have lost its last transactions,
 * and further commits would leave a gap.
 */
async function assertNothingLost(session: Session, expected: Required<Cursors>): Promise<void> {
  const rows = await session.query('select chain, height, block_id from cursor')
  for (const [chain, { height, blockId }] of Object.entries(expected)) {
    const row = rows.find((one) => one['chain'] === chain)
    if (row?.['height'] === height && Bytes.equals(row['block_id'] as Uint8Array, blockId)) continue
    const details = { chain, expected: height, actual: row?.['height'] }
    const message = `the database has lost blocks: its ${chain}-chain ended at height ${height}, but is now at ${row?.['height']}; open the writer again`
    throw new StoreError('STORE_UNAVAILABLE', message, { details })
  }
}

/**
 * Checks that the database still has the last commit with effects of vertices. Such a commit adds vertices, or executes
 * transactions that waited.
 */
async function assertNoVerticesLost(
  session: Session,
  { vertices, waiting }: Vertices.Progress,
): Promise<void> {
  const [row] = await session.query(
    `select coalesce((select max(position) from vertex), -1) + 1 as vertices,
      (select count(*) from waiting_transaction)::int4 as waiting`,
  )
  if (row?.['vertices'] === vertices && row['waiting'] === waiting.length) return
  const details = { expected: vertices, actual: row?.['vertices'], waiting: row?.['waiting'] }
  const message = `the database has lost vertices: it had ${vertices} with ${waiting.length} waiting transactions, but now has ${details.actual} with ${details.waiting}; open the writer again`
  throw new StoreError('STORE_UNAVAILABLE', message, { details })
}
