import { Bytes, Hex, Id, Network } from '@firn/codec'
import * as GenesisConfig from './GenesisConfig.ts'
import { GenesisError } from './GenesisError.ts'
import * as Networks from './Networks.ts'
import * as PlatformBuilder from './PlatformBuilder.ts'
import * as PlatformGenesis from './PlatformGenesis.ts'
import * as Validation from './Validation.ts'
import * as Vm from './Vm.ts'
import * as XChainGenesis from './XChainGenesis.ts'

/** A network's genesis and the values derived from it. */
export interface Genesis {
  readonly networkId: number
  readonly bytes: Uint8Array
  /**
   * SHA-256 of the genesis bytes (32 bytes). It identifies the network's genesis and is the parent of the
   * P-chain's block 0.
   */
  readonly genesisId: Uint8Array
  readonly platform: PlatformGenesis.PlatformGenesis
  /** Bytes and id of the P-chain's block 0. */
  readonly firstBlock: { readonly bytes: Uint8Array; readonly id: Uint8Array }
  readonly avaxAssetId: Uint8Array
  readonly xChain: PlatformGenesis.Chain
  readonly cChain: PlatformGenesis.Chain
}

/**
 * Decodes genesis bytes as a node stores them, and derives the ids.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Genesis } from '@firn/genesis'
 *
 * declare const bytes: Uint8Array // as stored by a node
 * const { networkId, cChain } = Genesis.decode(bytes)
 * Id.format(cChain.blockchainId) // such as '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'
 * ```
 * @throws CodecError with any code of binary data; GenesisError `GENESIS_CHAIN`
 */
export function decode(bytes: Uint8Array): Genesis {
  return describe(PlatformGenesis.decode(bytes), bytes)
}

/**
 * Builds the genesis of a configuration. The configuration is not validated; see `Validation` for the checks.
 * @example
 * ```ts
 * import { Genesis, GenesisConfig } from '@firn/genesis'
 *
 * declare const text: string // a node's genesis file
 * const { bytes, genesisId } = Genesis.build(GenesisConfig.parse(text))
 * ```
 * @throws GenesisError `GENESIS_SUPPLY`, `GENESIS_STAKERS`, `GENESIS_VALIDATOR`
 */
export function build(config: GenesisConfig.GenesisConfig): Genesis {
  const platform = PlatformBuilder.build(config)
  return describe(platform, PlatformGenesis.encode(platform))
}

/** Options of {@link load}. */
export interface LoadOptions extends Validation.Expectation, GenesisConfig.ParseOptions {}

/**
 * Loads the genesis of a custom network from the JSON of a node's `genesis-file`: parses the JSON, validates
 * the configuration and builds the genesis.
 * @example
 * ```ts
 * import { Genesis } from '@firn/genesis'
 *
 * declare const text: string // a node's genesis file
 * const now = BigInt(Math.floor(Date.now() / 1000))
 * const { xChain, cChain } = Genesis.load(text, { networkId: 1337, now })
 * ```
 * @throws GenesisError `GENESIS_OVERRIDE` for mainnet, fuji and local; any error of `GenesisConfig.parse`,
 * `Validation.assertValid` and {@link build}
 */
export function load(json: string, options: LoadOptions): Genesis {
  assertCustom(options.networkId)
  return loadConfig(GenesisConfig.parse(json, options), options)
}

/**
 * Loads a genesis like {@link load}, from base64 of the JSON, as in a node's `genesis-file-content`.
 * @example
 * ```ts
 * import { Genesis } from '@firn/genesis'
 *
 * declare const content: string // the value of --genesis-file-content
 * const now = BigInt(Math.floor(Date.now() / 1000))
 * const { genesisId } = Genesis.loadBase64(content, { networkId: 1337, now })
 * ```
 * @throws GenesisError `GENESIS_ENCODING`, and any error of {@link load}
 */
export function loadBase64(content: string, options: LoadOptions): Genesis {
  assertCustom(options.networkId)
  return loadConfig(GenesisConfig.parseBase64(content, options), options)
}

function loadConfig(config: GenesisConfig.GenesisConfig, options: LoadOptions): Genesis {
  Validation.assertValid(config, options)
  return build(config)
}

function assertCustom(networkId: number): void {
  if (Networks.STANDARD.every((constants) => constants.networkId !== networkId)) return
  const name = Network.formatName(networkId)
  throw new GenesisError(
    'GENESIS_OVERRIDE',
    `The genesis of ${name} is fixed. Use a genesis file only for a custom network.`,
    {
      details: { networkId },
    },
  )
}

/**
 * Checks that a genesis is the known genesis of its network. If the genesis depends on the start time,
 * compares only the chain ids. Custom networks have no known genesis and are not checked.
 * @example
 * ```ts
 * import { Genesis } from '@firn/genesis'
 *
 * declare const bytes: Uint8Array // genesis bytes received from elsewhere
 * Genesis.assertKnown(Genesis.decode(bytes))
 * ```
 * @throws GenesisError `GENESIS_HASH` with `details.expected` and `details.actual`
 */
export function assertKnown(genesis: Genesis): void {
  const { ids } = Networks.of(genesis.networkId)
  if (ids === undefined) return
  assertSame('genesis id', ids.genesisId ?? genesis.genesisId, genesis.genesisId)
  assertSame('X-chain id', ids.xChainId, genesis.xChain.blockchainId)
  assertSame('C-chain id', ids.cChainId, genesis.cChain.blockchainId)
}

function assertSame(name: string, expected: Uint8Array, actual: Uint8Array): void {
  if (Bytes.equals(expected, actual)) return
  const details = { expected: Hex.encode(expected), actual: Hex.encode(actual) }
  throw new GenesisError('GENESIS_HASH', `${name}: expected ${details.expected}, got ${details.actual}`, {
    details,
  })
}

function describe(platform: PlatformGenesis.PlatformGenesis, bytes: Uint8Array): Genesis {
  const genesisId = PlatformGenesis.id(bytes)
  const block = PlatformGenesis.firstBlock(genesisId)
  const xChain = PlatformGenesis.chainOf(platform, Vm.AVM)
  const xGenesis = XChainGenesis.decode(xChain.genesisData)
  return {
    networkId: xGenesis.txs[0]?.networkID ?? 0,
    bytes,
    genesisId,
    platform,
    firstBlock: { bytes: block, id: Id.hash(block) },
    avaxAssetId: XChainGenesis.avaxAssetId(xGenesis),
    xChain,
    cChain: PlatformGenesis.chainOf(platform, Vm.EVM),
  }
}
