import type { Json } from '@firn/codec'
import { Gas } from '@firn/txs'
import { GenesisError } from '../GenesisError.ts'
import * as GoJson from '../internal/GoJson.ts'
import * as Upgrades from '../Upgrades.ts'
import * as FeeConfig from './FeeConfig.ts'
import * as Precompile from './Precompile.ts'

/**
 * Ethereum's block-based upgrades that are active from the first block unless the config sets another block.
 */
const INITIAL_BLOCKS = [
  'homesteadBlock',
  'eip150Block',
  'eip155Block',
  'eip158Block',
  'byzantiumBlock',
  'constantinopleBlock',
  'petersburgBlock',
  'istanbulBlock',
  'muirGlacierBlock',
  'berlinBlock',
  'londonBlock',
] as const
const OTHER_INTEGERS = [
  'daoForkBlock',
  'arrowGlacierBlock',
  'grayGlacierBlock',
  'mergeNetsplitBlock',
  'terminalTotalDifficulty',
] as const
/** Block-based upgrades in the order of activation. */
const BLOCK_ORDER = [
  INITIAL_BLOCKS[0],
  'daoForkBlock',
  ...INITIAL_BLOCKS.slice(1),
  'arrowGlacierBlock',
  'grayGlacierBlock',
  'mergeNetsplitBlock',
]
const TIMES = ['shanghaiTime', 'cancunTime', 'pragueTime', 'verkleTime'] as const
const FLAGS = ['daoForkSupport', 'terminalTotalDifficultyPassed'] as const

/**
 * Upgrades of subnet-evm, each with its network upgrade, if any. If the config sets no time or 0, the upgrade
 * takes the time of its network upgrade.
 */
const UPGRADES = [
  ['subnetEVMTimestamp', undefined],
  ['durangoTimestamp', 'durango'],
  ['etnaTimestamp', 'etna'],
  ['fortunaTimestamp', undefined],
  ['graniteTimestamp', 'granite'],
  ['heliconTimestamp', 'helicon'],
] as const

/** Name of an upgrade in a chain's config. */
export type UpgradeName = (typeof UPGRADES)[number][0]

/** The config of a subnet-evm chain, completed with default values. */
export interface SubnetEvmConfig {
  /** EVM chain id; undefined if the config has none. */
  readonly chainId: bigint | undefined
  /** Ethereum's chain parameters by name. */
  readonly ethereum: Readonly<Record<string, bigint | boolean>>
  /** Activation times in Unix seconds; undefined for a disabled upgrade. */
  readonly upgrades: Readonly<Partial<Record<UpgradeName, bigint>>>
  readonly feeConfig: FeeConfig.FeeConfig
  readonly allowFeeRecipients: boolean
  /** Initial minimum time between blocks in milliseconds; 0 for the default. */
  readonly initialMinDelayMS: bigint
  readonly precompiles: readonly Precompile.Precompile[]
}

/** Exponent that gives a delay of two seconds between blocks (ACP-226). */
export const INITIAL_DELAY_EXCESS = 7_970_124n
/** Increment of the exponent that multiplies the delay by e. */
const DELAY_CONVERSION = 1n << 20n
const MAX_DELAY_EXCESS = 46_516_320n

/**
 * Parses the config of a genesis, for a network with the given upgrades.
 * @example
 * ```ts
 * import { SubnetEvmConfig, Upgrades } from '@firn/genesis'
 *
 * const config = SubnetEvmConfig.read({ chainId: 99_999n }, Upgrades.MAINNET)
 * config.feeConfig.gasLimit // 8000000n
 * ```
 * @throws GenesisError `GENESIS_JSON`
 */
export function read(config: GoJson.GoObject, network: Upgrades.Upgrades): SubnetEvmConfig {
  const from = GoJson.members(config, 'config')
  const feeConfig = FeeConfig.read(from.get('feeConfig'), 'config.feeConfig')
  const upgrades = readUpgrades(from, network)
  return {
    chainId: GoJson.integer(from, 'chainId'),
    ethereum: readEthereum(from, upgrades),
    upgrades,
    feeConfig: FeeConfig.isEmpty(feeConfig) ? FeeConfig.DEFAULT : feeConfig,
    allowFeeRecipients: GoJson.flag(from, 'allowFeeRecipients'),
    initialMinDelayMS: GoJson.natural(from, 'initialMinDelayMS') ?? 0n,
    precompiles: Precompile.readAll(config),
  }
}

function readUpgrades(from: GoJson.Members, network: Upgrades.Upgrades): SubnetEvmConfig['upgrades'] {
  const upgrades: Partial<Record<UpgradeName, bigint>> = {}
  for (const [name] of UPGRADES) {
    const time = GoJson.natural(from, name) ?? 0n
    const effective = time === 0n ? defaultOf(name, network) : time
    if (effective !== undefined) upgrades[name] = effective
  }
  return upgrades
}

/**
 * Returns the default time of an upgrade. All upgrades before Durango are active from the start, and Fortuna
 * has no effect on subnet-evm.
 */
function defaultOf(name: UpgradeName, network: Upgrades.Upgrades): bigint | undefined {
  if (name === 'subnetEVMTimestamp') return 0n
  const follows = UPGRADES.find(([known]) => known === name)?.[1]
  return follows === undefined ? undefined : network[follows]
}

function readEthereum(
  from: GoJson.Members,
  { durangoTimestamp, etnaTimestamp }: SubnetEvmConfig['upgrades'],
): Record<string, bigint | boolean> {
  const read: Record<string, bigint | boolean | undefined> = {}
  for (const name of INITIAL_BLOCKS) read[name] = GoJson.integer(from, name) ?? 0n
  for (const name of OTHER_INTEGERS) read[name] = GoJson.integer(from, name)
  for (const name of TIMES) read[name] = GoJson.natural(from, name)
  for (const name of FLAGS) read[name] = GoJson.flag(from, name) || undefined
  if (durangoTimestamp !== undefined && durangoTimestamp < Upgrades.UNSCHEDULED) {
    read['shanghaiTime'] = durangoTimestamp
  }
  if (etnaTimestamp !== undefined && etnaTimestamp < Upgrades.UNSCHEDULED) read['cancunTime'] = etnaTimestamp
  const present = Object.entries(read).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Record<string, bigint | boolean>
}

/**
 * Returns the config as the JSON that a node stores and serves, with members in alphabetical order.
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 * import { SubnetEvmConfig, Upgrades } from '@firn/genesis'
 *
 * const config = SubnetEvmConfig.read({ chainId: 99_999n }, Upgrades.MAINNET)
 * Json.stringify(SubnetEvmConfig.toJSON(config)) // the config with all defaults
 * ```
 */
export function toJSON(config: SubnetEvmConfig): Json.Json {
  const { chainId, ethereum, upgrades, feeConfig, allowFeeRecipients, initialMinDelayMS, precompiles } =
    config
  const json: Record<string, Json.Json> = {
    chainId: chainId ?? null,
    ...ethereum,
    ...upgrades,
    feeConfig: FeeConfig.toJSON(feeConfig),
    ...(allowFeeRecipients ? { allowFeeRecipients } : {}),
    ...(initialMinDelayMS === 0n ? {} : { initialMinDelayMS }),
    ...Object.fromEntries(precompiles.map((item) => [item.key, Precompile.toJSON(item)])),
  }
  return Object.fromEntries(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Returns whether an upgrade is active at `time` (Unix seconds).
 * @example
 * ```ts
 * import { SubnetEvmConfig, Upgrades } from '@firn/genesis'
 *
 * const config = SubnetEvmConfig.read({ chainId: 99_999n }, Upgrades.MAINNET)
 * SubnetEvmConfig.isActive(config, 'etnaTimestamp', 1_734_368_400n) // true
 * ```
 */
export function isActive({ upgrades }: SubnetEvmConfig, name: UpgradeName, time: bigint): boolean {
  const start = upgrades[name]
  return start !== undefined && start <= time
}

/**
 * Validates a config as a node does on a network with the given upgrades.
 * @example
 * ```ts
 * import { SubnetEvmConfig, Upgrades } from '@firn/genesis'
 *
 * const config = SubnetEvmConfig.read({ chainId: 99_999n }, Upgrades.MAINNET)
 * SubnetEvmConfig.assertValid(config, Upgrades.MAINNET)
 * ```
 * @throws GenesisError `GENESIS_EVM_FEES`, `GENESIS_EVM_PRECOMPILE`, `GENESIS_EVM_UPGRADES`,
 * `GENESIS_EVM_CONFIG`
 */
export function assertValid(config: SubnetEvmConfig, network: Upgrades.Upgrades): void {
  FeeConfig.assertValid(config.feeConfig)
  for (const precompile of config.precompiles) {
    Precompile.assertValid(precompile, (time) => isActive(config, 'durangoTimestamp', time))
  }
  for (const [name] of UPGRADES) {
    const [time, earliest] = [config.upgrades[name], defaultOf(name, network)]
    if (time === undefined || earliest === undefined || time >= earliest) continue
    const message = `${name}: expected at least ${earliest} (the time of the upgrade on the network), got ${time}`
    throw new GenesisError('GENESIS_EVM_UPGRADES', message, { details: { name, earliest, time } })
  }
  for (const names of [UPGRADES.map(([name]) => name), BLOCK_ORDER, TIMES]) assertOrder(config, names)
  const slowest = delayOf(INITIAL_DELAY_EXCESS)
  if (config.initialMinDelayMS > slowest) {
    throw new GenesisError(
      'GENESIS_EVM_CONFIG',
      `initialMinDelayMS: expected at most ${slowest}, got ${config.initialMinDelayMS}`,
      { details: { maximum: slowest, value: config.initialMinDelayMS } },
    )
  }
}

/**
 * Checks that no upgrade is scheduled before an earlier upgrade, by block or by time. Ignores disabled
 * upgrades.
 */
function assertOrder({ ethereum, upgrades }: SubnetEvmConfig, names: readonly string[]): void {
  const all: Readonly<Record<string, bigint | boolean>> = { ...ethereum, ...upgrades }
  const present = names.filter((name) => all[name] !== undefined)
  const index = present.findIndex(
    (name, i) => i > 0 && BigInt(all[present[i - 1] as string] ?? 0) > BigInt(all[name] ?? 0),
  )
  if (index < 0) return
  const [before, name] = [present[index - 1], present[index]]
  throw new GenesisError('GENESIS_EVM_UPGRADES', `${name} must not activate before ${before}`, {
    details: { name, before },
  })
}

/**
 * Returns the chain's initial delay exponent, which is the smallest exponent whose delay is at least
 * `initialMinDelayMS`.
 * @example
 * ```ts
 * import { SubnetEvmConfig, Upgrades } from '@firn/genesis'
 *
 * const config = SubnetEvmConfig.read({ chainId: 99_999n, initialMinDelayMS: 500n }, Upgrades.MAINNET)
 * SubnetEvmConfig.initialDelayExcess(config) // 6516490n
 * ```
 */
export function initialDelayExcess({ initialMinDelayMS }: SubnetEvmConfig): bigint {
  if (initialMinDelayMS === 0n) return INITIAL_DELAY_EXCESS
  let [low, high] = [0n, MAX_DELAY_EXCESS]
  while (low < high) {
    const middle = (low + high) / 2n
    if (delayOf(middle) >= initialMinDelayMS) high = middle
    else low = middle + 1n
  }
  return low
}

function delayOf(excess: bigint): bigint {
  return Gas.price({ minPrice: 1n, excess, excessConversionConstant: DELAY_CONVERSION })
}
