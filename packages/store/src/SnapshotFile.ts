import { createHash } from 'node:crypto'
import { Bytes, CHAIN_ALIASES, Hex } from '@firn/codec'
import { Genesis } from '@firn/genesis'
import {
  type CopyTarget,
  DATABASE,
  fetchRows,
  lockFence,
  Partitions,
  type Session,
  StoreError,
  TableRows,
} from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import { deriveAgain } from './internal/deriveAgain.ts'
import { digestAt } from './internal/digestAt.ts'
import { damaged, decode, encode, type Frame } from './internal/frames.ts'
import { LEFT_OUT, type Row, type Run } from './internal/rowsAt.ts'
import {
  assertFormat,
  checkFrames,
  FORMAT,
  type Header,
  kindOf,
  readDigest,
  readRules,
  readTips,
  tipsOf,
} from './internal/snapshotHeaders.ts'
import type * as NetworkRules from './NetworkRules.ts'
import { type Database, LEDGER_TABLES, type LedgerTable, PARTITIONED } from './Schema.ts'
import type * as Snapshots from './Snapshot.ts'
import type { Store } from './Store.ts'

export { FORMAT } from './internal/snapshotHeaders.ts'

/** What a snapshot file contains. */
export interface Description {
  readonly networkId: number
  readonly snapshot: Snapshots.Snapshot
  /** The `StateDigest` of the snapshot, 32 bytes. */
  readonly digest: Uint8Array
}

/** Number of rows of a table, for the progress of {@link write} and {@link read}. */
export type OnRows = (table: string, rows: number) => void

/** Options of {@link read}. */
export interface ReadOptions {
  /** Digest that the snapshot must have. Without it, only the file itself says what it must contain. */
  readonly digest?: Uint8Array | undefined
  /** Id of the network's genesis (32 bytes) that the snapshot must have. */
  readonly genesisId?: Uint8Array | undefined
  readonly onRows?: OnRows
  readonly signal?: AbortSignal
}

/** Number of bytes of rows after which a frame is complete. */
const FRAME_BYTES = 4 << 20

/**
 * Writes everything that the database knows of its network at the newest snapshot: the genesis, the rules, and the rows
 * of all ledger tables. Calls `sink` with one frame after another; together they are the file, not compressed. Other
 * processes may write to the database meanwhile.
 * @throws StoreError `STORE_EMPTY`, `STORE_UNAVAILABLE`, `STORE_SNAPSHOT`; errors of `sink`
 * @example
 * ```ts
 * import { createWriteStream } from 'node:fs'
 * import { SnapshotFile, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const file = createWriteStream('fuji.snapshot')
 * await SnapshotFile.write(store, async (frame) => void file.write(frame))
 * file.end()
 * ```
 */
export async function write(
  store: Store,
  sink: (frame: Uint8Array) => Promise<void>,
  onRows?: OnRows,
  signal?: AbortSignal,
): Promise<Description> {
  const snapshot = await store.snapshot()
  const [network] = await fetchRows(store, sql<Database['network']>`select * from network`)
  const [{ waiting } = { waiting: false }] = await fetchRows(
    store,
    sql<{ waiting: boolean }>`select exists (select from waiting_transaction) as waiting`,
  )
  if (network === undefined) throw new StoreError('STORE_EMPTY', 'the database contains no network yet')
  if (waiting) {
    const message = "the X-chain's vertices are not complete yet; export the snapshot when they are"
    throw new StoreError('STORE_SNAPSHOT', message)
  }
  const hash = createHash('sha256')
  const put = async (header: Header, body?: Uint8Array) => {
    signal?.throwIfAborted()
    const frame = encode(header, body)
    hash.update(frame)
    await sink(frame)
  }
  const { upgrades, settings, genesis } = network
  const { follows_c_chain: followsCChain, follows_x_chain: followsXChain } = network
  const networkId = Number(network.network_id)
  const rules = { upgrades, settings, followsCChain, followsXChain }
  await put({ kind: 'network', format: FORMAT, networkId, ...rules, tips: tipsOf(snapshot) }, genesis)
  let open: { readonly table: LedgerTable; readonly rows: TableRows<Row> } | undefined
  const flush = async () => {
    if (open === undefined) return
    const { table, rows } = open
    open = undefined
    onRows?.(table, rows.count)
    await put({ kind: 'rows', table, rows: rows.count }, rows.finish())
  }
  const digest = await digestAt(
    (statement) => fetchRows(store, statement),
    snapshot,
    async (table, row) => {
      if (open?.table !== table) {
        await flush()
        open = { table, rows: new TableRows<Row>(table, targetOf(table)) }
      }
      open?.rows.add({ ...BLANK, ...row })
      if ((open?.rows.length ?? 0) >= FRAME_BYTES) await flush()
    },
  )
  await flush()
  await sink(
    encode({ kind: 'end', sha256: Hex.encode(hash.digest()), digest: Hex.encode(digest) } satisfies Header),
  )
  return { networkId, snapshot, digest }
}

/**
 * Returns the network of a snapshot file, not compressed. Reads only its first frame.
 * @throws StoreError `STORE_SNAPSHOT`; CodecError if the genesis is malformed; errors of `chunks`
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs'
 * import { SnapshotFile } from '@firn/store'
 *
 * const { networkId } = await SnapshotFile.networkOf(createReadStream('fuji.snapshot'))
 * ```
 */
export async function networkOf(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly networkId: number; readonly genesisId: Uint8Array }> {
  for await (const { header, body } of decode(chunks)) {
    if (kindOf(header) !== 'network') break
    const { networkId, genesisId } = Genesis.decode(Uint8Array.from(body))
    return { networkId, genesisId }
  }
  throw damaged('it does not begin with the network')
}

/**
 * Returns what a snapshot file, not compressed, says that it contains. Reads the whole file and checks its SHA-256, but not
 * whether its rows have the digest that it names, which only {@link read} can.
 * @throws StoreError `STORE_SNAPSHOT`; CodecError if the genesis is malformed; errors of `chunks`
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs'
 * import { SnapshotFile } from '@firn/store'
 *
 * const { snapshot, digest } = await SnapshotFile.describe(createReadStream('fuji.snapshot'))
 * ```
 */
export async function describe(chunks: AsyncIterable<Uint8Array>): Promise<Description> {
  let found: Pick<Description, 'networkId' | 'snapshot'> | undefined
  let digest: Uint8Array | undefined
  for await (const { header, body } of checkFrames(decode(chunks))) {
    if (header.kind === 'network') {
      assertFormat(header.format)
      const { networkId } = Genesis.decode(Uint8Array.from(body))
      found = { networkId, snapshot: readTips(header.tips) }
    }
    if (header.kind === 'end') digest = readDigest(header.digest)
  }
  if (found === undefined || digest === undefined) throw damaged('its end is missing')
  return { ...found, digest }
}

/**
 * Reads a snapshot file, not compressed, into an empty database, in one database transaction. The stored rows must have
 * the digest that the file names; otherwise nothing is stored. Who made the file decides what the digest is: compare it
 * with one that you trust, or apply the blocks again with `firn doctor --replay`.
 * @throws StoreError `STORE_SNAPSHOT`, `STORE_NETWORK` if the database is not empty or the file has another genesis,
 * `STORE_UNAVAILABLE`; errors of `chunks`
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs'
 * import { SnapshotFile, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const { snapshot } = await SnapshotFile.read(store, createReadStream('fuji.snapshot'))
 * console.log(snapshot.P.height)
 * ```
 */
export async function read(
  store: Store,
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): Promise<Description> {
  const description = await store.driver.transaction(async (session) => {
    await lockFence(session, undefined)
    await assertEmpty(session)
    return load(store, session, decode(chunks), options)
  })
  store.advanced(description.snapshot)
  return description
}

async function load(
  store: Store,
  session: Session,
  frames: AsyncIterable<Frame>,
  { digest: expected, genesisId, onRows, signal }: ReadOptions,
): Promise<Description> {
  let found: { readonly networkId: number; readonly snapshot: Snapshots.Snapshot } | undefined
  let ended: Extract<Header, { kind: 'end' }> | undefined
  for await (const { header, body } of checkFrames(frames)) {
    signal?.throwIfAborted()
    switch (header.kind) {
      case 'network':
        found = await addNetwork(session, header, body, genesisId)
        break
      case 'rows':
        await session.copy(new TableRows<Row>(header.table, targetOf(header.table)).target, body)
        onRows?.(header.table, header.rows)
        break
      case 'end':
        ended = header
    }
  }
  if (found === undefined || ended === undefined) throw damaged('its end is missing')
  const run: Run = async <R>(statement: RawBuilder<R>) => {
    const { sql: text, parameters } = statement.compile(store[DATABASE])
    return (await session.query(text, parameters)) as readonly R[]
  }
  const digest = await digestAt(run, found.snapshot)
  if (ended.digest !== Hex.encode(digest))
    throw damaged('its rows have another digest than the one in its last frame')
  if (expected !== undefined && !Bytes.equals(expected, digest)) {
    const details = { expected: Hex.encode(expected), actual: Hex.encode(digest) }
    const message = `the snapshot has the digest ${details.actual}, expected ${details.expected}`
    throw new StoreError('STORE_SNAPSHOT', message, { details })
  }
  for (const table of Object.keys(LEDGER_TABLES)) await session.query(`analyze ${table}`)
  return { ...found, digest }
}

/** Values of the columns that the file leaves out. */
const BLANK = Object.fromEntries(LEFT_OUT.map((name) => [name, null]))

/** Returns the table's columns for COPY. */
function targetOf(table: LedgerTable): CopyTarget<Row> {
  return LEDGER_TABLES[table] as CopyTarget<Row>
}

async function assertEmpty(session: Session): Promise<void> {
  const [row] = await session.query('select network_id from network')
  if (row === undefined) return
  const message = `the database already contains network ${row['network_id']}; import the snapshot into an empty one`
  throw new StoreError('STORE_NETWORK', message)
}

/** Stores the network and its cursors, and creates the partitions of the tables. */
async function addNetwork(
  session: Session,
  header: Extract<Header, { kind: 'network' }>,
  bytes: Uint8Array,
  genesisId: Uint8Array | undefined,
): Promise<{ readonly networkId: number; readonly snapshot: Snapshots.Snapshot }> {
  assertFormat(header.format)
  const genesis = Genesis.decode(Uint8Array.from(bytes))
  if (genesisId !== undefined && !Bytes.equals(genesis.genesisId, genesisId)) {
    const details = { expected: Hex.encode(genesisId), actual: Hex.encode(genesis.genesisId) }
    const message = `the snapshot is of another network: its genesis is ${details.actual}, expected ${details.expected}`
    throw new StoreError('STORE_NETWORK', message, { details })
  }
  const { networkId } = genesis
  const rules = readRules(networkId, header as NetworkRules.Rules)
  const snapshot = readTips(header.tips)
  await session.query(
    `insert into network (network_id, genesis, genesis_id, upgrades, settings, follows_c_chain, follows_x_chain)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      networkId,
      genesis.bytes,
      genesis.genesisId,
      JSON.stringify(rules.upgrades),
      JSON.stringify(rules.settings),
      header.followsCChain !== false,
      header.followsXChain !== false,
    ],
  )
  const partitions = await Partitions.load(session)
  for (const chain of CHAIN_ALIASES) {
    const { height, blockId, time } = snapshot[chain]
    const tables = PARTITIONED.map((name) => `${name}_${chain.toLowerCase()}`)
    await partitions.ensure(session, tables, 0n, height)
    await session.query('insert into cursor (chain, height, block_id, time) values ($1, $2, $3, $4)', [
      chain,
      String(height),
      blockId,
      String(time),
    ])
  }
  // The file has no derived data; `Derivation.advance` derives it after the import.
  await deriveAgain(session)
  return { networkId, snapshot }
}
