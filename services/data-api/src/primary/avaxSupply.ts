import { Bytes, CHAIN_ALIASES } from '@firn/codec'
import { EvmMetrics, type EvmStore } from '@firn/evm-store'
import { Networks, type PlatformGenesis } from '@firn/genesis'
import { Derivation, type Snapshot, Stakers, Supplies } from '@firn/store'
import { type Stakeable, UnsignedTx } from '@firn/txs'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import type { ReadFees } from './l1Fees.ts'
import type { DataContext } from './network/Context.ts'

/** Number of wei of an nAVAX. The C-chain counts AVAX in wei. */
const WEI = 1_000_000_000n

/** Amounts that make up the supply of AVAX, in wei. */
export interface AvaxSupply {
  /** What the genesis created on the P- and X-chain, and the part of it that is no longer locked. */
  readonly genesis: bigint
  readonly genesisUnlock: bigint
  /** Rewards that were paid out, or added to the stake of auto-renewed validators. */
  readonly rewards: bigint
  readonly burned: {
    /** Inputs minus outputs of transactions of the P-chain, without payments to balances of L1 validators. */
    readonly platformFees: bigint
    /** What L1 validators were charged. */
    readonly l1ValidatorFees: bigint
    readonly avmFees: bigint
    /** Fees of atomic transactions of the C-chain. */
    readonly atomicFees: bigint
    /** Fees of EVM transactions of the C-chain; undefined if its EVM blocks are not indexed from the first one on. */
    readonly evmFees: bigint | undefined
  }
  readonly staked: bigint
  readonly locked: bigint
}

/** The EVM chains that the service indexes, as far as this calculation needs them. */
export type EvmSources = readonly {
  readonly store: EvmStore
  readonly chain: { readonly blockchainId?: Uint8Array | undefined; readonly firstHeight: bigint }
}[]

/**
 * Returns the amounts that make up the supply after the newest blocks, and these blocks.
 * @throws DataApiError `DATA_UNAVAILABLE` while burned amounts of stored blocks are derived
 */
export async function avaxSupply(
  { store, genesis }: DataContext,
  evm: EvmSources,
  readFees: ReadFees,
): Promise<{ readonly at: Snapshot; readonly supply: AvaxSupply }> {
  for (const chain of CHAIN_ALIASES) await assertDerived(store, chain)
  const all = { validationId: undefined, nodeId: undefined, subnetId: undefined }
  // These amounts have no versions, so everything else is read at their blocks.
  const newest = await Supplies.newest(store, genesis.avaxAssetId)
  if (newest === undefined)
    throw new DataApiError('DATA_UNAVAILABLE', 'no network is stored yet; try again later')
  const { at, burned, locked } = newest
  const [supply = 0n, totals, fees, evmFees] = await Promise.all([
    Supplies.bySubnet(store, at, Networks.PRIMARY_NETWORK_ID),
    Stakers.totals(store, at, Networks.PRIMARY_NETWORK_ID),
    readFees(at, all),
    burnedByEvm(evm, genesis.cChain.blockchainId),
  ])
  const { initialSupply } = genesis.platform
  const feeOf = (name: string) => WEI * (burned.find(({ chain }) => chain === name)?.fee ?? 0n)
  const own = totals.validators.reduce((sum, { weight }) => sum + weight, 0n)
  const amounts = {
    genesis: WEI * initialSupply,
    genesisUnlock: WEI * (initialSupply - lockedIn(genesis.platform, at.P.time)),
    // The supply of the ledger includes what current stakers will be paid if they are rewarded.
    rewards: WEI * (supply - initialSupply - totals.potentialReward - totals.delegateeReward),
    burned: {
      platformFees: feeOf('P'),
      l1ValidatorFees: WEI * fees.reduce((sum, { fees: paid }) => sum + paid, 0n),
      avmFees: feeOf('X'),
      atomicFees: feeOf('C'),
      evmFees,
    },
    staked: WEI * (own + totals.delegatedWeight),
    locked: WEI * (locked + totals.lockedStake),
  }
  return { at, supply: amounts }
}

async function assertDerived(store: DataContext['store'], chain: 'P' | 'X' | 'C'): Promise<void> {
  const height = await Derivation.completeFrom(store, 'burned', chain)
  if (height === 0n) return
  const message = `the burned amounts of ${chain}-chain blocks before ${height} are still being derived by the indexer; try again later`
  throw new DataApiError('DATA_UNAVAILABLE', message)
}

/** Returns what the genesis still locks at a time (Unix seconds), in nAVAX. */
function lockedIn({ utxos, validators }: PlatformGenesis.PlatformGenesis, time: bigint): bigint {
  const outputs: Stakeable.Output[] = [
    ...utxos.map(({ output }) => output),
    ...validators.flatMap(({ unsignedTx }) => UnsignedTx.stake(unsignedTx).map(({ output }) => output)),
  ]
  return outputs.reduce(
    (sum, output) => (output.type === 'LockOut' && output.locktime > time ? sum + output.output.amount : sum),
    0n,
  )
}

async function burnedByEvm(evm: EvmSources, cChainId: Uint8Array): Promise<bigint | undefined> {
  const source = evm.find(
    ({ chain: { blockchainId, firstHeight } }) =>
      blockchainId !== undefined && Bytes.equals(blockchainId, cChainId) && firstHeight <= 1n,
  )
  if (source === undefined) return undefined
  const [row] = await EvmMetrics.rollups(source.store, 'all', { from: 0n, to: 0n }, ['fees'])
  return row?.fees ?? 0n
}
