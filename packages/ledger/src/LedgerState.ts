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

/** All that the chains know after their last blocks. {@link commit} and {@link revert} are the only ones to change it. */
export interface LedgerState {
  readonly rules: Rules
  readonly tables: Tables
}

/** The tables of the states that this package made, which only it may write to. */
const STORED = new WeakMap<Tables, Stored>()

/** A state with no records, to be filled by {@link commit}. */
export function empty(rules: Rules): LedgerState {
  const table = <Name extends Records.TableName>(name: Name) =>
    new Table<Records.Records[Name]>(LAYOUTS[name])
  const stored = {
    ...Object.fromEntries(NAMES.map((name) => [name, table(name)])),
    // Networks have millions of UTXOs, and few records of each other kind.
    utxo: new PackedTable(LAYOUTS.utxo, packedUtxo),
  } as unknown as Stored
  STORED.set(stored, stored)
  return { rules, tables: stored }
}

/** What is fixed about a network of this genesis. */
export function rulesOf(genesis: Genesis.Genesis, constants: Networks.Constants): Rules {
  const { avaxAssetId, xChain, cChain } = genesis
  const chainIds = { P: Networks.PRIMARY_NETWORK_ID, X: xChain.blockchainId, C: cChain.blockchainId }
  return { constants, avaxAssetId, chainIds }
}

/**
 * The state that a network begins with: block 0 of each chain.
 * @param constants of the network, with what its nodes were told to do differently
 * @throws LedgerError `LEDGER_GENESIS`; GenesisError `GENESIS_REWARD`
 */
export function create(genesis: Genesis.Genesis, constants: Networks.Constants): LedgerState {
  if (genesis.networkId !== constants.networkId) {
    const details = { expected: constants.networkId, actual: genesis.networkId }
    refuse(
      'LEDGER_GENESIS',
      `expected a genesis of ${details.expected}, got one of ${details.actual}`,
      details,
    )
  }
  const state = empty(rulesOf(genesis, constants))
  commit(state, genesisChanges(genesis, constants))
  return state
}

/** What the genesis puts into an empty state, for those who keep the changes: of the P-, the X- and the C-chain. */
export function genesisChanges(genesis: Genesis.Genesis, constants: Networks.Constants): Change[] {
  return [...blocks.platform(genesis, constants), ...blocks.avm(genesis, constants), ...blocks.atomic()]
}

/** Makes the changes of a block, in place. They must be those that were made of this state. */
export function commit(state: LedgerState, changes: readonly Change[]): void {
  const stored = storedOf(state)
  for (const change of changes) {
    if (isRecord(change)) write(stored[change.type], change.before, change.after)
  }
}

/** Takes the changes of the last block back, in place. */
export function revert(state: LedgerState, changes: readonly Change[]): void {
  const stored = storedOf(state)
  for (const change of changes.toReversed()) {
    if (isRecord(change)) write(stored[change.type], change.after, change.before)
  }
}

function storedOf({ tables }: LedgerState): Stored {
  return STORED.get(tables) ?? refuse('LEDGER_GENESIS', 'expected a state that this package made')
}

/** The table is that of the change's type, which the compiler can't follow. */
function write(table: unknown, before: unknown, after: unknown): void {
  ;(table as Table<unknown>).write(before, after)
}

/** Where a chain stands. */
export function tip({ tables }: LedgerState, chain: Records.ChainAlias): Records.Tip {
  return tables.tip.get(chain) ?? refuse('LEDGER_GENESIS', 'expected a state with a genesis')
}
