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

/** Returns a state without records. Fill it with {@link commit}. */
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

/** Returns the fixed parameters of a network, from its genesis and constants. */
export function rulesOf(genesis: Genesis.Genesis, constants: Networks.Constants): Rules {
  const { avaxAssetId, xChain, cChain } = genesis
  const chainIds = { P: Networks.PRIMARY_NETWORK_ID, X: xChain.blockchainId, C: cChain.blockchainId }
  return { constants, avaxAssetId, chainIds }
}

/**
 * Returns the initial state of a network, after block 0 of each chain.
 * @param constants of the network, with the overrides of its nodes
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
 */
export function genesisChanges(genesis: Genesis.Genesis, constants: Networks.Constants): Change[] {
  return [...blocks.platform(genesis, constants), ...blocks.avm(genesis, constants), ...blocks.atomic()]
}

/**
 * Applies the changes of a block to the state, in place. The changes must have been computed from this state.
 */
export function commit(state: LedgerState, changes: readonly Change[]): void {
  const stored = storedOf(state)
  for (const change of changes) {
    if (isRecord(change)) write(stored[change.type], change.before, change.after)
  }
}

/** Reverts the changes of the last block, in place. */
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

/** The table has the type of the change, but the compiler cannot infer that. */
function write(table: unknown, before: unknown, after: unknown): void {
  ;(table as Table<unknown>).write(before, after)
}

/** Tip of a chain. */
export function tip({ tables }: LedgerState, chain: ChainAlias): Records.Tip {
  return (
    tables.tip.get(chain) ??
    refuse('LEDGER_GENESIS', 'the state has no genesis; create it with LedgerState.create')
  )
}
