import type { ChainAlias } from '@firn/codec'
import type { Genesis } from '@firn/genesis'
import { Networks } from '@firn/genesis'
import { type Change, isRecord } from './Change.ts'
import * as blocks from './internal/genesis.ts'
import * as packedUtxo from './internal/packedUtxo.ts'
import { refuse } from './internal/refuse.ts'
import { PackedTable, Table, type Writable } from './internal/Table.ts'
import { LAYOUTS, NAMES, type Rules, type Tables } from './internal/Tables.ts'
import type * as Records from './Records.ts'

type Stored = { readonly [Name in Records.TableName]: Writable<Records.Records[Name]> }

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
  const table = <Name extends Records.TableName>(name: Name) =>
    new Table<Records.Records[Name]>(LAYOUTS[name])
  const stored = {
    ...Object.fromEntries(NAMES.map((name) => [name, table(name)])),
    // UTXOs are packed because a network has millions of them, but few records of other kinds.
    utxo: new PackedTable(LAYOUTS.utxo, packedUtxo),
  } as unknown as Stored
  STORED.set(stored, stored)
  return { rules, tables: stored }
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
 */
export function rulesOf(genesis: Genesis.Genesis, constants: Networks.Constants): Rules {
  const { avaxAssetId, xChain, cChain } = genesis
  const chainIds = { P: Networks.PRIMARY_NETWORK_ID, X: xChain.blockchainId, C: cChain.blockchainId }
  return { constants, avaxAssetId, chainIds }
}

/**
 * Returns the initial state of a network, after block 0 of each chain.
 * @param constants the network's constants, with the overrides that its nodes use
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
export function create(genesis: Genesis.Genesis, constants: Networks.Constants): LedgerState {
  if (genesis.networkId !== constants.networkId) {
    const details = { expected: constants.networkId, actual: genesis.networkId }
    refuse(
      'LEDGER_GENESIS',
      `expected a genesis of network ${details.expected}, got a genesis of network ${details.actual}`,
      details,
    )
  }
  const state = empty(rulesOf(genesis, constants))
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
  for (const change of changes.toReversed()) {
    if (isRecord(change)) write(stored[change.type], change.after, change.before)
  }
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
