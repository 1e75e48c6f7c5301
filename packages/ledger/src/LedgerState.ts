import type { ChainAlias } from '@firn/codec'
import type { Genesis } from '@firn/genesis'
import { Networks } from '@firn/genesis'
import { type Change, isRecord } from './Change.ts'
import * as blocks from './internal/genesis.ts'
import * as packedUtxo from './internal/packedUtxo.ts'
import { refuse } from './internal/refuse.ts'
import { PackedTable, Table, type Writable } from './internal/Table.ts'
import { LAYOUTS, NAMES, type Rules, type Tables } from './internal/Tables.ts'
import { type Heights, type Origin, Window, type Windowed } from './internal/Window.ts'
import type { Read } from './Reads.ts'
import * as Records from './Records.ts'

type Stored = { readonly [Name in Records.TableName]: Writable<Records.Records[Name]> }
type Windows = {
  readonly tables: { readonly [Name in Windowed]: Window<Name, unknown> }
  readonly limit: number
  stored: Heights
  /** Number of unfinished calls of {@link fetch}. */
  fetching: number
  /** Number of commits without a block. */
  vertices: bigint
}

/** The state of all chains after their last blocks. Only {@link commit} and {@link revert} change it. */
export interface LedgerState {
  readonly rules: Rules
  readonly tables: Tables
}

/**
 * Maps the read-only tables of a state to the same tables with write access. Contains only states that this
 * package created.
 */
const STORED = new WeakMap<Tables, Stored>()

/** The windows of windowed states. */
const WINDOWS = new WeakMap<Tables, Windows>()

/**
 * Returns a state without records. Fill it with {@link commit}.
 * @example
 * ```ts
 * import { type Genesis, Networks } from '@firn/genesis'
 * import { LedgerState } from '@firn/ledger'
 *
 * declare const genesis: Genesis.Genesis
 * const constants = Networks.of(genesis.networkId)
 * const state = LedgerState.empty(LedgerState.rulesOf(genesis, constants))
 * LedgerState.commit(state, LedgerState.genesisChanges(genesis, constants))
 * ```
 */
export function empty(rules: Rules): LedgerState {
  // UTXOs are packed because a network has millions of them, but few records of other kinds.
  return withTables(rules, { utxo: new PackedTable(LAYOUTS.utxo, packedUtxo) })
}

/**
 * Returns a state without records whose UTXOs and assets are in a store, so that its size does not depend on their
 * number. {@link fetch} reads them from the store before blocks are applied. Until then, `Ledger.apply` throws
 * `LEDGER_NOT_FETCHED`. {@link settle} tells which changes are stored.
 * @param limit number of UTXOs and of assets that stay in memory in addition to those that are not stored yet
 * @example
 * ```ts
 * import { type Genesis, Networks } from '@firn/genesis'
 * import { LedgerState } from '@firn/ledger'
 *
 * declare const genesis: Genesis.Genesis
 * const rules = LedgerState.rulesOf(genesis, Networks.of(genesis.networkId))
 * const state = LedgerState.windowed(rules, 100_000, { P: 0n, X: 0n, C: 0n })
 * ```
 */
export function windowed(rules: Rules, limit: number, stored: Heights): LedgerState {
  const plain = { pack: (record: Records.Asset) => record, unpack: (record: Records.Asset) => record }
  const tables = {
    utxo: new Window('utxo', LAYOUTS.utxo, packedUtxo, limit),
    asset: new Window('asset', LAYOUTS.asset, plain, limit),
  }
  const state = withTables(rules, tables)
  WINDOWS.set(state.tables, { tables: tables as Windows['tables'], limit, stored, fetching: 0, vertices: 0n })
  return state
}

function withTables(rules: Rules, tables: Partial<Stored>): LedgerState {
  const table = <Name extends Records.TableName>(name: Name) =>
    new Table<Records.Records[Name]>(LAYOUTS[name])
  const stored = {
    ...Object.fromEntries(NAMES.map((name) => [name, table(name)])),
    ...tables,
  } as Stored
  STORED.set(stored, stored)
  return { rules, tables: stored }
}

/** Records of the tables that a windowed state reads from a store. */
export type Found = { readonly [Name in Windowed]: readonly Records.Records[Name][] }

/**
 * Reads records from the store into a windowed state. Does nothing for a state that is in memory as a whole.
 * @param read returns the records with the given keys from the store. It must see all blocks that {@link settle}
 * reported before it was called.
 * @example
 * ```ts
 * import { Ledger, LedgerState, Reads } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare const block: Uint8Array // the next accepted block of the X-chain
 * declare const read: (reads: readonly Reads.Read[]) => Promise<LedgerState.Found> // from a database
 * await LedgerState.fetch(state, Reads.of(state.rules, 'X', block), read)
 * LedgerState.commit(state, Ledger.apply(state, 'X', block))
 * ```
 * @throws what `read` throws
 */
export async function fetch(
  { tables }: LedgerState,
  reads: readonly Read[],
  read: (reads: readonly Read[]) => Promise<Found>,
): Promise<void> {
  const windows = WINDOWS.get(tables)
  if (windows === undefined) return
  evict(windows)
  const missing = reads.filter(({ table, key }) => !windows.tables[table].has(key))
  if (missing.length === 0) return
  windows.fetching++
  try {
    const found = await read(missing)
    for (const record of found.utxo) windows.tables.utxo.provide(Records.KEYS.utxo(record), record)
    for (const record of found.asset) windows.tables.asset.provide(Records.KEYS.asset(record), record)
    for (const { table, key, source } of missing) {
      if (source === undefined) windows.tables[table].provide(key, undefined)
    }
  } finally {
    windows.fetching--
  }
}

/**
 * Reports to a windowed state that the blocks up to the given heights are stored, so that their records may be
 * dropped from memory. Does nothing for a state that is in memory as a whole.
 * @example
 * ```ts
 * import { LedgerState } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * LedgerState.settle(state, { P: 512n, X: 20n, C: 0n })
 * ```
 */
export function settle({ tables }: LedgerState, stored: Heights): void {
  const windows = WINDOWS.get(tables)
  if (windows === undefined) return
  windows.stored = stored
  evict(windows)
}

/**
 * Drops records above the limit. While records are being read, nothing is dropped: a record could be changed, stored
 * and dropped in the meantime, and the read would bring its old value back.
 */
function evict({ tables, limit, stored, fetching }: Windows): void {
  if (fetching > 0) return
  for (const table of Object.values(tables)) table.evict(limit, stored)
}

/**
 * Returns the fixed parameters of a network, from its genesis and constants.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { type Genesis, Networks } from '@firn/genesis'
 * import { LedgerState } from '@firn/ledger'
 *
 * declare const genesis: Genesis.Genesis
 * const { chainIds } = LedgerState.rulesOf(genesis, Networks.of(genesis.networkId))
 * Id.format(chainIds.C) // such as '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'
 * ```
 * @param followsCChain whether blocks of the C-chain are applied, too
 * @param followsXChain whether blocks of the X-chain are applied, too
 */
export function rulesOf(
  genesis: Genesis.Genesis,
  constants: Networks.Constants,
  followsCChain = true,
  followsXChain = true,
): Rules {
  const { avaxAssetId, xChain, cChain } = genesis
  const chainIds = { P: Networks.PRIMARY_NETWORK_ID, X: xChain.blockchainId, C: cChain.blockchainId }
  return { constants, avaxAssetId, chainIds, followsCChain, followsXChain }
}

/**
 * Returns the initial state of a network, after block 0 of each chain.
 * @param constants the network's constants, with the overrides that its nodes use
 * @param followsCChain whether blocks of the C-chain are applied, too. If not, imports from it are applied without their
 * inputs, which are not known.
 * @param followsXChain as `followsCChain`, for the X-chain
 * @example
 * ```ts
 * import { type Genesis, Networks } from '@firn/genesis'
 * import { LedgerState } from '@firn/ledger'
 *
 * declare const genesis: Genesis.Genesis
 * const state = LedgerState.create(genesis, Networks.of(genesis.networkId))
 * LedgerState.tip(state, 'P').height // 0n
 * ```
 * @throws LedgerError `LEDGER_GENESIS`; GenesisError `GENESIS_REWARD`
 */
export function create(
  genesis: Genesis.Genesis,
  constants: Networks.Constants,
  followsCChain = true,
  followsXChain = true,
): LedgerState {
  if (genesis.networkId !== constants.networkId) {
    const details = { expected: constants.networkId, actual: genesis.networkId }
    refuse(
      'LEDGER_GENESIS',
      `expected a genesis of network ${details.expected}, got a genesis of network ${details.actual}`,
      details,
    )
  }
  const state = empty(rulesOf(genesis, constants, followsCChain, followsXChain))
  commit(state, genesisChanges(genesis, constants))
  return state
}

/**
 * Returns the changes that fill an empty state with the genesis of the P-, X- and C-chain. For callers that
 * store changes.
 * @example
 * ```ts
 * import { type Genesis, Networks } from '@firn/genesis'
 * import { LedgerState } from '@firn/ledger'
 *
 * declare const genesis: Genesis.Genesis
 * const changes = LedgerState.genesisChanges(genesis, Networks.of(genesis.networkId))
 * const utxos = changes.filter(({ type }) => type === 'utxo').length
 * ```
 * @throws GenesisError `GENESIS_REWARD`, `GENESIS_VALIDATOR`; LedgerError `LEDGER_GENESIS` if a transaction of
 * the genesis has another type than expected; CodecError if the X-chain's genesis is malformed
 */
export function genesisChanges(genesis: Genesis.Genesis, constants: Networks.Constants): Change[] {
  return [...blocks.platform(genesis, constants), ...blocks.avm(genesis, constants), ...blocks.atomic()]
}

/**
 * Applies the changes of a block to the state, in place. The changes must have been computed from this state.
 * @example
 * ```ts
 * import { Ledger, LedgerState } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare const block: Uint8Array
 * LedgerState.commit(state, Ledger.apply(state, 'X', block))
 * ```
 * @throws LedgerError `LEDGER_GENESIS` if the state was not created by {@link create} or {@link empty}
 */
export function commit(state: LedgerState, changes: readonly Change[]): void {
  const stored = storedOf(state)
  enter(state, changes)
  for (const change of changes) {
    if (isRecord(change)) write(stored[change.type], change.before, change.after)
  }
}

/**
 * Reverts the changes of the last block, in place.
 * @example
 * ```ts
 * import { Ledger, LedgerState } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare const block: Uint8Array
 * const changes = Ledger.apply(state, 'X', block)
 * LedgerState.commit(state, changes)
 * LedgerState.revert(state, changes) // the state before the block
 * ```
 * @throws LedgerError `LEDGER_GENESIS` if the state was not created by {@link create} or {@link empty}
 */
export function revert(state: LedgerState, changes: readonly Change[]): void {
  const stored = storedOf(state)
  enter(state, changes)
  for (const change of changes.toReversed()) {
    if (isRecord(change)) write(stored[change.type], change.after, change.before)
  }
}

/** Tells the windows of a state which block's changes are written next. The changes of a block end with its tip. */
function enter({ tables }: LedgerState, changes: readonly Change[]): void {
  const windows = WINDOWS.get(tables)
  if (windows === undefined) return
  const last = changes.at(-1)
  const tip = last?.type === 'tip' ? last.after : undefined
  // The tip itself is not kept, because it may contain a proposal.
  const origin: Origin = tip
    ? { chain: tip.chain, height: tip.height }
    : { chain: 'vertices', height: ++windows.vertices }
  for (const table of Object.values(windows.tables)) table.enter(origin)
}

function storedOf({ tables }: LedgerState): Stored {
  return (
    STORED.get(tables) ??
    refuse('LEDGER_GENESIS', 'expected a state created by LedgerState.create or LedgerState.empty')
  )
}

/**
 * Writes the change of a record to a table of the same record type. The parameters are `unknown`, because the
 * compiler cannot infer that the types match.
 */
function write(table: unknown, before: unknown, after: unknown): void {
  ;(table as Table<unknown>).write(before, after)
}

/**
 * Returns the tip of a chain: the height, id and time of its last block.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { LedgerState } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * const { height, blockId } = LedgerState.tip(state, 'P')
 * console.log(height, Id.format(blockId))
 * ```
 * @throws LedgerError `LEDGER_GENESIS` if the state has no genesis
 */
export function tip({ tables }: LedgerState, chain: ChainAlias): Records.Tip {
  return (
    tables.tip.get(chain) ??
    refuse('LEDGER_GENESIS', 'the state has no genesis; create it with LedgerState.create')
  )
}
