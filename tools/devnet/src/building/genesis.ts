import { Json } from '@firn/codec'
import { Genesis, GenesisConfig, Networks } from '@firn/genesis'
import { Amount } from '@firn/txs'
import { DevnetError } from '../DevnetError.ts'
import type { NetworkRules } from '../recorded/RecordedNetwork.ts'

/** A validator in the genesis of a devnet. */
export interface GenesisValidator {
  /** 20 bytes. */
  readonly nodeId: Uint8Array
  /** Compressed BLS key, 48 bytes. */
  readonly publicKey: Uint8Array
  /** 96 bytes. */
  readonly proofOfPossession: Uint8Array
}

/** Genesis and rules of a devnet, and its genesis file (JSON). */
export interface DevnetGenesis {
  readonly rules: NetworkRules
  readonly genesisFile: string
}

/** Options of {@link create}. */
export interface DevnetGenesisOptions {
  /** Genesis of the local network, from which the allocations are taken. */
  readonly local: GenesisConfig.GenesisConfig
  readonly networkId: number
  readonly validators: readonly GenesisValidator[]
  /** Unix seconds. */
  readonly startTime: bigint
  /** Length of an epoch in milliseconds; defaults to the network's. */
  readonly epochDurationMs?: number | undefined
  /** Time of the upgrade Helicon in Unix seconds; defaults to the network's. */
  readonly heliconTime?: bigint | undefined
}

/** Share of the delegators' rewards that validators keep, in millionths. */
const DELEGATION_FEE = 20_000

/**
 * Creates the genesis of a network with the allocations of the local network, whose keys are public, and with other
 * validators.
 * @throws DevnetError `DEVNET_OPTIONS` for Mainnet and Fuji, whose genesis is fixed
 */
export function create(options: DevnetGenesisOptions): DevnetGenesis {
  const { local, networkId, validators, startTime, epochDurationMs, heliconTime } = options
  if (networkId === Networks.MAINNET.networkId || networkId === Networks.FUJI.networkId)
    throw new DevnetError('DEVNET_OPTIONS', `the genesis of network ${networkId} cannot be replaced`)
  const { rewardAddress } = local.initialStakers[0] as GenesisConfig.Staker
  const config: GenesisConfig.GenesisConfig = {
    ...local,
    networkId,
    startTime,
    initialStakeDurationOffset: 0n,
    initialStakers: validators.map(({ nodeId, ...signer }) => ({
      nodeId,
      rewardAddress,
      delegationFee: DELEGATION_FEE,
      signer,
    })),
  }
  const standard = Networks.of(networkId)
  const upgrades = {
    ...standard.upgrades,
    ...(epochDurationMs === undefined ? {} : { graniteEpochDuration: BigInt(epochDurationMs) * 1_000_000n }),
    ...(heliconTime === undefined ? {} : { helicon: heliconTime }),
  }
  const genesis = Genesis.build(config)
  return {
    rules: { genesis, constants: { ...standard, upgrades, staking: stakingOf(genesis, standard.staking) } },
    genesisFile: Json.stringify(GenesisConfig.toJSON(config)),
  }
}

/** Times of its own weight that a validator may have with its delegations. */
const MAX_WEIGHT_FACTOR = 5n

/**
 * Returns the staking rules of the local network. Few validators share all of the genesis' stake, so the
 * largest stake is raised until they can be delegated to.
 */
function stakingOf({ platform }: Genesis.Genesis, staking: Networks.Staking): Networks.Staking {
  const weights = platform.validators.map(({ unsignedTx }) =>
    unsignedTx.type === 'AddPermissionlessValidatorTx' || unsignedTx.type === 'AddValidatorTx'
      ? unsignedTx.validator.weight
      : 0n,
  )
  const most = weights.map((weight) => weight * MAX_WEIGHT_FACTOR)
  const maxValidatorStake = [staking.maxValidatorStake, ...most].toSorted(Amount.compare).at(-1) as bigint
  return { ...staking, maxValidatorStake }
}
