import { Address, Hex, type Json, Network, NodeId } from '@firn/codec'
import type { Signer } from '@firn/txs'
import { GenesisError } from './GenesisError.ts'
import * as GoJson from './internal/GoJson.ts'
import { avaxAddress, ethAddress, nodeId, proofOfPossession } from './internal/texts.ts'
import * as Networks from './Networks.ts'

/** An amount (nAVAX) that is locked until a time (Unix seconds). */
export interface Unlock {
  readonly amount: bigint
  readonly locktime: bigint
}

/**
 * Allocation of an address. `initialAmount` is on the X-chain; the amounts in the unlock schedule are on the P-chain.
 * All amounts are in nAVAX.
 */
export interface Allocation {
  /** Ethereum address of the buyer, 20 bytes. */
  readonly ethAddr: Uint8Array
  /** Avalanche address of the owner, 20 bytes. */
  readonly avaxAddr: Uint8Array
  readonly initialAmount: bigint
  readonly unlockSchedule: readonly Unlock[]
}

/** An initial validator. */
export interface Staker {
  readonly nodeId: Uint8Array
  /** Address that receives the staking reward, 20 bytes. */
  readonly rewardAddress: Uint8Array
  /** Share of the delegators' rewards that the validator keeps, in millionths. */
  readonly delegationFee: number
  /** BLS key and proof of possession of the staker, if any. */
  readonly signer?: Signer.ProofOfPossession
}

/**
 * A node's genesis file. Times are in Unix seconds, and durations are in seconds. Source: avalanchego
 * `genesis.Config`.
 */
export interface GenesisConfig {
  readonly networkId: number
  readonly allocations: readonly Allocation[]
  readonly startTime: bigint
  readonly initialStakeDuration: bigint
  /**
   * Offset in seconds between the ends of two successive stakers' stakes. Each stake ends this much earlier
   * than the previous one.
   */
  readonly initialStakeDurationOffset: bigint
  /** Addresses (20 bytes each) whose locked allocations are staked by the initial stakers. */
  readonly initialStakedFunds: readonly Uint8Array[]
  readonly initialStakers: readonly Staker[]
  /** Genesis of the C-chain as JSON text. */
  readonly cChainGenesis: string
  readonly message: string
}

/** Options of {@link parse}. */
export interface ParseOptions {
  /**
   * Returns whether a staker's BLS key (48 bytes) and proof of possession (96 bytes) are valid. The node itself
   * checks only that the key is a point of the group.
   */
  readonly checkSigner?: (signer: Signer.ProofOfPossession) => boolean
}

/**
 * Parses a genesis configuration from a node's JSON as Go does. Member names match in any case, unknown
 * members are ignored, `null` counts as absent, and addresses may belong to any network and chain.
 * @example
 * ```ts
 * import { GenesisConfig } from '@firn/genesis'
 *
 * const { startTime } = GenesisConfig.parse('{"networkID": 1337, "startTime": 1700000000}')
 * startTime // 1700000000n
 * ```
 * @throws GenesisError `GENESIS_JSON`, `GENESIS_ADDRESS`, `GENESIS_SIGNER`, with `details.path`
 */
export function parse(json: string, options: ParseOptions = {}): GenesisConfig {
  const root = GoJson.members(GoJson.parse(json), '')
  return {
    networkId: Number(GoJson.natural(root, 'networkID', 32) ?? 0n),
    allocations: GoJson.list(root, 'allocations', readAllocation),
    startTime: GoJson.natural(root, 'startTime') ?? 0n,
    initialStakeDuration: GoJson.natural(root, 'initialStakeDuration') ?? 0n,
    initialStakeDurationOffset: GoJson.natural(root, 'initialStakeDurationOffset') ?? 0n,
    initialStakedFunds: GoJson.list(root, 'initialStakedFunds', avaxAddress),
    initialStakers: GoJson.list(root, 'initialStakers', (value, path) => readStaker(value, path, options)),
    cChainGenesis: GoJson.text(root, 'cChainGenesis'),
    message: GoJson.text(root, 'message'),
  }
}

/**
 * Parses a genesis configuration from a node's `genesis-file-content`, which is the JSON in base64.
 * @example
 * ```ts
 * import { GenesisConfig } from '@firn/genesis'
 *
 * const { networkId } = GenesisConfig.parseBase64(btoa('{"networkID": 1337}'))
 * networkId // 1337
 * ```
 * @throws GenesisError `GENESIS_ENCODING`, and any error of {@link parse}
 */
export function parseBase64(content: string, options: ParseOptions = {}): GenesisConfig {
  return parse(GoJson.decodeText(decodeBase64(content)), options)
}

function decodeBase64(content: string): Uint8Array {
  // Go accepts line breaks within base64, but no other white space, and it requires the padding.
  const text = content.replaceAll(/[\r\n]/g, '')
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    throw new GenesisError('GENESIS_ENCODING', 'expected padded base64 of the genesis JSON')
  }
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

function readAllocation(value: GoJson.GoJson, path: string): Allocation {
  const from = GoJson.members(value, path)
  return {
    ethAddr: ethAddress(GoJson.text(from, 'ethAddr'), GoJson.at(path, 'ethAddr')),
    avaxAddr: avaxAddress(from.get('avaxAddr') ?? '', GoJson.at(path, 'avaxAddr')),
    initialAmount: GoJson.natural(from, 'initialAmount') ?? 0n,
    unlockSchedule: GoJson.list(from, 'unlockSchedule', (item, itemPath) => {
      const unlock = GoJson.members(item, itemPath)
      return {
        amount: GoJson.natural(unlock, 'amount') ?? 0n,
        locktime: GoJson.natural(unlock, 'locktime') ?? 0n,
      }
    }),
  }
}

function readStaker(value: GoJson.GoJson, path: string, { checkSigner }: ParseOptions): Staker {
  const from = GoJson.members(value, path)
  const signer = from.get('signer')
  const staker = {
    nodeId: nodeId(from.get('nodeID'), GoJson.at(path, 'nodeID')),
    rewardAddress: avaxAddress(from.get('rewardAddress') ?? '', GoJson.at(path, 'rewardAddress')),
    delegationFee: Number(GoJson.natural(from, 'delegationFee', 32) ?? 0n),
  }
  if (signer === undefined) return staker
  const proof = proofOfPossession(signer, GoJson.at(path, 'signer'))
  if (checkSigner !== undefined && !checkSigner(proof)) {
    throw new GenesisError(
      'GENESIS_SIGNER',
      `the proof of possession does not match the BLS key (in ${path}.signer)`,
      {
        details: { path: `${path}.signer`, nodeId: NodeId.format(staker.nodeId) },
      },
    )
  }
  return { ...staker, signer: proof }
}

/**
 * Returns the configuration in the JSON format of a node. Print it with `Json.stringify`. Addresses are
 * written as X-chain addresses.
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 * import { GenesisConfig } from '@firn/genesis'
 *
 * const config = GenesisConfig.parse('{"networkID": 1337, "startTime": 1700000000}')
 * Json.stringify(GenesisConfig.toJSON(config)) // '{"networkID":1337,…}'
 * ```
 * @throws CodecError `CODEC_ID` if a NodeID is not 20 bytes long
 */
export function toJSON(config: GenesisConfig): Json.Json {
  const hrp = Network.hrp(config.networkId)
  const address = (payload: Uint8Array) => Address.format({ chain: 'X', hrp, payload })
  return {
    networkID: config.networkId,
    allocations: config.allocations.map((allocation) => ({
      ethAddr: Hex.encode(allocation.ethAddr),
      avaxAddr: address(allocation.avaxAddr),
      initialAmount: allocation.initialAmount,
      unlockSchedule: allocation.unlockSchedule.map(({ amount, locktime }) => ({ amount, locktime })),
    })),
    startTime: config.startTime,
    initialStakeDuration: config.initialStakeDuration,
    initialStakeDurationOffset: config.initialStakeDurationOffset,
    initialStakedFunds: config.initialStakedFunds.map(address),
    initialStakers: config.initialStakers.map(({ nodeId, rewardAddress, delegationFee, signer }) => ({
      nodeID: NodeId.format(nodeId),
      rewardAddress: address(rewardAddress),
      delegationFee,
      ...(signer === undefined ? {} : { signer: signerJson(signer) }),
    })),
    cChainGenesis: config.cChainGenesis,
    message: config.message,
  }
}

function signerJson({ publicKey, proofOfPossession: proof }: Signer.ProofOfPossession): Json.Json {
  return { publicKey: Hex.encode(publicKey), proofOfPossession: Hex.encode(proof) }
}

const U64_MAX = 0xffff_ffff_ffff_ffffn

/**
 * Returns the sum of all allocations, in nAVAX.
 * @example
 * ```ts
 * import { GenesisConfig } from '@firn/genesis'
 *
 * const allocation = {
 *   ethAddr: new Uint8Array(20),
 *   avaxAddr: new Uint8Array(20),
 *   initialAmount: 3n,
 *   unlockSchedule: [{ amount: 4n, locktime: 1_800_000_000n }],
 * }
 * GenesisConfig.initialSupply({ allocations: [allocation] }) // 7n
 * ```
 * @throws GenesisError `GENESIS_SUPPLY` if the sum exceeds 2^64 − 1
 */
export function initialSupply({ allocations }: Pick<GenesisConfig, 'allocations'>): bigint {
  let supply = 0n
  for (const { initialAmount, unlockSchedule } of allocations) {
    supply = unlockSchedule.reduce((sum, { amount }) => sum + amount, supply + initialAmount)
  }
  if (supply > U64_MAX) {
    throw new GenesisError(
      'GENESIS_SUPPLY',
      `expected allocations of at most 2^64 − 1 nAVAX in total, got ${supply}`,
      {
        details: { supply },
      },
    )
  }
  return supply
}

/**
 * Returns the local network's configuration as nodes use it at `now` (Unix seconds). The start time advances
 * in whole periods of 270 days to the latest time that is not after `now`.
 * @example
 * ```ts
 * import { GenesisConfig } from '@firn/genesis'
 *
 * const config = GenesisConfig.parse('{"networkID": 12345, "startTime": 1700000000}')
 * GenesisConfig.advanceStartTime(config, 1_730_000_000n).startTime // 1723328000n
 * ```
 */
export function advanceStartTime(config: GenesisConfig, now: bigint): GenesisConfig {
  if (now < config.startTime) return config
  const periods = (now - config.startTime) / Networks.LOCAL_PERIOD
  return { ...config, startTime: config.startTime + periods * Networks.LOCAL_PERIOD }
}
