import type { Block, ContractFacts } from '@firn/evm'
import { channelOf } from '../internal/Advances.ts'
import type { Session } from '../internal/Driver.ts'
import { Partitions } from '../internal/partitions.ts'
import { StoreError } from '../StoreError.ts'
import { DELAY, PLANS } from '../Writer.ts'
import { type EvmChain, toRow } from './EvmChain.ts'
import type { BlockRow } from './EvmSchema.ts'
import * as EvmSnapshots from './EvmSnapshot.ts'
import type { EvmStore } from './EvmStore.ts'
import { cursorOf, EvmBatch, type Tip } from './internal/EvmBatch.ts'
import { BLOCK_TABLES } from './internal/evmColumns.ts'
import { EVM_PARTITIONED } from './internal/evmTables.sql.ts'

/** A block to be stored. */
export interface IndexedBlock {
  readonly block: Block
  /** Of those contracts of the block that {@link EvmWriter.unknownContracts} named. */
  readonly contracts: readonly ContractFacts[]
}

/** The one who may write to a chain's schema, until the next one opens it. */
export class EvmWriter {
  readonly #store: EvmStore
  readonly #chain: EvmChain
  readonly #fence: bigint
  readonly #partitions: Partitions
  #tip: Tip
  #failure: unknown

  private constructor(store: EvmStore, chain: EvmChain, fence: bigint, partitions: Partitions, tip: Tip) {
    this.#store = store
    this.#chain = chain
    this.#fence = fence
    this.#partitions = partitions
    this.#tip = tip
  }

  /**
   * Makes this process the schema's writer: all earlier ones are fenced off. An empty database gets the chain.
   * @throws StoreError `STORE_NETWORK` where another chain is stored, or the same from another height on; `STORE_UNAVAILABLE`
   */
  static async open(store: EvmStore, chain: EvmChain): Promise<EvmWriter> {
    const writer = await store.driver.transaction(async (session) => {
      const [row] = await session.query('update writer set fence = fence + 1 returning fence')
      await initialize(session, store, chain)
      const partitions = await Partitions.load(session)
      return new EvmWriter(store, chain, row?.['fence'] as bigint, partitions, await loadTip(session))
    })
    writer.#advanced()
    return writer
  }

  /** Where the stored chain stands; undefined while no block is stored. */
  get cursor(): EvmSnapshots.EvmPosition | undefined {
    return cursorOf(this.#tip.block)
  }

  /**
   * The hash of a stored block; undefined where none is stored.
   * @throws StoreError `STORE_UNAVAILABLE`
   */
  async hashAt(height: bigint): Promise<Uint8Array | undefined> {
    const { db } = this.#store
    const row = await db.selectFrom('block').select('hash').where('height', '=', height).executeTakeFirst()
    return row?.hash
  }

  /**
   * Those of the addresses of which no contract is stored yet.
   * @throws StoreError `STORE_UNAVAILABLE`
   */
  async unknownContracts(addresses: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    return addresses
  }

  /**
   * Stores blocks that follow each other, in one transaction: all of them, or after an error none. After an error other than
   * `STORE_CURSOR` and `STORE_BLOCK` nothing more can be committed: open a writer again.
   * @throws StoreError `STORE_FENCED`, `STORE_CURSOR`, `STORE_BLOCK`, `STORE_UNAVAILABLE`
   */
  async commit(blocks: readonly IndexedBlock[]): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (blocks.length === 0) return
    const batch = new EvmBatch(this.#chain, this.#tip)
    for (const block of blocks) batch.add(block)
    await this.#change(batch.tip, async (session) => {
      await session.query(blocks.length > 1 ? `${PLANS}, ${DELAY}` : PLANS)
      const [first, last] = [blocks[0]?.block.height ?? 0n, batch.tip.block?.height ?? 0n]
      const made = await this.#partitions.ensure(session, EVM_PARTITIONED, first, last)
      for (const name of BLOCK_TABLES) {
        const table = batch.copies.tables[name]
        if (table.count > 0) await session.copy(table.target, table.finish())
      }
      await session.copy(batch.changes.target, batch.changes.finish())
      return made
    })
  }

  /**
   * Removes all blocks above a height, and all that followed from them, in one transaction.
   * @throws StoreError `STORE_FENCED`, `STORE_CURSOR` where `height` is above the stored blocks or more than one below,
   *   `STORE_UNAVAILABLE`
   */
  async undo(height: bigint): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    const cursor = this.cursor
    if (cursor === undefined || height > cursor.height || height < this.#chain.firstHeight - 1n) {
      const details = { expected: cursor?.height, actual: height }
      throw new StoreError('STORE_CURSOR', `expected a height of stored blocks, got ${height}`, { details })
    }
    if (height === cursor.height) return
    const sequence = this.#tip.sequence + cursor.height - height
    let block: BlockRow | undefined
    const tip = {
      sequence,
      get block() {
        return block
      },
    }
    await this.#change(tip, async (session) => {
      await session.query(
        `insert into change (sequence, undone, height, hash, parent_hash, time)
          select $1::int8 + row_number() over (order by height desc), true, height, hash, parent_hash, time
          from block where height > $2`,
        [String(this.#tip.sequence), String(height)],
      )
      for (const name of BLOCK_TABLES) {
        await session.query(`delete from ${name} where height > $1`, [String(height)])
      }
      block = await loadBlock(session)
      return []
    })
  }

  /** Runs `work` in a transaction of the one who may write; the cursor then stands at `tip`. */
  async #change(tip: Tip, work: (session: Session) => Promise<readonly string[]>): Promise<void> {
    try {
      const made = await this.#store.driver.transaction(async (session) => {
        await this.#assertWriter(session)
        const made = await work(session)
        await storeCursor(session, tip)
        await session.query('select pg_notify($1, $2)', [channelOf(this.#store.schema), ''])
        return made
      })
      this.#partitions.add(made)
    } catch (error) {
      this.#failure = error
      throw error
    }
    this.#tip = { block: tip.block, sequence: tip.sequence }
    this.#advanced()
  }

  async #assertWriter(session: Session): Promise<void> {
    const values = [String(this.#fence)]
    const [found] = await session.query('select fence from writer where fence = $1 for update', values)
    if (found !== undefined) return
    throw new StoreError('STORE_FENCED', 'expected to be the writer, but another one has opened since')
  }

  #advanced(): void {
    const { cursor } = this
    this.#store.advanced(cursor && EvmSnapshots.create(cursor, this.#tip.sequence))
  }
}

async function storeCursor(session: Session, { block, sequence }: Tip): Promise<void> {
  await session.query('delete from cursor')
  if (block === undefined) return
  const values = [String(block.height), block.hash, String(block.time), String(sequence)]
  await session.query('insert into cursor (height, hash, time, sequence) values ($1, $2, $3, $4)', values)
}

async function loadTip(session: Session): Promise<Tip> {
  const [row] = await session.query('select max(sequence) as sequence from change')
  return { block: await loadBlock(session), sequence: (row?.['sequence'] as bigint | null) ?? 0n }
}

async function loadBlock(session: Session): Promise<BlockRow | undefined> {
  const [row] = await session.query('select * from block order by height desc limit 1')
  return row as BlockRow | undefined
}

/** Gives an empty database its chain, and checks that another one is of the same. */
async function initialize(session: Session, store: EvmStore, chain: EvmChain): Promise<void> {
  const expected = toRow(chain)
  const [stored] = await session.query('select * from chain')
  for (const name of ['chain_id', 'first_height', 'has_traces'] as const) {
    const actual = name === 'chain_id' ? store.chainId : stored?.[name]
    const isSame =
      stored === undefined
        ? name !== 'chain_id' || actual === expected[name]
        : stored[name] === expected[name]
    if (isSame) continue
    const details = {
      field: name,
      expected: String(stored?.[name] ?? actual),
      actual: String(expected[name]),
    }
    const message = `expected a chain whose ${name} is ${details.expected}, got ${details.actual}`
    throw new StoreError('STORE_NETWORK', message, { details })
  }
  const names = Object.keys(expected)
  const places = names.map((_, i) => `$${i + 1}`)
  await session.query('delete from chain')
  await session.query(
    `insert into chain (${names.join(', ')}) values (${places.join(', ')})`,
    Object.values(expected).map((value) => (typeof value === 'bigint' ? String(value) : value)),
  )
}
