import { Bytes, Hex, Id } from '@firn/codec'
import type { PlatformTx, Stakeable, StakerTx } from '@firn/txs'
import { type GenesisConfig, initialSupply, type Staker } from './GenesisConfig.ts'
import { GenesisError } from './GenesisError.ts'
import * as Heap from './internal/heap.ts'
import { type Locked, splitOver } from './internal/shares.ts'
import * as Networks from './Networks.ts'
import * as PlatformGenesis from './PlatformGenesis.ts'
import * as Vm from './Vm.ts'
import * as XChainGenesis from './XChainGenesis.ts'

/** A validator's transaction and its end time, which determines its position in the heap. */
interface Entry {
  readonly tx: PlatformTx.PlatformTx
  readonly end: bigint
}

const U64_MAX = 0xffff_ffff_ffff_ffffn

/**
 * Builds the P-chain's genesis from a configuration. The result has exactly the same bytes as the node's, and
 * is also the network's genesis. The configuration is not validated; see `Validation.assertValid`.
 * @example
 * ```ts
 * import { type GenesisConfig, PlatformBuilder, PlatformGenesis } from '@firn/genesis'
 *
 * declare const config: GenesisConfig.GenesisConfig
 * const genesis = PlatformBuilder.build(config)
 * const bytes = PlatformGenesis.encode(genesis)
 * ```
 * @throws GenesisError `GENESIS_SUPPLY`, `GENESIS_STAKERS`, `GENESIS_VALIDATOR`; CodecError `CODEC_LENGTH` if
 * the message is too long
 */
export function build(config: GenesisConfig): PlatformGenesis.PlatformGenesis {
  const xChain = XChainGenesis.build(config)
  const avaxAssetId = XChainGenesis.avaxAssetId(xChain)
  const supply = initialSupply(config)
  const staked = new Set(config.initialStakedFunds.map(Hex.encodeBare))
  const isStaked: IsStaked = ({ avaxAddr }) => staked.has(Hex.encodeBare(avaxAddr))
  return {
    utxos: utxosOf(config, avaxAssetId, isStaked),
    validators: validatorsOf(config, avaxAssetId, isStaked),
    chains: [
      chain(config, 'X', Vm.AVM, [Vm.SECP256K1_FX, Vm.NFT_FX, Vm.PROPERTY_FX], XChainGenesis.encode(xChain)),
      chain(config, 'C', Vm.EVM, [], new TextEncoder().encode(config.cChainGenesis)),
    ],
    timestamp: config.startTime,
    initialSupply: supply,
    message: config.message,
  }
}

type IsStaked = (allocation: { readonly avaxAddr: Uint8Array }) => boolean

function utxosOf(
  config: GenesisConfig,
  assetId: Uint8Array,
  isStaked: IsStaked,
): PlatformGenesis.GenesisUtxo[] {
  return config.allocations
    .filter((allocation) => !isStaked(allocation))
    .flatMap(({ avaxAddr, ethAddr, unlockSchedule }) =>
      unlockSchedule
        .filter(({ amount }) => amount > 0n)
        .map((unlock) => ({ locked: { ...unlock, avaxAddr }, message: ethAddr })),
    )
    .map(({ locked, message }, outputIndex) => ({
      txID: Id.EMPTY,
      outputIndex,
      assetID: assetId,
      output: outputOf(locked, config.startTime),
      message,
    }))
}

/** Returns the output for a locked amount. A lock that has ended when the chain starts is omitted. */
function outputOf({ amount, locktime, avaxAddr }: Locked, startTime: bigint): Stakeable.Output {
  const output = {
    type: 'TransferOutput' as const,
    amount,
    locktime: 0n,
    threshold: 1,
    addresses: [avaxAddr],
  }
  return locktime > startTime ? { type: 'LockOut', locktime, output } : output
}

function validatorsOf(
  config: GenesisConfig,
  assetId: Uint8Array,
  isStaked: IsStaked,
): PlatformTx.PlatformTx[] {
  const { initialStakers, startTime } = config
  if (initialStakers.length === 0)
    throw new GenesisError('GENESIS_STAKERS', 'expected at least 1 initial staker, got 0')
  const parts = splitOver(config.allocations.filter(isStaked), initialStakers.length)
  const heap: Entry[] = []
  const seen = new Set<string>()
  let end = startTime + config.initialStakeDuration
  initialStakers.forEach((staker, i) => {
    const tx = validatorOf(config, assetId, staker, BigInt.asUintN(64, end), parts[i] ?? [])
    const id = Id.format(PlatformGenesis.transactionId(tx))
    if (!seen.has(id)) {
      seen.add(id)
      Heap.push(heap, { tx, end: BigInt.asUintN(64, end) }, (a, b) => a.end < b.end)
    }
    end -= config.initialStakeDurationOffset
  })
  return heap.map(({ tx }) => tx)
}

function validatorOf(
  config: GenesisConfig,
  assetId: Uint8Array,
  staker: Staker,
  end: bigint,
  locked: readonly Locked[],
): PlatformTx.PlatformTx {
  const { nodeId, delegationFee: shares, signer } = staker
  const start = config.startTime
  const weight = locked.reduce((sum, { amount }) => sum + amount, 0n)
  if (weight === 0n || weight > U64_MAX || end <= start) {
    throw new GenesisError(
      'GENESIS_VALIDATOR',
      `expected a validator with a weight above 0 and an end time after ${start}, got weight ${weight} and end time ${end}`,
      { details: { nodeId, weight, start, end } },
    )
  }
  const common = { ...baseOf(config), validator: { nodeID: nodeId, start, end, weight } }
  const stake = locked.toSorted(compare).map((item) => ({ assetID: assetId, output: outputOf(item, start) }))
  const owner = ownerOf(staker)
  const unsignedTx =
    signer === undefined
      ? { type: 'AddValidatorTx' as const, ...common, stake, rewardsOwner: owner, shares }
      : {
          type: 'AddPermissionlessValidatorTx' as const,
          ...common,
          subnetID: Networks.PRIMARY_NETWORK_ID,
          signer: { type: 'ProofOfPossession' as const, ...signer },
          stake,
          validationRewardsOwner: owner,
          delegationRewardsOwner: owner,
          shares,
        }
  return { unsignedTx, credentials: [] }
}

function ownerOf({ rewardAddress }: Staker): StakerTx.Owner {
  return { type: 'OutputOwners', locktime: 0n, threshold: 1, addresses: [rewardAddress] }
}

function compare(a: Locked, b: Locked): number {
  if (a.locktime !== b.locktime) return a.locktime < b.locktime ? -1 : 1
  if (a.amount !== b.amount) return a.amount < b.amount ? -1 : 1
  return Bytes.compare(a.avaxAddr, b.avaxAddr)
}

function baseOf({ networkId }: GenesisConfig) {
  return { networkID: networkId, blockchainID: Id.EMPTY, outputs: [], inputs: [], memo: new Uint8Array(0) }
}

function chain(
  config: GenesisConfig,
  letter: 'X' | 'C',
  vmId: Uint8Array,
  fxIds: readonly Uint8Array[],
  genesisData: Uint8Array,
): PlatformTx.PlatformTx {
  return {
    unsignedTx: {
      type: 'CreateChainTx',
      ...baseOf(config),
      subnetID: Networks.PRIMARY_NETWORK_ID,
      chainName: Networks.CHAINS[letter].name,
      vmID: vmId,
      fxIDs: fxIds,
      genesisData,
      subnetAuthorization: { type: 'Input', signatureIndices: [] },
    },
    credentials: [],
  }
}
