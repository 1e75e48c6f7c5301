import { Id } from '@firn/codec'
import { type Change, LedgerState, type Records } from '@firn/ledger'
import { AvmBlock, AvmTx, PlatformBlock, PlatformTx, type UnsignedTx, UtxoId } from '@firn/txs'
import type { Accepted } from '../Accepted.ts'
import { inventedStaker, inventedSubnet } from './invented.ts'
import type { Recording } from './recordings.ts'

/** How large a ledger is to be, and who is to be found in it. */
export interface InventedLedger {
  /** P-chain transactions. */
  readonly transactions: number
  /** X-chain transactions, one a block; none if not given. Each has one signature, by `sign`, and an output of the owner's. */
  readonly avmTransactions?: number
  readonly avmOwner?: Uint8Array
  readonly sign?: (unsigned: Uint8Array) => Uint8Array
  /** Owners of an output of every so-many-th transaction of the P-chain. */
  readonly owners: readonly { readonly address: Uint8Array; readonly every: number }[]
}

const TRANSACTIONS_A_BLOCK = 4
/** Chains of transactions of which each spends what the one before made. */
const LANES = 40
const AMOUNT = 1_000_000_000n
const NONE = new Uint8Array()
const NETWORK = Id.EMPTY
/** Of so many transactions one adds a staker, a subnet and its blockchain, or an L1 validator; the second half's stay. */
const [STAKERS, SUBNETS, VALIDATORS] = [200, 500, 100]
const YEAR = 31_536_000n

/** An output that the next transaction of a lane spends. */
type Source = Records.Utxo | undefined

type Transaction = { readonly tx: PlatformTx.PlatformTx; readonly id: Uint8Array; readonly bytes: Uint8Array }

/**
 * Blocks of the P-chain and then of the X-chain that no ledger made but that read as if: their transactions spend each other's
 * outputs, stake, create subnets with blockchains, and pay for L1 validators. For tests and benches only.
 */
export function* inventedLedger(
  recording: Recording,
  state: LedgerState.LedgerState,
  wanted: InventedLedger,
): Iterable<Accepted> {
  yield* platform(recording, LedgerState.tip(state, 'P'), wanted)
  yield* avm(recording, LedgerState.tip(state, 'X'), wanted)
}

function* platform(recording: Recording, first: Records.Tip, wanted: InventedLedger): Iterable<Accepted> {
  const lanes: Source[] = Array.from({ length: LANES })
  const latest: Latest = { staking: [], subnetID: NETWORK }
  let tip = first
  for (let made = 0; made < wanted.transactions; made += TRANSACTIONS_A_BLOCK) {
    const [height, time] = [tip.height + 1n, tip.time + 1n]
    const txs: Transaction[] = []
    const changes: Change.Change[] = []
    let ordinal = 0
    for (let i = made; i < Math.min(made + TRANSACTIONS_A_BLOCK, wanted.transactions); i++) {
      const spent = lanes[i % LANES]
      const one = transaction(recording, i, spent, time, wanted, latest)
      const utxos = PlatformTx.utxos(one.tx, one.id).map((utxo) =>
        record('P', one.id, utxo, height, ordinal++),
      )
      lanes[i % LANES] = utxos[0]
      changes.push(...moves(spent, utxos, one.id))
      changes.push(
        ...(EFFECTS[one.tx.unsignedTx.type]?.(one, latest, height, i < wanted.transactions / 2) ?? []),
      )
      const { type: name } = one.tx.unsignedTx
      const place = { chain: 'P', height, position: txs.length, status: 'Committed' } as const
      changes.push({ type: 'transaction', txID: one.id, name, bytes: one.bytes, ...place })
      txs.push(one)
    }
    const [parentID, all] = [tip.blockID, txs.map(({ tx }) => tx)]
    const bytes = PlatformBlock.encode({ type: 'BanffStandardBlock', time, parentID, height, txs: all })
    const after = { ...tip, height, time, blockID: PlatformBlock.id(bytes) }
    yield { chain: 'P', bytes, parentID, changes: [...changes, { ...TIP, before: tip, after }] }
    tip = after
  }
}

const TIP = { type: 'tip', txID: undefined } as const

function record(
  chain: 'P' | 'X',
  txID: Uint8Array,
  {
    outputIndex,
    assetID,
    output,
  }: { readonly outputIndex: number; readonly assetID: Uint8Array; readonly output: Records.Output },
  height: bigint,
  ordinal: number,
): Records.Utxo {
  const utxo = { txID, outputIndex, assetID, output }
  const made = { origin: 'output', rewardTxID: undefined, height, ordinal } as const
  return { id: UtxoId.inputId(utxo), chain, source: chain, utxo, ...made }
}

function moves(spent: Source, made: readonly Records.Utxo[], txID: Uint8Array): Change.Change[] {
  const gone = spent === undefined ? [] : [{ type: 'utxo', before: spent, after: undefined, txID } as const]
  return [...gone, ...made.map((after) => ({ type: 'utxo', before: undefined, after, txID }) as const)]
}

/** Somebody's 20 bytes. */
export function inventedAddress(i: number): Uint8Array {
  return Id.hash(new TextEncoder().encode(`owner ${i}`)).slice(0, 20)
}

function transferTo(assetID: Uint8Array, address: Uint8Array) {
  const owner = { locktime: 0n, threshold: 1, addresses: [address] }
  return { assetID, output: { type: 'TransferOutput', amount: AMOUNT, ...owner } as const }
}

function transaction(
  { genesis: { avaxAssetID: assetID, networkID } }: Recording,
  i: number,
  spent: Source,
  time: bigint,
  { owners }: InventedLedger,
  latest: Latest,
): Transaction {
  const marked = owners.filter(({ every }) => i % every === every - 1).map(({ address }) => address)
  const outputs = [inventedAddress(i % 50_000), ...marked].map((address) => transferTo(assetID, address))
  const input = { type: 'TransferInput' as const, amount: AMOUNT, signatureIndices: [0] }
  const inputs = spent === undefined ? [] : [{ ...spent.utxo, assetID, input }]
  const base = { networkID, blockchainID: NETWORK, outputs, inputs, memo: new TextEncoder().encode(`${i}`) }
  const credentials = inputs.map(() => ({ type: 'Credential' as const, signatures: [new Uint8Array(65)] }))
  const tx: PlatformTx.PlatformTx = {
    unsignedTx: unsigned(base, assetID, i, time, marked, latest),
    credentials,
  }
  const bytes = PlatformTx.encode(tx)
  return { tx, id: PlatformTx.id(bytes), bytes }
}

function unsigned(
  base: Omit<UnsignedTx.Of<'BaseTx'>, 'type'>,
  assetID: Uint8Array,
  i: number,
  time: bigint,
  [staker = inventedAddress(i % 50_000)]: readonly Uint8Array[],
  { subnetID }: Latest,
): UnsignedTx.UnsignedTx {
  if (i % STAKERS === STAKERS - 1) {
    const nodeID = inventedAddress(i % 1_000)
    const rewardsOwner = owner(staker)
    const stake = [transferTo(assetID, staker)]
    const validator = { nodeID, start: time, end: time + YEAR, weight: AMOUNT }
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
    const what = { subnetID, chainName: `chain ${i}`, vmID: Id.hash(NONE), fxIDs: [] }
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

/** What later transactions go on from: the stakes that are still to end, and the subnet that was created last. */
interface Latest {
  readonly staking: Records.Staker[]
  subnetID: Uint8Array
}

const validationOf = (i: number) => Id.hash(new TextEncoder().encode(`validation ${i}`))
/** Stakes of the first half end when so many more have come. */
const STAYING = 5

type Effect = (made: Transaction, latest: Latest, height: bigint, isEarly: boolean) => Change.Change[]

/** What transactions do beside moving assets. */
const EFFECTS: { readonly [Type in UnsignedTx.TxType]?: Effect } = {
  AddPermissionlessDelegatorTx({ tx, id: txID }, { staking }, _height, isEarly) {
    const { unsignedTx } = tx
    if (unsignedTx.type !== 'AddPermissionlessDelegatorTx') return []
    const { stake, validator, rewardsOwner } = unsignedTx
    const { nodeID, start: startTime, end: endTime, weight } = validator
    const about = { role: 'delegator', priority: 13, stakeIndex: unsignedTx.outputs.length } as const
    const times = { startTime, endTime, weight, potentialReward: AMOUNT / 10n }
    const after = inventedStaker({ txID, nodeID, ...about, ...times, stake, rewardsOwner })
    if (isEarly) staking.push(after)
    const over = staking.length > STAYING ? staking.shift() : undefined
    const ended = over === undefined ? [] : [{ ...STAKER, before: over, after: undefined, txID }]
    return [{ ...STAKER, before: undefined, after, txID }, ...ended]
  },
  CreateSubnetTx({ tx, id: subnetID }, latest, height) {
    if (tx.unsignedTx.type !== 'CreateSubnetTx') return []
    latest.subnetID = subnetID
    const after = inventedSubnet({ subnetID, owner: tx.unsignedTx.owner, height })
    return [{ type: 'subnet', before: undefined, after, txID: subnetID }]
  },
  CreateChainTx({ tx, id: blockchainID }, _latest, height) {
    if (tx.unsignedTx.type !== 'CreateChainTx') return []
    const { subnetID, vmID, chainName: name } = tx.unsignedTx
    const after = { blockchainID, name, subnetID, vmID, fxIDs: [], height, ordinal: 0 }
    return [{ type: 'chain', before: undefined, after, txID: blockchainID }]
  },
  IncreaseL1ValidatorBalanceTx({ tx, id: txID }, { subnetID }, _height, isEarly) {
    if (tx.unsignedTx.type !== 'IncreaseL1ValidatorBalanceTx') return []
    const { validationID } = tx.unsignedTx
    const nobody = { threshold: 0, addresses: [] }
    const owners = { remainingBalanceOwner: nobody, deactivationOwner: nobody }
    const who = { validationID, subnetID, nodeID: validationID.slice(12), publicKey: new Uint8Array(48) }
    const balance = { startTime: 0n, weight: 1n, minNonce: 0n, endAccumulatedFee: isEarly ? 0n : AMOUNT }
    const after = { ...who, ...owners, ...balance }
    return [{ type: 'l1Validator', before: undefined, after, txID }]
  },
}

const STAKER = { type: 'staker' } as const

function* avm(
  { genesis: { avaxAssetID: assetID, networkID, xChain } }: Recording,
  first: Records.Tip,
  { avmTransactions = 0, sign, avmOwner = inventedAddress(0) }: InventedLedger,
): Iterable<Accepted> {
  const { blockchainID } = xChain
  let spent: Source
  let tip = first
  for (let i = 0; i < avmTransactions; i++) {
    const [height, time, parentID] = [tip.height + 1n, tip.time + 1n, tip.blockID]
    const input = { type: 'TransferInput' as const, amount: AMOUNT, signatureIndices: [0] }
    const inputs = spent === undefined ? [] : [{ ...spent.utxo, assetID, input }]
    const outputs = [transferTo(assetID, avmOwner)]
    const memo = new TextEncoder().encode(`${i}`)
    const unsignedTx = { type: 'BaseTx' as const, networkID, blockchainID, outputs, inputs, memo }
    const signature = sign?.(AvmTx.encodeUnsigned(unsignedTx)) ?? new Uint8Array(65)
    const tx = {
      unsignedTx,
      credentials: inputs.map(() => ({ type: 'Credential' as const, signatures: [signature] })),
    }
    const bytes = AvmTx.encode(tx)
    const txID = AvmTx.id(bytes)
    const made = outputs.map((output, outputIndex) =>
      record('X', txID, { outputIndex, ...output }, height, outputIndex),
    )
    const what = { chain: 'X', txID, height, position: 0, name: 'BaseTx', bytes, status: 'Accepted' } as const
    const block = AvmBlock.encode({
      type: 'StandardBlock',
      parentID,
      height,
      time,
      merkleRoot: Id.EMPTY,
      txs: [tx],
    })
    const after = { ...tip, height, time, blockID: AvmBlock.id(block) }
    const changes: Change.Change[] = [...moves(spent, made, txID), { type: 'transaction', ...what }]
    yield { chain: 'X', bytes: block, parentID, changes: [...changes, { ...TIP, before: tip, after }] }
    spent = made[0]
    tip = after
  }
}
