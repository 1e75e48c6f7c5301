import { Hex, type Json } from '@firn/codec'
import { GenesisError } from '../GenesisError.ts'
import * as Values from '../internal/evmValues.ts'
import * as GoJson from '../internal/GoJson.ts'
import * as FeeConfig from './FeeConfig.ts'

/** Addresses (20 bytes each) by their role for a precompile. */
export interface AllowList {
  readonly adminAddresses: readonly Uint8Array[]
  readonly managerAddresses: readonly Uint8Array[]
  readonly enabledAddresses: readonly Uint8Array[]
}

/** Configuration of a precompile in the genesis of a subnet-evm chain. */
export interface Precompile {
  readonly key: Key
  /** Activation time in Unix seconds; undefined if the precompile is disabled. */
  readonly blockTimestamp: bigint | undefined
  readonly disable: boolean
  readonly allowList: AllowList
  /**
   * Native minter: addresses, and the amounts in wei that they receive. An undefined amount represents
   * `null`, which validation rejects.
   */
  readonly initialMint?: readonly { readonly address: Uint8Array; readonly amount: bigint | undefined }[]
  /** Fee manager: initial fee configuration. */
  readonly initialFeeConfig?: FeeConfig.FeeConfig
  /** Reward manager: initial reward configuration. */
  readonly initialRewardConfig?: { readonly allowFeeRecipients: boolean; readonly rewardAddress: Uint8Array }
  /** Warp: percentage of the weight that must sign; 0 stands for the default of 67. */
  readonly quorumNumerator?: bigint
  readonly requirePrimaryNetworkSigners?: boolean
}

/**
 * Members of a chain's config that enable precompiles, in the order of the precompiles' addresses, which
 * start at `0x0200…00`.
 */
export const KEYS = [
  'contractDeployerAllowListConfig',
  'contractNativeMinterConfig',
  'txAllowListConfig',
  'feeManagerConfig',
  'rewardManagerConfig',
  'warpConfig',
] as const

/** Name of a precompile in a chain's config. */
export type Key = (typeof KEYS)[number]

const ADDRESS = 20
const NO_LIST: AllowList = { adminAddresses: [], managerAddresses: [], enabledAddresses: [] }

/**
 * Returns the address of a precompile, 20 bytes.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { Precompile } from '@firn/genesis'
 *
 * Hex.encode(Precompile.addressOf('warpConfig')) // '0x0200000000000000000000000000000000000005'
 * ```
 */
export function addressOf(key: Key): Uint8Array {
  const address = new Uint8Array(ADDRESS)
  address[0] = 2
  address[ADDRESS - 1] = KEYS.indexOf(key)
  return address
}

/**
 * Returns the precompiles in a chain's config, including disabled ones. Unlike other member names, the names of
 * precompiles are case-sensitive.
 * @example
 * ```ts
 * import { Precompile } from '@firn/genesis'
 *
 * const warpConfig = { blockTimestamp: 1_709_740_800n, quorumNumerator: 67n }
 * const [warp] = Precompile.readAll({ warpConfig })
 * warp?.quorumNumerator // 67n
 * ```
 * @throws GenesisError `GENESIS_JSON`
 */
export function readAll(config: GoJson.GoObject): Precompile[] {
  return KEYS.filter((key) => config[key] !== undefined).map((key) =>
    read(key, GoJson.members(config[key], `config.${key}`)),
  )
}

function read(key: Key, from: GoJson.Members): Precompile {
  return {
    key,
    blockTimestamp: GoJson.natural(from, 'blockTimestamp'),
    disable: GoJson.flag(from, 'disable'),
    allowList: key === 'warpConfig' ? NO_LIST : readAllowList(from),
    ...readOwn(key, from),
  }
}

function readAllowList(from: GoJson.Members): AllowList {
  const addresses = (name: string) =>
    GoJson.list(from, name, (value, path) =>
      value === null ? new Uint8Array(ADDRESS) : Values.readHex(value, path, ADDRESS, true),
    )
  return {
    adminAddresses: addresses('adminAddresses'),
    managerAddresses: addresses('managerAddresses'),
    enabledAddresses: addresses('enabledAddresses'),
  }
}

function readOwn(key: Key, from: GoJson.Members): Partial<Precompile> {
  switch (key) {
    case 'contractNativeMinterConfig':
      return readMint(from)
    case 'feeManagerConfig': {
      const fees = from.get('initialFeeConfig')
      const path = GoJson.at(from.path, 'initialFeeConfig')
      return fees === undefined ? {} : { initialFeeConfig: FeeConfig.read(fees, path) }
    }
    case 'rewardManagerConfig':
      return readReward(from)
    case 'warpConfig':
      return {
        quorumNumerator: GoJson.natural(from, 'quorumNumerator') ?? 0n,
        requirePrimaryNetworkSigners: GoJson.flag(from, 'requirePrimaryNetworkSigners'),
      }
    default:
      return {}
  }
}

function readMint(from: GoJson.Members): Partial<Precompile> {
  const mint = from.get('initialMint')
  const path = GoJson.at(from.path, 'initialMint')
  if (mint === undefined) return {}
  if (!GoJson.isObject(mint)) throw GoJson.malformed(path, 'an object', mint)
  const entries = Object.entries(mint).map(([name, amount]) => ({
    address: Values.readHex(name, GoJson.at(path, name), ADDRESS, true),
    amount: amount === null ? undefined : Values.readQuantity(amount, GoJson.at(path, name), 256),
  }))
  return entries.length === 0 ? {} : { initialMint: entries }
}

function readReward(from: GoJson.Members): Partial<Precompile> {
  const value = from.get('initialRewardConfig')
  if (value === undefined) return {}
  const reward = GoJson.members(value, GoJson.at(from.path, 'initialRewardConfig'))
  return {
    initialRewardConfig: {
      allowFeeRecipients: GoJson.flag(reward, 'allowFeeRecipients'),
      rewardAddress: Values.fixed(reward, 'rewardAddress', ADDRESS) ?? new Uint8Array(ADDRESS),
    },
  }
}

/**
 * Converts the configuration of a precompile to the node's JSON.
 * @example
 * ```ts
 * import { Precompile } from '@firn/genesis'
 *
 * const [warp] = Precompile.readAll({ warpConfig: { blockTimestamp: 0n, quorumNumerator: 80n } })
 * if (warp) console.log(Precompile.toJSON(warp))
 * // { blockTimestamp: 0n, quorumNumerator: 80n, requirePrimaryNetworkSigners: false }
 * ```
 */
export function toJSON(precompile: Precompile): Json.Json {
  const { blockTimestamp, disable, allowList, initialMint, initialFeeConfig, initialRewardConfig } =
    precompile
  const { quorumNumerator, requirePrimaryNetworkSigners } = precompile
  return {
    ...addressLists(allowList),
    blockTimestamp: blockTimestamp ?? null,
    ...(disable ? { disable } : {}),
    ...(initialMint === undefined ? {} : { initialMint: mintJson(initialMint) }),
    ...(initialFeeConfig === undefined ? {} : { initialFeeConfig: FeeConfig.toJSON(initialFeeConfig) }),
    ...(initialRewardConfig === undefined
      ? {}
      : {
          initialRewardConfig: {
            allowFeeRecipients: initialRewardConfig.allowFeeRecipients,
            rewardAddress: Hex.encode(initialRewardConfig.rewardAddress),
          },
        }),
    ...(quorumNumerator === undefined ? {} : { quorumNumerator }),
    ...(requirePrimaryNetworkSigners === undefined ? {} : { requirePrimaryNetworkSigners }),
  }
}

function addressLists(allowList: AllowList): Record<string, Json.Json> {
  const lists = Object.entries(allowList) as [string, readonly Uint8Array[]][]
  return Object.fromEntries(
    lists.filter(([, addresses]) => addresses.length > 0).map(([name, list]) => [name, list.map(Hex.encode)]),
  )
}

function mintJson(mint: NonNullable<Precompile['initialMint']>): Json.Json {
  const entries = mint.map(({ address, amount }) => [
    Hex.encode(address),
    amount === undefined ? null : `0x${amount.toString(16)}`,
  ])
  return Object.fromEntries(entries.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)))
}

/** Minimum of Warp's quorum, in percent. */
const MIN_QUORUM = 33n
const MAX_QUORUM = 100n

/**
 * Validates a single precompile. `isDurango` returns whether the Durango upgrade is active at a time.
 * @example
 * ```ts
 * import { Precompile, Upgrades } from '@firn/genesis'
 *
 * const [warp] = Precompile.readAll({ warpConfig: { blockTimestamp: 1_709_740_800n } })
 * const isDurango = (time: bigint) => Upgrades.isActive(Upgrades.MAINNET, 'durango', time)
 * if (warp) Precompile.assertValid(warp, isDurango)
 * ```
 * @throws GenesisError `GENESIS_EVM_PRECOMPILE`, `GENESIS_EVM_FEES`
 */
export function assertValid(precompile: Precompile, isDurango: (time: bigint) => boolean): void {
  const { key, blockTimestamp, allowList, initialMint, initialFeeConfig, initialRewardConfig } = precompile
  const isEarly = blockTimestamp !== undefined && !isDurango(blockTimestamp)
  if (isEarly && (key === 'warpConfig' || allowList.managerAddresses.length > 0)) {
    refuse(key, `Warp and manager addresses require a blockTimestamp from Durango on, got ${blockTimestamp}`)
  }
  assertUnique(key, allowList)
  for (const { address, amount } of initialMint ?? []) {
    if (amount === undefined || amount <= 0n) {
      refuse(key, `expected an amount above 0 to mint for ${Hex.encode(address)}, got ${amount ?? 'none'}`)
    }
  }
  if (initialFeeConfig !== undefined) FeeConfig.assertValid(initialFeeConfig)
  const isPaidOut = initialRewardConfig?.rewardAddress.some((byte) => byte !== 0) === true
  if (isPaidOut && initialRewardConfig.allowFeeRecipients) {
    refuse(key, 'expected either allowFeeRecipients or rewardAddress, got both')
  }
  assertQuorum(key, precompile.quorumNumerator ?? 0n)
}

function assertQuorum(key: Key, quorum: bigint): void {
  if (quorum > MAX_QUORUM || (quorum !== 0n && quorum < MIN_QUORUM)) {
    refuse(key, `expected a quorumNumerator of 0 or from ${MIN_QUORUM} to ${MAX_QUORUM}, got ${quorum}`)
  }
}

function assertUnique(key: Key, allowList: AllowList): void {
  const seen = new Set<string>()
  for (const address of Object.values(allowList).flat().map(Hex.encode)) {
    if (seen.has(address)) refuse(key, `address ${address} is listed more than once`)
    seen.add(address)
  }
}

function refuse(key: Key, problem: string): never {
  throw new GenesisError('GENESIS_EVM_PRECOMPILE', `${key}: ${problem}`, {
    details: { key },
  })
}
