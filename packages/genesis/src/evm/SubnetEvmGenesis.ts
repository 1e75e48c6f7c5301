import { Bytes, type Json } from '@firn/codec'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { GenesisError } from '../GenesisError.ts'
import * as Block from '../internal/evmBlock.ts'
import * as Values from '../internal/evmValues.ts'
import * as GoJson from '../internal/GoJson.ts'
import { applyPrecompiles } from '../internal/precompileState.ts'
import * as State from '../internal/state.ts'
import type * as Upgrades from '../Upgrades.ts'
import * as EvmGenesis from './EvmGenesis.ts'
import * as SubnetEvmConfig from './SubnetEvmConfig.ts'

/** The genesis of a subnet-evm chain with a parsed and validated config. */
export interface SubnetEvmGenesis {
  readonly genesis: EvmGenesis.EvmGenesis
  readonly config: SubnetEvmConfig.SubnetEvmConfig
}

/**
 * Parses and validates a genesis from JSON, given as text or bytes, for a network with the given upgrades.
 * @example
 * ```ts
 * import { SubnetEvmGenesis, Upgrades } from '@firn/genesis'
 *
 * const { config } = SubnetEvmGenesis.parse(
 *   '{"config":{"chainId":99999},"gasLimit":"0x7a1200","difficulty":"0x0","alloc":{}}',
 *   Upgrades.MAINNET,
 * )
 * config.chainId // 99999n
 * ```
 * @throws GenesisError `GENESIS_JSON` or `GENESIS_EVM_…` if a node would refuse to start the chain
 */
export function parse(json: string | Uint8Array, network: Upgrades.Upgrades): SubnetEvmGenesis {
  const genesis = EvmGenesis.parse(json)
  if (genesis.config === undefined) {
    throw new GenesisError(
      'GENESIS_EVM_CONFIG',
      'the genesis of the EVM chain has no config; add a config object with the chainId',
    )
  }
  const config = SubnetEvmConfig.read(genesis.config, network)
  const limit = config.feeConfig.gasLimit
  if (limit === undefined || BigInt.asUintN(64, limit) !== genesis.gasLimit) {
    throw new GenesisError(
      'GENESIS_EVM_CONFIG',
      `gasLimit: expected the gas limit of feeConfig (${limit ?? 'none'}), got ${genesis.gasLimit}`,
      { details: { expected: limit, actual: genesis.gasLimit } },
    )
  }
  SubnetEvmConfig.assertValid(config, network)
  return { genesis, config }
}

/**
 * Returns the chain's config as the node's JSON, including all default values. Print it with
 * `Json.stringify`.
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 * import { SubnetEvmGenesis, Upgrades } from '@firn/genesis'
 *
 * declare const text: string // genesis JSON of the chain
 * const genesis = SubnetEvmGenesis.parse(text, Upgrades.MAINNET)
 * Json.stringify(SubnetEvmGenesis.configJSON(genesis)) // '{"berlinBlock":0,…,"warpConfig":{…}}'
 * ```
 */
export function configJSON({ config }: SubnetEvmGenesis): Json.Json {
  return SubnetEvmConfig.toJSON(config)
}

/**
 * Returns block 0 of the chain. `airdrop` is the content of the airdrop file; it is required if the genesis
 * contains an airdrop hash. Source: subnet-evm `Genesis.ToBlock`.
 * @example
 * ```ts
 * import { SubnetEvmGenesis, Upgrades } from '@firn/genesis'
 *
 * declare const text: string // genesis JSON of the chain
 * const genesis = SubnetEvmGenesis.parse(text, Upgrades.MAINNET)
 * const { hash, stateRoot } = SubnetEvmGenesis.firstBlock(genesis)
 * ```
 * @throws GenesisError `GENESIS_EVM_AIRDROP` if the airdrop does not match the hash or is malformed
 */
export function firstBlock(
  { genesis, config }: SubnetEvmGenesis,
  airdrop: Uint8Array = new Uint8Array(0),
): Block.EvmFirstBlock {
  const state: State.State = new Map()
  applyAirdrop(state, genesis, airdrop)
  applyPrecompiles(state, genesis, config)
  Block.allocate(state, genesis)
  const isSubnetEvm = SubnetEvmConfig.isActive(config, 'subnetEVMTimestamp', genesis.timestamp)
  return Block.create(genesis, State.root(state, 'ethereum'), {
    required: [],
    baseFee: genesis.baseFeePerGas ?? (isSubnetEvm ? config.feeConfig.minBaseFee : undefined),
    optional: optionalFields(genesis, config),
  })
}

function optionalFields(
  { timestamp, number, blobGasUsed, excessBlobGas }: EvmGenesis.EvmGenesis,
  config: SubnetEvmConfig.SubnetEvmConfig,
): (bigint | Uint8Array | undefined)[] {
  const isEtna = SubnetEvmConfig.isActive(config, 'etnaTimestamp', timestamp)
  const isGranite = SubnetEvmConfig.isActive(config, 'graniteTimestamp', timestamp)
  const { londonBlock = 0n, cancunTime = timestamp + 1n } = config.ethereum
  const isCancun = BigInt(londonBlock) <= number && BigInt(cancunTime) <= timestamp
  return [
    isEtna ? 0n : undefined, // This field is `blockGasCost`.
    isCancun ? (blobGasUsed ?? 0n) : undefined,
    isCancun ? (excessBlobGas ?? 0n) : undefined,
    isCancun ? new Uint8Array(32) : undefined, // This field is `parentBeaconBlockRoot`.
    isGranite ? BigInt.asUintN(64, timestamp * 1000n) : undefined,
    isGranite ? SubnetEvmConfig.initialDelayExcess(config) : undefined,
  ]
}

function applyAirdrop(state: State.State, genesis: EvmGenesis.EvmGenesis, airdrop: Uint8Array): void {
  if (Bytes.isZero(genesis.airdropHash)) return
  const list = Bytes.equals(keccak_256(airdrop), genesis.airdropHash)
    ? GoJson.parse(GoJson.decodeText(airdrop))
    : undefined
  if (!Array.isArray(list) || genesis.airdropAmount === undefined) {
    throw new GenesisError(
      'GENESIS_EVM_AIRDROP',
      'the airdrop file is missing or does not match airdropHash in the genesis',
    )
  }
  for (const item of list as readonly GoJson.GoJson[]) {
    const address = Values.fixed(GoJson.members(item, 'airdrop'), 'address', 20) ?? new Uint8Array(20)
    State.account(state, address).balance = genesis.airdropAmount
  }
}
