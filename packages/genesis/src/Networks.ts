import { type ChainAlias, Id, Network } from '@firn/codec'
import type { Gas, ValidatorFee } from '@firn/txs'
import type * as Rewards from './Rewards.ts'
import * as Upgrades from './Upgrades.ts'

/** Ids derived from a network's genesis, 32 bytes each. */
export interface Ids {
  readonly xChainId: Uint8Array
  readonly cChainId: Uint8Array
  readonly avaxAssetId: Uint8Array
  /**
   * SHA-256 of the genesis bytes; undefined if the start time, and therefore the genesis, depends on the
   * current time.
   */
  readonly genesisId: Uint8Array | undefined
}

/**
 * Staking rules of the Primary Network. Amounts are in nAVAX, and durations are in seconds. Nodes of networks other than
 * Mainnet and Fuji can be configured, so amounts, fees and durations are only checked before a transaction is issued.
 */
export interface Staking {
  readonly minValidatorStake: bigint
  readonly maxValidatorStake: bigint
  readonly minDelegatorStake: bigint
  /** Minimum delegation fee in millionths. */
  readonly minDelegationFee: number
  readonly minStakeDuration: bigint
  readonly maxStakeDuration: bigint
  /** Minimum stake duration since Helicon. */
  readonly heliconMinStakeDuration: bigint
  /** Fraction of the staking period in which a validator must be online to be rewarded, before Helicon. */
  readonly uptimeRequirement: number
  /** Fraction of the staking period in which a validator must be online to be rewarded, since Helicon. */
  readonly heliconUptimeRequirement: number
}

/** The fixed parameters of a network. */
export interface Constants {
  readonly networkId: number
  /** Name such as `mainnet` or `network-76`. */
  readonly name: string
  /** Human-readable part of addresses. */
  readonly hrp: string
  /** EVM chain id of the C-chain; undefined if the genesis determines it. */
  readonly evmChainId: bigint | undefined
  /** Known ids of the network; undefined if the genesis determines them. */
  readonly ids: Ids | undefined
  readonly upgrades: Upgrades.Upgrades
  /** Transaction fee of the X-chain, and of the P-chain before Etna, in nAVAX. */
  readonly txFee: bigint
  readonly createAssetTxFee: bigint
  readonly dynamicFee: Gas.Config
  readonly validatorFee: ValidatorFee.Config
  readonly staking: Staking
  readonly reward: Rewards.Config
}

const AVAX = 1_000_000_000n
const HOUR = 3600n
const DAY = 24n * HOUR

const dynamicFee: Gas.Config = {
  weights: { bandwidth: 1n, dbRead: 1000n, dbWrite: 1000n, compute: 4n },
  maxCapacity: 1_000_000n,
  maxPerSecond: 100_000n,
  targetPerSecond: 50_000n,
  minPrice: 1n,
  excessConversionConstant: 2_164_043n,
}

const reward: Rewards.Config = {
  maxConsumptionRate: 120_000n,
  minConsumptionRate: 100_000n,
  mintingPeriod: 365n * DAY * 1_000_000_000n,
  supplyCap: 720_000_000n * AVAX,
}

const staking: Staking = {
  minValidatorStake: 2000n * AVAX,
  maxValidatorStake: 3_000_000n * AVAX,
  minDelegatorStake: 25n * AVAX,
  minDelegationFee: 20_000,
  minStakeDuration: DAY,
  maxStakeDuration: 365n * DAY,
  heliconMinStakeDuration: HOUR,
  uptimeRequirement: 0.8,
  heliconUptimeRequirement: 0.9,
}

const validatorFee = { capacity: 20_000n, target: 10_000n }

/** Parameters of Mainnet. Source: avalanchego `genesis/params` at commit 1cf1fc3d17. */
export const MAINNET: Constants = {
  ...names(Network.MAINNET),
  evmChainId: 43_114n,
  ids: {
    xChainId: Id.parse('2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM'),
    cChainId: Id.parse('2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'),
    avaxAssetId: Id.parse('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z'),
    genesisId: Id.parse('UUvXi6j7QhVvgpbKM89MP5HdrxKm9CaJeHc187TsDNf8nZdLk'),
  },
  upgrades: Upgrades.MAINNET,
  txFee: 1_000_000n,
  createAssetTxFee: 10_000_000n,
  dynamicFee,
  validatorFee: { ...validatorFee, minPrice: 512n, excessConversionConstant: 1_246_488_515n },
  staking: { ...staking, minStakeDuration: 14n * DAY, heliconMinStakeDuration: 48n * HOUR },
  reward,
}

/** Parameters of Fuji, the public test network. */
export const FUJI: Constants = {
  ...names(Network.FUJI),
  evmChainId: 43_113n,
  ids: {
    xChainId: Id.parse('2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm'),
    cChainId: Id.parse('yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp'),
    avaxAssetId: Id.parse('U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK'),
    genesisId: Id.parse('MSj6o9TpezwsQx4Tv7SHqpVvCbJ8of1ikjsqPZ1bKRjc9zBy3'),
  },
  upgrades: Upgrades.FUJI,
  txFee: 1_000_000n,
  createAssetTxFee: 10_000_000n,
  dynamicFee,
  validatorFee: { ...validatorFee, minPrice: 512n, excessConversionConstant: 51_937_021n },
  staking: {
    ...staking,
    minValidatorStake: AVAX,
    minDelegatorStake: AVAX,
    heliconMinStakeDuration: 12n * HOUR,
  },
  reward,
}

/**
 * Parameters of the local network, whose nodes run on one machine for tests. The network starts a multiple of {@link
 * LOCAL_PERIOD} after the start time in its genesis file.
 */
export const LOCAL: Constants = {
  ...names(Network.LOCAL),
  evmChainId: 43_112n,
  ids: {
    xChainId: Id.parse('2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed'),
    cChainId: Id.parse('2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC'),
    avaxAssetId: Id.parse('2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe'),
    genesisId: undefined,
  },
  upgrades: Upgrades.DEFAULT,
  txFee: 1_000_000n,
  createAssetTxFee: 1_000_000n,
  dynamicFee,
  validatorFee: { ...validatorFee, minPrice: 1n, excessConversionConstant: 865_617n },
  staking,
  reward,
}

/** Period in seconds by which the start time of the local network advances: 270 days. */
export const LOCAL_PERIOD = 270n * DAY

/** The networks whose genesis cannot be replaced. */
export const STANDARD: readonly Constants[] = [MAINNET, FUJI, LOCAL]

/**
 * Returns the parameters of a custom network. They equal the parameters of the local network except for the network id, the
 * name and the address prefix. `ids` and `evmChainId` are undefined, because the genesis determines them.
 * @example
 * ```ts
 * import { Networks } from '@firn/genesis'
 *
 * Networks.custom(1337).name // 'network-1337'
 * ```
 */
export function custom(networkId: number): Constants {
  return { ...LOCAL, ...names(networkId), evmChainId: undefined, ids: undefined }
}

/**
 * Returns the parameters of a standard or custom network.
 * @example
 * ```ts
 * import { Networks } from '@firn/genesis'
 *
 * Networks.of(1).hrp // 'avax'
 * Networks.of(1337).ids // undefined
 * ```
 */
export function of(networkId: number): Constants {
  return STANDARD.find((constants) => constants.networkId === networkId) ?? custom(networkId)
}

/**
 * The chains of the Primary Network by alias, with their names and all aliases that nodes use. The first
 * alias is the prefix of addresses.
 */
export const CHAINS = {
  P: { name: 'P-Chain', aliases: ['P', 'platform'] },
  X: { name: 'X-Chain', aliases: ['X', 'avm'] },
  C: { name: 'C-Chain', aliases: ['C', 'evm'] },
} as const satisfies Readonly<Record<ChainAlias, object>>

/** Id of the P-chain and of the Primary Network, 32 zero bytes. */
export const PRIMARY_NETWORK_ID: Uint8Array = Id.EMPTY

/**
 * Returns the paths under `/ext/` at which a node serves a chain of the Primary Network.
 * @example
 * ```ts
 * import { Networks } from '@firn/genesis'
 *
 * Networks.apiAliases('C') // ['C', 'evm', 'bc/C', 'bc/evm']
 * ```
 */
export function apiAliases(chain: ChainAlias): string[] {
  const { aliases } = CHAINS[chain]
  return [...aliases, ...aliases.map((alias) => `bc/${alias}`)]
}

function names(networkId: number): Pick<Constants, 'networkId' | 'name' | 'hrp'> {
  return { networkId, name: Network.formatName(networkId), hrp: Network.hrp(networkId) }
}
