import { Id } from '@firn/codec'
import { type Change, LedgerState, type Records } from '@firn/ledger'
import { AvmBlock, AvmTx, PlatformBlock, PlatformTx, type UnsignedTx, UtxoId } from '@firn/txs'
import type { Accepted } from '../Accepted.ts'
import { inventedStaker, inventedSubnet } from './invented.ts'
import type { Recording } from './recordings.ts'

/** Size of an invented ledger, and the owners of its outputs. */
export interface InventedLedger {
  /** Number of P-chain transactions. */
  readonly transactions: number
  /**
   * Number of X-chain transactions, one per block; none by default. Each has an output that belongs to `avmOwner`
   * and, except for the first, one signature that `sign` creates.
   */
  readonly avmTransactions?: number
  readonly avmOwner?: Uint8Array
  readonly sign?: (unsigned: Uint8Array) => Uint8Array
  /** Returns the memo of a transaction of either chain, and the name of a blockchain; by default with its number. */
  readonly text?: (i: number) => string
  /** Additional owners. Every `every`-th transaction of the P-chain has an output that belongs to `address`. */
  readonly owners: readonly { readonly address: Uint8Array; readonly every: number }[]
}

const TRANSACTIONS_A_BLOCK = 4
/**
 * Number of lanes. A lane is a sequence of transactions in which each transaction spends an output of the previous
 * one.
 */
const LANES = 40
const AMOUNT = 1_000_000_000n
const NONE = new Uint8Array()
const NETWORK = Id.EMPTY
/**
 * Number of transactions per new staker, per new subnet with a blockchain, and per new L1 validator.
 */
const [STAKERS, SUBNETS, VALIDATORS] = [200, 500, 100]
const YEAR = 31_536_000n

/** An output that the next transaction of a lane spends. */
type Source = Records.Utxo | undefined

type Transaction = { readonly tx: PlatformTx.PlatformTx; readonly id: Uint8Array; readonly bytes: Uint8Array }

/**
 * Yields invented but plausible blocks, first of the P-chain and then of the X-chain. Their transactions
 * spend each other's outputs, stake, create subnets with blockchains, and pay for L1 validators. For tests
 * and benches only.
 */
export function* inventedLedger(
  recording: Recording,
  state: LedgerState.LedgerState,
  options: InventedLedger,
): Iterable<Accepted> {
  yield* platform(recording, LedgerState.tip(state, 'P'), options)
  yield* avm(recording, LedgerState.tip(state, 'X'), options)
}

function* platform(recording: Recording, first: Records.Tip, options: InventedLedger): Iterable<Accepted> {
  const lanes: Source[] = Array.from({ length: LANES })
  const latest: Latest = { staking: [], subnetId: NETWORK }
  let tip = first
  for (let made = 0; made < options.transactions; made += TRANSACTIONS_A_BLOCK) {
    const [height, time] = [tip.height + 1n, tip.time + 1n]
    const txs: Transaction[] = []
    const changes: Change.Change[] = []
    let ordinal = 0
    for (let i = made; i < Math.min(made + TRANSACTIONS_A_BLOCK, options.transactions); i++) {
      const spent = lanes[i % LANES]
      const one = transaction(recording, i, spent, time, options, latest)
      const utxos = PlatformTx.utxos(one.tx, one.id).map((utxo) =>
        record('P', one.id, utxo, height, ordinal++),
      )
      lanes[i % LANES] = utxos[0]
      changes.push(...moves(spent, utxos, one.id))
      changes.push(
        ...(EFFECTS[one.tx.unsignedTx.type]?.(one, latest, height, i < options.transactions / 2) ?? []),
      )
      const { type: name } = one.tx.unsignedTx
      const place = { chain: 'P', height, position: txs.length, status: 'Committed' } as const
      changes.push({ type: 'transaction', txId: one.id, name, bytes: one.bytes, ...place })
      txs.push(one)
    }
    const [parentId, all] = [tip.blockId, txs.map(({ tx }) => tx)]
    const bytes = PlatformBlock.encode({
      type: 'BanffStandardBlock',
      time,
      parentID: parentId,
      height,
      txs: all,
    })
    const after = { ...tip, height, time, blockId: PlatformBlock.id(bytes) }
    yield { chain: 'P', bytes, parentId, changes: [...changes, { ...TIP, before: tip, after }] }
    tip = after
  }
}

const TIP = { type: 'tip', txId: undefined } as const

function record(
  chain: 'P' | 'X',
  txId: Uint8Array,
  { outputIndex, assetID: assetId, output }: Omit<Records.Utxo['utxo'], 'txID'>,
  height: bigint,
  ordinal: number,
): Records.Utxo {
  const utxo = { txID: txId, outputIndex, assetID: assetId, output }
  const made = { origin: 'output', rewardTxId: undefined, height, ordinal } as const
  return { id: UtxoId.inputId(utxo), chain, source: chain, utxo, ...made }
}

function moves(spent: Source, made: readonly Records.Utxo[], txId: Uint8Array): Change.Change[] {
  const gone = spent === undefined ? [] : [{ type: 'utxo', before: spent, after: undefined, txId } as const]
  return [...gone, ...made.map((after) => ({ type: 'utxo', before: undefined, after, txId }) as const)]
}

/** Returns an invented address of 20 bytes. */
export function inventedAddress(i: number): Uint8Array {
  return Id.hash(new TextEncoder().encode(`owner ${i}`)).slice(0, 20)
}

function transferTo(assetId: Uint8Array, address: Uint8Array) {
  const owner = { locktime: 0n, threshold: 1, addresses: [address] }
  return { assetID: assetId, output: { type: 'TransferOutput', amount: AMOUNT, ...owner } as const }
}

function transaction(
  { genesis: { avaxAssetId: assetId, networkId } }: Recording,
  i: number,
  spent: Source,
  time: bigint,
  { owners, text = String }: InventedLedger,
  latest: Latest,
): Transaction {
  const marked = owners.filter(({ every }) => i % every === every - 1).map(({ address }) => address)
  const outputs = [inventedAddress(i % 50_000), ...marked].map((address) => transferTo(assetId, address))
  const input = { type: 'TransferInput' as const, amount: AMOUNT, signatureIndices: [0] }
  const inputs = spent === undefined ? [] : [{ ...spent.utxo, assetID: assetId, input }]
  const base = {
    networkID: networkId,
    blockchainID: NETWORK,
    outputs,
    inputs,
    memo: new TextEncoder().encode(text(i)),
  }
  const credentials = inputs.map(() => ({ type: 'Credential' as const, signatures: [new Uint8Array(65)] }))
  const tx: PlatformTx.PlatformTx = {
    unsignedTx: unsigned(base, assetId, i, time, marked, latest, text),
    credentials,
  }
  const bytes = PlatformTx.encode(tx)
  return { tx, id: PlatformTx.id(bytes), bytes }
}

function unsigned(
  base: Omit<UnsignedTx.Of<'BaseTx'>, 'type'>,
  assetId: Uint8Array,
  i: number,
  time: bigint,
  [staker = inventedAddress(i % 50_000)]: readonly Uint8Array[],
  { subnetId }: Latest,
  text: (i: number) => string,
): UnsignedTx.UnsignedTx {
  if (i % STAKERS === STAKERS - 1) {
    const nodeId = inventedAddress(i % 1_000)
    const rewardsOwner = owner(staker)
    const stake = [transferTo(assetId, staker)]
    const validator = { nodeID: nodeId, start: time, end: time + YEAR, weight: AMOUNT }
    return {
      type: 'AddPermissionlessDelegatorTx',
      ...base,
      validator,
      subnetID: NETWORK,
      stake,
      rewardsOwner,
    }
  }
  if (i % SUBNETS === 2) return { type: 'CreateSubnetTx', ...base, owner: owner(staker) }
  if (i % SUBNETS === 3) {
    const what = { subnetID: subnetId, chainName: `chain ${text(i)}`, vmID: Id.hash(NONE), fxIDs: [] }
    const genesisData = new TextEncoder().encode(JSON.stringify({ config: { chainId: 1_000_000 + i } }))
    const subnetAuthorization = { type: 'Input' as const, signatureIndices: [0] }
    return { type: 'CreateChainTx', ...base, ...what, genesisData, subnetAuthorization }
  }
  if (i % VALIDATORS !== 50) return { type: 'BaseTx', ...base }
  return { type: 'IncreaseL1ValidatorBalanceTx', ...base, validationID: validationOf(i), balance: AMOUNT }
}

function owner(address: Uint8Array): UnsignedTx.Of<'CreateSubnetTx'>['owner'] {
  return { type: 'OutputOwners', locktime: 0n, threshold: 1, addresses: [address] }
}

/** State that later transactions need: the stakes that have not ended, and the last created subnet. */
interface Latest {
  readonly staking: Records.Staker[]
  subnetId: Uint8Array
}

const validationOf = (i: number) => Id.hash(new TextEncoder().encode(`validation ${i}`))
/**
 * Maximum number of current stakes in the first half of the ledger. When a new stake exceeds this number, the
 * oldest stake ends. Stakes of the second half never end.
 */
const STAYING = 5

type Effect = (made: Transaction, latest: Latest, height: bigint, isEarly: boolean) => Change.Change[]

/** The effects of each transaction type in addition to moving assets. */
const EFFECTS: { readonly [Type in UnsignedTx.TxType]?: Effect } = {
  AddPermissionlessDelegatorTx({ tx, id: txId }, { staking }, _height, isEarly) {
    const { unsignedTx } = tx
    if (unsignedTx.type !== 'AddPermissionlessDelegatorTx') return []
    const { stake, validator, rewardsOwner } = unsignedTx
    const { nodeID: nodeId, start: startTime, end: endTime, weight } = validator
    const about = { role: 'delegator', priority: 13, stakeIndex: unsignedTx.outputs.length } as const
    const times = { startTime, endTime, weight, potentialReward: AMOUNT / 10n }
    const after = inventedStaker({ txId, nodeId, ...about, ...times, stake, rewardsOwner })
    if (isEarly) staking.push(after)
    const over = staking.length > STAYING ? staking.shift() : undefined
    const ended = over === undefined ? [] : [{ ...STAKER, before: over, after: undefined, txId }]
    return [{ ...STAKER, before: undefined, after, txId }, ...ended]
  },
  CreateSubnetTx({ tx, id: subnetId }, latest, height) {
    if (tx.unsignedTx.type !== 'CreateSubnetTx') return []
    latest.subnetId = subnetId
    const after = inventedSubnet({ subnetId, owner: tx.unsignedTx.owner, height })
    return [{ type: 'subnet', before: undefined, after, txId: subnetId }]
  },
  CreateChainTx({ tx, id: blockchainId }, _latest, height) {
    if (tx.unsignedTx.type !== 'CreateChainTx') return []
    const { subnetID: subnetId, vmID: vmId, chainName: name } = tx.unsignedTx
    const after = {
      blockchainId,
      name,
      subnetId,
      vmId,
      fxIds: [],
      height,
      ordinal: 0,
    }
    return [{ type: 'chain', before: undefined, after, txId: blockchainId }]
  },
  IncreaseL1ValidatorBalanceTx({ tx, id: txId }, { subnetId }, _height, isEarly) {
    if (tx.unsignedTx.type !== 'IncreaseL1ValidatorBalanceTx') return []
    const { validationID: validationId } = tx.unsignedTx
    const nobody = { threshold: 0, addresses: [] }
    const owners = { remainingBalanceOwner: nobody, deactivationOwner: nobody }
    const who = {
      validationId,
      subnetId,
      nodeId: validationId.slice(12),
      publicKey: new Uint8Array(48),
    }
    const balance = { startTime: 0n, weight: 1n, minNonce: 0n, endAccumulatedFee: isEarly ? 0n : AMOUNT }
    const after = { ...who, ...owners, ...balance }
    return [{ type: 'l1Validator', before: undefined, after, txId }]
  },
}

const STAKER = { type: 'staker' } as const

function* avm(
  { genesis: { avaxAssetId: assetId, networkId, xChain } }: Recording,
  first: Records.Tip,
  { avmTransactions = 0, sign, avmOwner = inventedAddress(0), text = String }: InventedLedger,
): Iterable<Accepted> {
  const { blockchainId } = xChain
  let spent: Source
  let tip = first
  for (let i = 0; i < avmTransactions; i++) {
    const [height, time, parentId] = [tip.height + 1n, tip.time + 1n, tip.blockId]
    const input = { type: 'TransferInput' as const, amount: AMOUNT, signatureIndices: [0] }
    const inputs = spent === undefined ? [] : [{ ...spent.utxo, assetID: assetId, input }]
    const outputs = [transferTo(assetId, avmOwner)]
    const memo = new TextEncoder().encode(text(i))
    const unsignedTx = {
      type: 'BaseTx' as const,
      networkID: networkId,
      blockchainID: blockchainId,
      outputs,
      inputs,
      memo,
    }
    const signature = sign?.(AvmTx.encodeUnsigned(unsignedTx)) ?? new Uint8Array(65)
    const tx = {
      unsignedTx,
      credentials: inputs.map(() => ({ type: 'Credential' as const, signatures: [signature] })),
    }
    const bytes = AvmTx.encode(tx)
    const txId = AvmTx.id(bytes)
    const made = outputs.map((output, outputIndex) =>
      record('X', txId, { outputIndex, ...output }, height, outputIndex),
    )
    const what = {
      chain: 'X',
      txId,
      height,
      position: 0,
      name: 'BaseTx',
      bytes,
      status: 'Accepted',
    } as const
    const block = AvmBlock.encode({
      type: 'StandardBlock',
      parentID: parentId,
      height,
      time,
      merkleRoot: Id.EMPTY,
      txs: [tx],
    })
    const after = { ...tip, height, time, blockId: AvmBlock.id(block) }
    const changes: Change.Change[] = [...moves(spent, made, txId), { type: 'transaction', ...what }]
    yield {
      chain: 'X',
      bytes: block,
      parentId,
      changes: [...changes, { ...TIP, before: tip, after }],
    }
    spent = made[0]
    tip = after
  }
}
