import type { Genesis } from '@firn/genesis'
import { InitialRewards, Networks, PlatformGenesis } from '@firn/genesis'
import { UtxoId } from '@firn/txs'
import { type Change, isRecord } from './Change.ts'
import { refuse } from './internal/refuse.ts'
import * as stakers from './internal/stakers.ts'
import { Table } from './internal/Table.ts'
import { LAYOUTS, NAMES, type Rules, type Tables } from './internal/Tables.ts'
import { chainOf } from './internal/transactions.ts'
import type * as Records from './Records.ts'

type Stored = { readonly [Name in Records.TableName]: Table<Records.Records[Name]> }

/** All that the P-chain knows after a block. {@link commit} and {@link revert} are the only ones to change it. */
export interface PlatformState {
  readonly rules: Rules
  readonly tables: Tables
}

/** The tables of the states that this package made, which only it may write to. */
const STORED = new WeakMap<Tables, Stored>()

/** A state with no records, to be filled by {@link commit}. */
export function empty(rules: Rules): PlatformState {
  const table = <Name extends Records.TableName>(name: Name) =>
    new Table<Records.Records[Name]>(LAYOUTS[name])
  const stored = Object.fromEntries(NAMES.map((name) => [name, table(name)])) as unknown as Stored
  STORED.set(stored, stored)
  return { rules, tables: stored }
}

/**
 * The state that a network begins with: block 0.
 * @param constants of the network, with what its nodes were told to do differently
 * @throws LedgerError `LEDGER_GENESIS`; GenesisError `GENESIS_REWARD`
 */
export function create(genesis: Genesis.Genesis, constants: Networks.Constants): PlatformState {
  if (genesis.networkID !== constants.networkID) {
    const details = { expected: constants.networkID, actual: genesis.networkID }
    refuse(
      'LEDGER_GENESIS',
      `expected a genesis of ${details.expected}, got one of ${details.actual}`,
      details,
    )
  }
  const state = empty({ constants, avaxAssetID: genesis.avaxAssetID })
  commit(state, genesisChanges(genesis, constants))
  return state
}

/** What the genesis puts into an empty state, for those who keep the changes. */
export function genesisChanges(genesis: Genesis.Genesis, constants: Networks.Constants): Change[] {
  const { platform, firstBlock } = genesis
  const initial = InitialRewards.of(platform, constants)
  const tip = {
    height: 0n,
    blockID: firstBlock.id,
    time: platform.timestamp,
    gas: { capacity: 0n, excess: 0n },
    validatorExcess: 0n,
    activeL1Validators: 0n,
    accruedFees: 0n,
    proposal: undefined,
  }
  return [
    ...platform.utxos.map((utxo) => made('utxo', utxoOf(utxo), utxo.txID)),
    ...validatorChanges(genesis, initial),
    made('supply', { subnetID: Networks.PRIMARY_NETWORK_ID, supply: initial.currentSupply }, undefined),
    ...platform.chains.map((tx) => {
      const txID = PlatformGenesis.transactionId(tx)
      if (tx.unsignedTx.type !== 'CreateChainTx') return refuse('LEDGER_GENESIS', 'expected only chains')
      return made('chain', chainOf(txID, tx.unsignedTx), txID)
    }),
    made('tip', tip, undefined),
  ]
}

function utxoOf({ txID, outputIndex, assetID, output }: PlatformGenesis.GenesisUtxo): Records.Utxo {
  const utxo = { txID, outputIndex, assetID, output }
  return { id: UtxoId.inputId(utxo), utxo, origin: 'genesis', rewardTxID: undefined }
}

function validatorChanges({ platform }: Genesis.Genesis, initial: InitialRewards.InitialRewards): Change[] {
  return platform.validators.flatMap(({ unsignedTx: tx }, i) => {
    const { txID, potentialReward } = initial.rewards[i] as InitialRewards.InitialReward
    if (!stakers.isBounded(tx)) return refuse('LEDGER_GENESIS', `expected only validators, got a ${tx.type}`)
    const staker = { ...stakers.current(stakers.describe(txID, tx)), potentialReward }
    const { subnetID, nodeID, weight, signer } = staker
    const member = { subnetID, nodeID, weight, publicKey: signer?.publicKey }
    return [made('staker', staker, txID), made('member', member, txID)]
  })
}

function made<Name extends Records.TableName>(
  type: Name,
  after: Records.Records[Name],
  txID: Uint8Array | undefined,
): Change {
  return { type, before: undefined, after, txID } as Change
}

/** Makes the changes of a block, in place. They must be those that were made of this state. */
export function commit(state: PlatformState, changes: readonly Change[]): void {
  const stored = storedOf(state)
  for (const change of changes) {
    if (isRecord(change)) write(stored[change.type], change.before, change.after)
  }
}

/** Takes the changes of the last block back, in place. */
export function revert(state: PlatformState, changes: readonly Change[]): void {
  const stored = storedOf(state)
  for (const change of changes.toReversed()) {
    if (isRecord(change)) write(stored[change.type], change.after, change.before)
  }
}

function storedOf({ tables }: PlatformState): Stored {
  return STORED.get(tables) ?? refuse('LEDGER_GENESIS', 'expected a state that this package made')
}

/** The table is that of the change's type, which the compiler can't follow. */
function write(table: unknown, before: unknown, after: unknown): void {
  ;(table as Table<unknown>).write(before, after)
}

/** Where the chain stands. */
export function tip({ tables }: PlatformState): Records.Tip {
  return tables.tip.get('') ?? refuse('LEDGER_GENESIS', 'expected a state with a genesis')
}
