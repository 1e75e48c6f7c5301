import { Bytes, type ChainAlias, Hex, Id } from '@firn/codec'
import {
  Complexity,
  Credentials,
  Owners,
  PlatformTx,
  Secp256k1,
  Stakeable,
  TxsError,
  type TxsErrorCode,
  UnsignedTx,
  UtxoId,
} from '@firn/txs'
import type * as Records from '../Records.ts'
import { flatHex } from './flatHex.ts'
import type { PlatformDraft as Draft } from './PlatformDraft.ts'
import { knowsExports, peer } from './peers.ts'
import type { GasPrice } from './spend.ts'

type Output = Stakeable.Output
type Enter = (step: 'spend' | 'transfer') => void

/** A signed transaction with its bytes, and the clock's time in Unix seconds. */
export interface Signed {
  readonly bytes: Uint8Array
  readonly tx: PlatformTx.PlatformTx
  readonly now: bigint
}

/**
 * Checks that a P-chain transaction may spend its inputs, and that they cover its outputs, its stake, `price` and its
 * deposits: the node's `VerifySpend`. Funds that are still locked may only stay with their owners.
 * @param enter called when the checks of one input begin (`transfer`) and end (`spend`)
 */
export function verifySpend(draft: Draft, signed: Signed, price: GasPrice, enter: Enter): void {
  const { bytes, tx, now } = signed
  const inputs = PlatformTx.inputs(tx)
  const held = utxosOf(draft, tx.unsignedTx)
  const isAuthorized = UnsignedTx.authorization(tx.unsignedTx) !== undefined
  const credentials = isAuthorized ? tx.credentials.slice(0, -1) : tx.credentials
  if (credentials.length !== inputs.length) {
    const details = { expected: inputs.length, actual: credentials.length }
    refuse('TXS_CREDENTIAL', `expected ${inputs.length} credentials, got ${credentials.length}`, details)
  }
  const flow = createFlow()
  const unsignedBytes = PlatformTx.unsignedBytes(bytes, tx)
  for (const [i, input] of inputs.entries()) {
    const utxo = held[i]
    if (utxo === undefined) {
      flow.consume(input.assetID, Stakeable.unlockedInput(input.input).amount)
      continue
    }
    const output = utxo.output as Output
    assertAsset(input, utxo)
    const locktime = lockOf(output)
    assertLock(input.input, locktime, now)
    const [owners, spent] = [Stakeable.unlocked(output), Stakeable.unlockedInput(input.input)]
    enter('transfer')
    assertTransfer({ unsignedBytes, owners, input: spent, credential: credentials[i], time: now })
    enter('spend')
    if (now >= locktime) flow.consume(input.assetID, spent.amount)
    else flow.consumeLocked(input.assetID, locktime, owners, spent.amount)
  }
  const { avaxAssetId, constants } = draft.rules
  const outputs = [
    ...('outputs' in tx.unsignedTx ? tx.unsignedTx.outputs : []),
    ...UnsignedTx.stake(tx.unsignedTx),
    ...(UnsignedTx.exported(tx.unsignedTx)?.outputs ?? []),
  ]
  for (const { assetID: assetId, output } of outputs) {
    const locktime = lockOf(output)
    const unlocked = Stakeable.unlocked(output)
    if (locktime === 0n) flow.produce(assetId, unlocked.amount)
    else flow.produceLocked(assetId, locktime, unlocked, unlocked.amount)
  }
  const fee = price === undefined ? 0n : Complexity.fee(tx.unsignedTx, constants.dynamicFee.weights, price)
  flow.produce(avaxAssetId, fee + depositOf(tx.unsignedTx))
  flow.assertBalanced()
}

interface Transfer {
  readonly unsignedBytes: Uint8Array
  readonly owners: Secp256k1.TransferOutput
  readonly input: Secp256k1.TransferInput
  readonly credential: unknown
  readonly time: bigint
}

function assertTransfer({ unsignedBytes, owners, input, credential, time }: Transfer): void {
  const signed = asCredential(credential)
  Owners.assertOutput(owners)
  Owners.assertInput(input)
  if (owners.amount !== input.amount) {
    const details = { held: owners.amount, spent: input.amount }
    refuse('TXS_UTXO', `expected an input of ${owners.amount}, got ${input.amount}`, details)
  }
  Credentials.assertValid({ unsignedBytes, owners, input, credential: signed, time })
}

/** Returns a value as an ordinary credential. */
export function asCredential(value: unknown): Secp256k1.Credential {
  const credential = value as { readonly type?: string } | undefined
  if (credential?.type === 'Credential') return credential as Secp256k1.Credential
  const details = { type: credential?.type }
  return refuse(
    'TXS_CREDENTIAL',
    `expected a credential of type Credential, got ${credential?.type}`,
    details,
  )
}

/** Returns the UTXOs of all inputs, imported ones last; undefined for those that the ledger does not know. */
function utxosOf(draft: Draft, tx: UnsignedTx.UnsignedTx): readonly (Records.Utxo['utxo'] | undefined)[] {
  const own = 'inputs' in tx ? tx.inputs : []
  const imported = UnsignedTx.imported(tx)
  const isKnown = imported === undefined || knowsExports(draft.rules, imported.from)
  const source = imported && peer(draft, imported.from)
  return [
    ...own.map((input) => held(draft, input, 'P')),
    ...(imported?.inputs ?? []).map((input) => {
      return isKnown ? held(draft, input, source as ChainAlias) : undefined
    }),
  ]
}

function held(draft: Draft, input: UtxoId.UtxoId, source: ChainAlias): Records.Utxo['utxo'] {
  const found = draft.get('utxo', flatHex(UtxoId.inputId(input)))
  if (found?.chain === 'P' && found.source === source) return found.utxo
  const utxo = UtxoId.format(input)
  return refuse('TXS_UTXO', `UTXO ${utxo} not found`, { utxo, source })
}

function assertAsset({ assetID: assetId }: Stakeable.In, utxo: Records.Utxo['utxo']): void {
  if (Bytes.equals(assetId, utxo.assetID)) return
  const [expected, actual] = [Id.format(utxo.assetID), Id.format(assetId)]
  refuse('TXS_ASSET_ID', `expected an input of asset ${expected}, got ${actual}`, { expected, actual })
}

function lockOf(output: Output): bigint {
  return output.type === 'LockOut' ? output.locktime : 0n
}

function assertLock(input: Stakeable.Input, locktime: bigint, now: bigint): void {
  if (input.type === 'LockIn' ? input.locktime === locktime : now >= locktime) return
  const actual = input.type === 'LockIn' ? input.locktime : undefined
  const got = actual === undefined ? 'an unlocked input' : `one locked until ${actual}`
  const details = { expected: locktime, actual }
  refuse('TXS_LOCKTIME', `expected an input locked until ${locktime}, got ${got}`, details)
}

/** Returns the amount that a transaction adds to the balances of L1 validators, in nAVAX. */
function depositOf(tx: UnsignedTx.UnsignedTx): bigint {
  if (tx.type === 'ConvertSubnetToL1Tx') return tx.validators.reduce((sum, { balance }) => sum + balance, 0n)
  return tx.type === 'RegisterL1ValidatorTx' || tx.type === 'IncreaseL1ValidatorBalanceTx' ? tx.balance : 0n
}

interface Lock {
  readonly assetId: Uint8Array
  readonly locktime: bigint
  readonly owners: string
  consumed: bigint
  produced: bigint
}

interface Balance {
  readonly assetId: Uint8Array
  consumed: bigint
  produced: bigint
}

/** Returns a balance of unlocked and locked funds, by asset, and for locked ones by lock time and owners. */
function createFlow() {
  const balances = new Map<string, Balance>()
  const locks = new Map<string, Lock>()
  const balance = (assetId: Uint8Array): Balance => {
    const key = Hex.encodeBare(assetId)
    const found = balances.get(key) ?? { assetId, consumed: 0n, produced: 0n }
    balances.set(key, found)
    return found
  }
  const lock = (assetId: Uint8Array, locktime: bigint, owners: Secp256k1.OutputOwners): Lock => {
    const id = Hex.encodeBare(Secp256k1.OutputOwners.encode(owners))
    const key = `${Hex.encodeBare(assetId)} ${locktime} ${id}`
    const found = locks.get(key) ?? { assetId, locktime, owners: id, consumed: 0n, produced: 0n }
    locks.set(key, found)
    return found
  }
  return {
    consume(assetId: Uint8Array, amount: bigint) {
      balance(assetId).consumed += amount
    },
    produce(assetId: Uint8Array, amount: bigint) {
      balance(assetId).produced += amount
    },
    consumeLocked(assetId: Uint8Array, locktime: bigint, owners: Secp256k1.OutputOwners, amount: bigint) {
      lock(assetId, locktime, owners).consumed += amount
    },
    produceLocked(assetId: Uint8Array, locktime: bigint, owners: Secp256k1.OutputOwners, amount: bigint) {
      lock(assetId, locktime, owners).produced += amount
    },
    assertBalanced() {
      for (const { assetId, locktime, consumed, produced } of locks.values()) {
        const unlocked = balance(assetId)
        const increase = produced > consumed ? produced - consumed : 0n
        assertEnough(assetId, increase, unlocked.consumed, locktime)
        unlocked.consumed -= increase
      }
      for (const { assetId, consumed, produced } of balances.values())
        assertEnough(assetId, produced, consumed)
    },
  }
}

function assertEnough(assetId: Uint8Array, needed: bigint, available: bigint, locktime?: bigint): void {
  if (needed <= available) return
  const details = { assetId: Id.format(assetId), missing: needed - available, locktime }
  refuse('TXS_FUNDS', `${details.missing} more of the asset ${details.assetId} are needed`, details)
}

function refuse(code: TxsErrorCode, message: string, details: Readonly<Record<string, unknown>>): never {
  throw new TxsError(code, message, { details })
}
