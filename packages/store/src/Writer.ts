import { Bytes, Id } from '@firn/codec'
import { Genesis, type Networks, XChainGenesis } from '@firn/genesis'
import { type Change, LedgerState, type Records } from '@firn/ledger'
import { AvmBlock } from '@firn/txs'
import type { Accepted } from './Accepted.ts'
import { channelOf } from './internal/Advances.ts'
import { assertFence } from './internal/assertFence.ts'
import { Batch, type Cursors } from './internal/Batch.ts'
import type { Driver, Session } from './internal/Driver.ts'
import { load } from './internal/load.ts'
import { Partitions } from './internal/partitions.ts'
import { write } from './internal/write.ts'
import { type Lease, lockFence } from './Lease.ts'
import * as NetworkRules from './NetworkRules.ts'
import { PARTITIONED } from './Schema.ts'
import * as Snapshots from './Snapshot.ts'
import type { Store } from './Store.ts'
import { StoreError } from './StoreError.ts'

/** A writer, and the state from which it continues. */
export interface Opened {
  readonly writer: Writer
  readonly state: LedgerState.LedgerState
}

/** Writes to a schema, until another process takes its lease or opens a writer without one. */
export class Writer {
  readonly #store: Store
  readonly #fence: bigint
  readonly #partitions: Partitions
  #cursors: Required<Cursors>
  #failure: unknown

  private constructor(store: Store, fence: bigint, partitions: Partitions, cursors: Required<Cursors>) {
    this.#store = store
    this.#fence = fence
    this.#partitions = partitions
    this.#cursors = cursors
  }

  /**
   * Makes this process the schema's writer and loads the state to continue from. An empty database gets the
   * genesis.
   * @param genesis its bytes, or the parsed genesis
   * @param lease the schema's lease; without one all other writers are fenced off, including the holder of
   * the lease
   * @throws StoreError `STORE_FENCED` when the lease was lost, `STORE_NETWORK`, `STORE_UNAVAILABLE`,
   * `STORE_CORRUPT`; CodecError of a malformed genesis
   */
  static async open(
    store: Store,
    genesis: Uint8Array | Genesis.Genesis,
    constants: Networks.Constants,
    lease?: Lease,
  ): Promise<Opened> {
    const known = genesis instanceof Uint8Array ? Genesis.decode(genesis) : genesis
    const opened = await store.driver.transaction(async (session) => {
      // The row stays locked until the state is loaded, so that no other writer commits meanwhile.
      const fence = await lockFence(session, lease)
      const partitions = await Partitions.load(session)
      await initialize(session, partitions, known, constants)
      const { state, cursors } = await load(session, known, constants)
      return { writer: new Writer(store, fence, partitions, cursors), state }
    })
    store.advanced(Snapshots.create(opened.writer.#cursors))
    return opened
  }

  /**
   * Stores consecutive blocks of their chains in one transaction: all of them, or none after an error. After
   * an error other than `STORE_CURSOR` the writer can't be used any more; open a new one.
   * @throws StoreError `STORE_FENCED`, `STORE_CURSOR`, `STORE_UNAVAILABLE`
   */
  async commit(batch: readonly Accepted[]): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (batch.length === 0) return
    const rows = new Batch(this.#cursors)
    for (const block of batch) rows.add(block)
    try {
      const made = await this.#store.driver.transaction((session) => this.#write(session, rows, batch.length))
      this.#partitions.add(made)
    } catch (error) {
      this.#failure = error
      throw error
    }
    this.#cursors = { ...this.#cursors, ...rows.cursors }
    this.#store.advanced(Snapshots.create(this.#cursors))
  }

  async #write(session: Session, rows: Batch, blocks: number): Promise<string[]> {
    await assertFence(session, this.#fence)
    await assertNothingLost(session, this.#cursors)
    await session.query(settingsOf(blocks, this.#store.driver))
    const made = await makePartitions(session, this.#partitions, this.#cursors, rows.cursors)
    await write(session, rows)
    await session.query('select pg_notify($1, $2)', [channelOf(this.#store.schema), ''])
    return made
  }
}

/** A server that crashed may have lost its last transactions: continuing after them would leave a gap. */
async function assertNothingLost(session: Session, expected: Required<Cursors>): Promise<void> {
  const rows = await session.query('select chain, height, block_id from cursor')
  for (const [chain, { height, blockId }] of Object.entries(expected)) {
    const row = rows.find((one) => one['chain'] === chain)
    if (row?.['height'] === height && Bytes.equals(row['block_id'] as Uint8Array, blockId)) continue
    const details = { chain, expected: height, actual: row?.['height'] }
    const message = `The database has forgotten blocks: its ${chain}-chain ended at height ${height}, now at ${row?.['height']}. Open the writer again.`
    throw new StoreError('STORE_UNAVAILABLE', message, { details })
  }
}

/**
 * Updates by key must look up each key in its partition. The planner can't know that a batch is small
 * compared with a table, because its plans date from when the tables were empty, so it would scan whole
 * tables. The disabled plan types carry such a high estimated cost that the planner would JIT-compile the
 * statement, which takes longer than running it.
 */
export const PLANS = `select ${['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan', 'material']
  .map((method) => `set_config('enable_${method}', 'off', true)`)
  .join(', ')}, set_config('jit', 'off', true)`

const DELAY = `set_config('synchronous_commit', 'off', true)`

/**
 * Returns the settings of a transaction with this many blocks. While the writer catches up it doesn't wait
 * for the disk: a server that crashes loses whole transactions, those of the last second, and the next writer
 * resumes from the remaining cursors. An embedded database has no process that flushes commits later, and
 * would lose everything since its last checkpoint when it is killed.
 */
export function settingsOf(blocks: number, { isShared }: Driver): string {
  return blocks > 1 && isShared ? `${PLANS}, ${DELAY}` : PLANS
}

async function makePartitions(
  session: Session,
  partitions: Partitions,
  before: Cursors,
  after: Cursors,
): Promise<string[]> {
  const made: string[] = []
  for (const chain of ['P', 'X', 'C'] as const) {
    const from = before[chain]?.height ?? 0n
    const tables = PARTITIONED.map((name) => `${name}_${chain.toLowerCase()}`)
    made.push(...(await partitions.ensure(session, tables, from, after[chain]?.height ?? from)))
  }
  return made
}

/**
 * Stores the network and the genesis in an empty database, and checks that any other one holds the same
 * network.
 */
async function initialize(
  session: Session,
  partitions: Partitions,
  genesis: Genesis.Genesis,
  constants: Networks.Constants,
): Promise<void> {
  const [row] = await session.query('select network_id, genesis_id from network')
  const { networkId, genesisId } = genesis
  const { upgrades, settings } = NetworkRules.format(constants)
  const rules = [JSON.stringify(upgrades), JSON.stringify(settings)]
  if (row !== undefined) {
    assertSame(row['genesis_id'] as Uint8Array, genesis)
    await session.query('update network set upgrades = $1, settings = $2', rules)
    return
  }
  await session.query(
    'insert into network (network_id, genesis, genesis_id, upgrades, settings) values ($1, $2, $3, $4, $5)',
    [networkId, genesis.bytes, genesisId, ...rules],
  )
  const batch = genesisBatch(genesis, constants)
  partitions.add(await makePartitions(session, partitions, {}, batch.cursors))
  await write(session, batch)
}

function assertSame(stored: Uint8Array, { genesisId }: Genesis.Genesis): void {
  if (Bytes.equals(stored, genesisId)) return
  const details = { expected: Id.format(stored), actual: Id.format(genesisId) }
  const message = `expected the genesis ${details.expected} that is stored, got ${details.actual}`
  throw new StoreError('STORE_NETWORK', message, { details })
}

function genesisBatch(genesis: Genesis.Genesis, constants: Networks.Constants): Batch {
  const batch = new Batch({})
  let changes: Change.Change[] = []
  for (const change of LedgerState.genesisChanges(genesis, constants)) {
    changes.push(change)
    // A chain's tip is the last of its changes.
    if (change.type !== 'tip' || change.after === undefined) continue
    const { chain } = change.after
    batch.addGenesis(chain, changes, firstBlock(chain, genesis, constants, changes))
    changes = []
  }
  return batch
}

/** Returns block 0 of a chain; that of the C-chain is unknown. */
function firstBlock(
  chain: Records.ChainAlias,
  genesis: Genesis.Genesis,
  { upgrades }: Networks.Constants,
  changes: readonly Change.Change[],
): Accepted | undefined {
  if (chain === 'C') return undefined
  if (chain === 'P') return { chain, bytes: genesis.firstBlock.bytes, parentId: genesis.genesisId, changes }
  const { cortinaXChainStopVertexId: stop, cortina } = upgrades
  const parentId = Bytes.isZero(stop) ? XChainGenesis.emptyStopVertexId(genesis.xChain.blockchainId) : stop
  const bytes = XChainGenesis.firstBlock(parentId, cortina)
  return { chain, bytes, parentId: AvmBlock.decode(bytes).parentID, changes }
}
