import { type ChainAlias, Id } from '@firn/codec'
import {
  AtomicCredentials,
  AtomicFees,
  AtomicSanity,
  AtomicSyntax,
  AtomicTx,
  type AtomicUtxo,
  AvmCredentials,
  AvmSyntax,
  AvmTx,
  type AvmUtxo,
  Limits,
  TxsError,
  UtxoId,
} from '@firn/txs'
import type { LedgerState } from '../LedgerState.ts'
import type * as Records from '../Records.ts'
import * as avmTransactions from './avmTransactions.ts'
import { Draft } from './Draft.ts'
import { flatHex } from './flatHex.ts'
import { hasSwitched } from './hasSwitched.ts'
import { knowsExports, peer } from './peers.ts'
import { moveAtomic } from './sharedMemory.ts'

/** The part of the checks during which a transaction of the X- or C-chain was refused. */
export type OtherStep = 'parse' | 'limits' | 'rules' | 'imported' | 'credentials' | 'effect'

/** Checks a transaction of the X-chain in the node's order. */
export function verifyAvm(
  { tables, rules }: LedgerState,
  bytes: Uint8Array,
  now: bigint,
  enter: (step: OtherStep) => void,
): void {
  enter('parse')
  const tx = AvmTx.decode(bytes)
  const { unsignedTx } = tx
  const { constants, chainIds, avaxAssetId } = rules
  const { networkId, txFee, createAssetTxFee } = constants
  enter('rules')
  const fees = { tx: txFee, createAsset: createAssetTxFee }
  AvmSyntax.assertValid(tx, { networkId, blockchainId: chainIds.X, avaxAssetId, fees })
  const draft = new Draft(tables, rules, 'X')
  enter('credentials')
  const imported = AvmTx.imported(unsignedTx)
  if (imported !== undefined && !knowsExports(rules, imported.from)) {
    for (const input of unsignedTx.inputs) assertKnown(draft, input, 'X')
  } else AvmCredentials.assertValid(bytes, tx, { time: now, utxo: utxosOf(draft, imported) })
  enter('effect')
  avmTransactions.execute(draft, AvmTx.id(bytes), tx)
}

/** Price per gas in wei below which no atomic transaction is accepted. */
const LEAST_GAS_PRICE = 1n

/**
 * Checks an import or export of the C-chain in the node's order. Balances, nonces and the current price are part of the
 * EVM's state, which the ledger does not have, so of the fee only the least one is checked.
 */
export function verifyAtomic(
  state: LedgerState,
  bytes: Uint8Array,
  now: bigint,
  enter: (step: OtherStep) => void,
): void {
  const { tables, rules } = state
  const isHelicon = hasSwitched(state)
  enter('parse')
  const tx = isHelicon ? AtomicTx.decodeSinceHelicon(bytes) : AtomicTx.decode(bytes)
  const draft = new Draft(tables, rules, 'C')
  const { constants, chainIds, avaxAssetId } = rules
  const context = {
    networkId: constants.networkId,
    blockchainId: chainIds.C,
    xChainId: chainIds.X,
    avaxAssetId,
  }
  const assertFee = () => AtomicFees.blockFeeContribution(tx, avaxAssetId, LEAST_GAS_PRICE)
  const assertLimits = () => {
    enter('limits')
    const gas = AtomicFees.gasUsed(tx)
    assertWithin({ gas, bytes: BigInt(bytes.length) }, Limits.ATOMIC[isHelicon ? 'helicon' : 'beforeHelicon'])
  }
  if (!isHelicon) assertLimits()
  enter('rules')
  if (isHelicon) {
    AtomicSanity.assertValid(tx.unsignedTx, context)
    assertLimits()
  } else {
    AtomicSyntax.assertValid(tx.unsignedTx, context)
    assertFee()
  }
  assertAuthorized(draft, bytes, tx, now, enter)
  enter('effect')
  if (isHelicon) assertFee()
  moveAtomic(draft, tx, AtomicTx.id(bytes))
}

/** Checks the limits of the mempool. Since Helicon, each byte costs gas, so that the gas limits the size, too. */
function assertWithin(cost: Limits.Cost, limits: Limits.Cost): void {
  for (const unit of ['bytes', 'gas'] as const) {
    const [actual, maximum] = [cost[unit], limits[unit]]
    if (actual <= maximum) continue
    const details = { unit, actual, maximum }
    throw new TxsError('TXS_LIMIT', `expected at most ${maximum} ${unit}, got ${actual}`, { details })
  }
}

/** Checks the imported UTXOs and the credentials. */
function assertAuthorized(
  draft: Draft,
  bytes: Uint8Array,
  tx: AtomicTx.AtomicTx,
  now: bigint,
  enter: (step: OtherStep) => void,
): void {
  const imported = AtomicTx.imported(tx.unsignedTx)
  const inputs = imported?.inputs ?? []
  enter('credentials')
  assertCount(tx, inputs.length + AtomicTx.debited(tx.unsignedTx).length)
  enter('imported')
  const source = imported && peer(draft, imported.from)
  for (const input of inputs) assertKnown(draft, input, source as ChainAlias)
  enter('credentials')
  const utxo = (id: UtxoId.UtxoId) => draft.get('utxo', keyOf(id))?.utxo as AtomicUtxo.AtomicUtxo | undefined
  AtomicCredentials.assertValid(bytes, tx, { time: now, utxo })
}

function assertCount({ credentials: { length } }: AtomicTx.AtomicTx, expected: number): void {
  if (length === expected) return
  const details = { expected, actual: length }
  throw new TxsError('TXS_CREDENTIAL', `expected ${expected} credentials, got ${length}`, { details })
}

const keyOf = (id: UtxoId.UtxoId) => flatHex(UtxoId.inputId(id))

/** Checks that the UTXO of an input exists. */
function assertKnown(draft: Draft, input: UtxoId.UtxoId, source: ChainAlias): void {
  if (find(draft, input, source) !== undefined) return
  const utxo = UtxoId.format(input)
  const details = { utxo, inputId: Id.format(UtxoId.inputId(input)), source, spender: 'input' }
  throw new TxsError('TXS_UTXO', `UTXO ${utxo} not found`, { details })
}

/** Returns a UTXO that is on the draft's chain, and was created on the chain `source`. */
function find(draft: Draft, id: UtxoId.UtxoId, source: ChainAlias): Records.Utxo['utxo'] | undefined {
  const found = draft.get('utxo', keyOf(id))
  return found?.chain === draft.chain && found.source === source ? found.utxo : undefined
}

/** Returns a lookup of the UTXOs that a transaction of the X-chain spends. */
function utxosOf(draft: Draft, imported: ReturnType<typeof AvmTx.imported>) {
  const foreign = new Set(imported?.inputs.map(keyOf))
  return (id: UtxoId.UtxoId) => {
    const isForeign = imported !== undefined && foreign.has(keyOf(id))
    const source = isForeign ? peer(draft, imported.from) : draft.chain
    return find(draft, id, source) as AvmUtxo.AvmUtxo | undefined
  }
}
