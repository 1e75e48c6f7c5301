import { Bytes, type ChainAlias, Hex } from '@firn/codec'
import * as AtomicFees from '../atomic/AtomicFees.ts'
import * as AtomicTx from '../atomic/AtomicTx.ts'
import * as AtomicUtxo from '../atomic/AtomicUtxo.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import * as AvmFees from '../avm/AvmFees.ts'
import * as AvmTx from '../avm/AvmTx.ts'
import * as AvmUtxo from '../avm/AvmUtxo.ts'
import * as Credentials from '../fx/Credentials.ts'
import * as Secp256k1 from '../fx/Secp256k1.ts'
import * as PlatformTx from '../platform/PlatformTx.ts'
import * as PlatformUtxo from '../platform/PlatformUtxo.ts'
import * as UnsignedTx from '../platform/UnsignedTx.ts'
import * as AtomicBuilder from '../wallet/AtomicBuilder.ts'
import * as AvmBuilder from '../wallet/AvmBuilder.ts'
import * as Coins from '../wallet/Coins.ts'
import * as L1Builder from '../wallet/L1Builder.ts'
import * as PlatformBuilder from '../wallet/PlatformBuilder.ts'
import type * as Signing from '../wallet/Signing.ts'
import * as StakingBuilder from '../wallet/StakingBuilder.ts'
import * as Wallet from '../wallet/Wallet.ts'
import { cases, type VectorCase } from './vectors.ts'

/** A recorded transaction that the node's wallet issued, with the UTXOs that it consumed. */
export interface Issued {
  readonly name: string
  readonly bytes: Uint8Array
  readonly vector: VectorCase
}

/** Returns the recorded transactions of a chain. */
export function issued(chain: ChainAlias): Issued[] {
  return cases('wallet-issued', 'issued')
    .filter((item) => item['chain'] === chain)
    .map((vector) => ({ name: vector.name, bytes: Hex.decode(vector['bytes']), vector }))
}

/** Returns the private keys (32 bytes each) of all signers. */
export function keys(): Uint8Array[] {
  return cases('wallet-issued', 'keys')
    .flatMap((item) => item['keys'] as `0x${string}`[])
    .map((key) => Hex.decode(key))
}

type Owners = Secp256k1.OutputOwners

/**
 * An interpretation of a recorded transaction: which outputs were payments, and which owner received the
 * change.
 */
interface Reading {
  readonly payments: readonly Wallet.Payment[]
  readonly changeOwners: Owners
}

const same = (a: Owners, b: Owners) =>
  Bytes.equals(Secp256k1.OutputOwners.encode(a), Secp256k1.OutputOwners.encode(b))

interface AnyOut {
  readonly assetID: Uint8Array
  readonly output: { readonly type: string }
}

/** Converts outputs to payments. */
function paymentsOf(outs: readonly AnyOut[]): Wallet.Payment[] {
  const txId = new Uint8Array(32)
  return Coins.of(outs.map((out, outputIndex) => ({ txID: txId, outputIndex, ...out }))).map(
    ({ assetID: assetId, amount, owners, lock }) => ({ assetID: assetId, amount, owners, lock }),
  )
}

/**
 * Yields possible ways to tell change from payments. Any output owned by one signer alone may be change, and
 * all change has the same owner.
 */
function* readings(outs: readonly AnyOut[], signers: readonly Uint8Array[]): Generator<Reading> {
  const payments = paymentsOf(outs)
  for (const address of signers) {
    const changeOwners = Wallet.soleOwner(address)
    const own = payments.filter(({ owners, lock }) => lock === 0n && same(owners, changeOwners))
    for (let mask = (1 << Math.min(own.length, 6)) - 1; mask >= 0; mask--) {
      const change = own.filter((_, i) => mask & (1 << i))
      yield { changeOwners, payments: payments.filter((payment) => !change.includes(payment)) }
    }
  }
}

/** Returns the owners that may receive an import or change: the owners of the outputs, then each signer. */
function ownersIn(outs: readonly AnyOut[], signers: readonly Uint8Array[]): Owners[] {
  return [
    ...paymentsOf(outs).map(({ owners }) => owners),
    ...signers.map((address) => Wallet.soleOwner(address)),
  ]
}

const recovered = new Map<string, readonly Uint8Array[]>()

/** Returns the signers of a recorded transaction. The result is cached, because recovery is slow. */
function signersOf(
  { vector }: Issued,
  chain: { encodeUnsigned: (tx: never) => Uint8Array },
  tx: { unsignedTx: unknown; credentials: readonly unknown[] },
): readonly Uint8Array[] {
  const known = recovered.get(vector['bytes'])
  if (known !== undefined) return known
  const unsigned = chain.encodeUnsigned(tx.unsignedTx as never)
  const credentials = tx.credentials as Secp256k1.Credential[]
  const found = credentials.flatMap((one) => Credentials.recoverSigners(unsigned, one))
  const signers = [...new Map(found.map((address) => [Hex.encode(address), address])).values()]
  recovered.set(vector['bytes'], signers)
  return signers
}

/**
 * Returns UTXOs in ascending order of amount. Coin selection in this order needs all of them, like the recorded
 * transaction.
 */
function ascending<U extends Coins.AnyUtxo>(utxos: readonly U[]): U[] {
  const amount = (utxo: U) => Coins.of([utxo])[0]?.amount ?? 0n
  return utxos.toSorted((a, b) => Number(amount(a) - amount(b)))
}

function split<U extends Coins.AnyUtxo>(utxos: readonly U[], imported: readonly UtxoId.UtxoId[]) {
  const names = new Set(imported.map(UtxoId.format))
  return {
    own: utxos.filter((utxo) => !names.has(UtxoId.format(utxo))),
    exported: utxos.filter((utxo) => names.has(UtxoId.format(utxo))),
  }
}

/**
 * Gas weights of both recorded networks, and the gas price that the node's wallet bids: twice the minimum
 * price of 1 nAVAX.
 */
const FEES = { weights: { bandwidth: 1n, dbRead: 1000n, dbWrite: 1000n, compute: 4n }, gasPrice: 2n }

/** nAVAX that recorded transactions burned, by type, for types without a dynamic fee. */
const LEGACY_FEES: { readonly [type: string]: bigint } = {
  TransformSubnetTx: 0n,
  AddValidatorTx: 16_164n,
  AddDelegatorTx: 10_242n,
}

/** Yields drafts for each possible interpretation of the recorded P-chain transaction. */
export function* platform(recorded: Issued, order: Coins.Order): Generator<() => Signing.Draft> {
  const { bytes, vector } = recorded
  const tx = PlatformTx.decode(bytes)
  const { unsignedTx } = tx
  if (!('inputs' in unsignedTx)) return
  const legacyFee = LEGACY_FEES[unsignedTx.type]
  const signers = signersOf(recorded, PlatformTx, tx)
  const imported = unsignedTx.type === 'ImportTx' ? unsignedTx.importedInputs : []
  const { own, exported } = split(
    (vector['utxos'] as `0x${string}`[]).map((hex) => PlatformUtxo.decode(Hex.decode(hex))),
    imported,
  )
  const wallet = {
    networkId: unsignedTx.networkID,
    avaxAssetId: Hex.decode(vector['avaxAssetID']),
    utxos: ascending(own),
    addresses: signers,
    time: BigInt(vector['time']),
    fees: legacyFee === undefined ? FEES : { fixed: legacyFee },
    memo: unsignedTx.memo,
    order,
  } as const
  const authority = vector['authority']
    ? Secp256k1.OutputOwners.decode(Hex.decode(vector['authority']))
    : Wallet.soleOwner(signers[0] as Uint8Array)
  if (unsignedTx.type === 'BaseTx') {
    for (const { changeOwners, payments } of readings(unsignedTx.outputs, signers)) {
      yield () => PlatformBuilder.transfer({ ...wallet, changeOwners }, payments)
    }
    return
  }
  for (const changeOwners of ownersIn(unsignedTx.outputs, signers)) {
    const mine = { ...wallet, changeOwners }
    if (unsignedTx.type === 'ImportTx') {
      for (const to of ownersIn(unsignedTx.outputs, signers)) {
        yield () => PlatformBuilder.importFrom(mine, unsignedTx.sourceChain, exported, to)
      }
    } else yield () => platformDraft(mine, unsignedTx, authority)
  }
}

function platformDraft(
  wallet: PlatformBuilder.PlatformWallet,
  unsignedTx: UnsignedTx.UnsignedTx,
  authority: Owners,
): Signing.Draft {
  const build = BUILDERS[unsignedTx.type]
  if (build === undefined) throw new Error(`wallets cannot issue a ${unsignedTx.type}`)
  const weight = paymentsOf(UnsignedTx.stake(unsignedTx)).reduce((sum, { amount }) => sum + amount, 0n)
  return build(wallet, rest({ ...unsignedTx, authority, weight }) as never)
}

/** Returns only the fields of a transaction that the caller passes to its builder. */
function rest<T extends object>(tx: T): T {
  const parts = ['type', 'networkID', 'blockchainID', 'outputs', 'inputs', 'memo', 'stake']
  return Object.fromEntries(
    Object.entries(tx).filter(([name]) => !parts.includes(name) && !/uthorization$|^auth$/.test(name)),
  ) as T
}

type Builder = (wallet: PlatformBuilder.PlatformWallet, fields: never) => Signing.Draft

/**
 * The builder for each transaction type. Undefined for types that wallets do not issue, and for types with
 * several interpretations.
 */
const BUILDERS: { readonly [T in UnsignedTx.TxType]: Builder | undefined } = {
  BaseTx: undefined,
  ImportTx: undefined,
  AdvanceTimeTx: undefined,
  RewardValidatorTx: undefined,
  RewardAutoRenewedValidatorTx: undefined,
  ExportTx: (wallet, { destinationChain, exportedOutputs }: UnsignedTx.Of<'ExportTx'>) =>
    PlatformBuilder.exportTo(wallet, destinationChain, paymentsOf(exportedOutputs).toReversed()),
  CreateSubnetTx: (wallet, { owner }: UnsignedTx.Of<'CreateSubnetTx'>) =>
    PlatformBuilder.createSubnet(wallet, owner),
  SetL1ValidatorWeightTx: (wallet, { message }: UnsignedTx.Of<'SetL1ValidatorWeightTx'>) =>
    L1Builder.setL1ValidatorWeight(wallet, message),
  AddAutoRenewedValidatorTx: StakingBuilder.addAutoRenewedValidator,
  CreateChainTx: PlatformBuilder.createChain,
  AddSubnetValidatorTx: PlatformBuilder.addSubnetValidator,
  RemoveSubnetValidatorTx: PlatformBuilder.removeSubnetValidator,
  TransformSubnetTx: PlatformBuilder.transformSubnet,
  TransferSubnetOwnershipTx: PlatformBuilder.transferSubnetOwnership,
  ConvertSubnetToL1Tx: L1Builder.convertSubnetToL1,
  RegisterL1ValidatorTx: L1Builder.registerL1Validator,
  IncreaseL1ValidatorBalanceTx: L1Builder.increaseL1ValidatorBalance,
  DisableL1ValidatorTx: L1Builder.disableL1Validator,
  AddPermissionlessValidatorTx: StakingBuilder.addPermissionlessValidator,
  AddPermissionlessDelegatorTx: StakingBuilder.addPermissionlessDelegator,
  AddValidatorTx: StakingBuilder.addValidator,
  AddDelegatorTx: StakingBuilder.addDelegator,
  SetAutoRenewedValidatorConfigTx: StakingBuilder.setAutoRenewedValidatorConfig,
}

/** Yields drafts for each possible interpretation of the recorded X-chain transaction. */
export function* avm(recorded: Issued, order: Coins.Order): Generator<() => Signing.Draft> {
  const { bytes, vector } = recorded
  const tx = AvmTx.decode(bytes)
  const { unsignedTx } = tx
  const signers = signersOf(recorded, AvmTx, tx)
  const imported = unsignedTx.type === 'ImportTx' ? unsignedTx.importedInputs : []
  const { own, exported } = split(
    (vector['utxos'] as `0x${string}`[]).map((hex) => AvmUtxo.decode(Hex.decode(hex))),
    imported,
  )
  const wallet = {
    networkId: unsignedTx.networkID,
    blockchainId: unsignedTx.blockchainID,
    avaxAssetId: Hex.decode(vector['avaxAssetID']),
    utxos: ascending(own),
    addresses: signers,
    time: BigInt(vector['time']),
    fees: AvmFees.LOCAL,
    memo: unsignedTx.memo,
    order,
  } as const
  if (unsignedTx.type === 'BaseTx') {
    for (const { changeOwners, payments } of readings(unsignedTx.outputs, signers)) {
      yield () => AvmBuilder.transfer({ ...wallet, changeOwners }, payments)
    }
    return
  }
  for (const changeOwners of ownersIn(unsignedTx.outputs, signers)) {
    const mine = { ...wallet, changeOwners }
    if (unsignedTx.type === 'ImportTx') {
      for (const to of ownersIn(unsignedTx.outputs, signers)) {
        yield () => AvmBuilder.importFrom(mine, unsignedTx.sourceChain, exported, to)
      }
    } else if (unsignedTx.type === 'ExportTx') {
      const payments = paymentsOf(unsignedTx.exportedOutputs).toReversed()
      yield () => AvmBuilder.exportTo(mine, unsignedTx.destinationChain, payments)
    } else if (unsignedTx.type === 'CreateAssetTx') {
      yield () => AvmBuilder.createAsset(mine, unsignedTx)
    } else {
      yield () => AvmBuilder.operate(mine, unsignedTx.operations.toReversed())
    }
  }
}

/**
 * Yields drafts for each possible interpretation of the recorded atomic transaction. The base fee was not
 * recorded, so the price that the transaction paid for its gas is used.
 */
export function* atomic(recorded: Issued): Generator<() => Signing.Draft> {
  const { bytes, vector } = recorded
  const tx = AtomicTx.decode(bytes)
  const { unsignedTx } = tx
  const avaxAssetId = Hex.decode(vector['avaxAssetID'])
  const wallet = {
    networkId: unsignedTx.networkID,
    blockchainId: unsignedTx.blockchainID,
    avaxAssetId,
    utxos: (vector['utxos'] as `0x${string}`[]).map((hex) => AtomicUtxo.decode(Hex.decode(hex))),
    addresses: signersOf(recorded, AtomicTx, tx),
    time: BigInt(vector['time']),
    baseFee: AtomicFees.effectiveGasPrice(tx, avaxAssetId),
  }
  if (unsignedTx.type === 'ImportTx') {
    const to = unsignedTx.outputs[0]?.address as Uint8Array
    yield () => AtomicBuilder.importFrom(wallet, unsignedTx.sourceChain, to)
    return
  }
  const accounts = unsignedTx.inputs.map(({ address, nonce }) => ({ address, nonce, balance: 10n ** 27n }))
  const payments = paymentsOf(unsignedTx.exportedOutputs).toReversed()
  yield () => AtomicBuilder.exportTo(wallet, unsignedTx.destinationChain, payments, accounts)
}
