import { Bytes, Hex, Id, Network } from '@firn/codec'
import * as GenesisConfig from './GenesisConfig.ts'
import { GenesisError } from './GenesisError.ts'
import * as Networks from './Networks.ts'
import * as PlatformBuilder from './PlatformBuilder.ts'
import * as PlatformGenesis from './PlatformGenesis.ts'
import * as Validation from './Validation.ts'
import * as Vm from './Vm.ts'
import * as XChainGenesis from './XChainGenesis.ts'

/** A network's genesis, and what follows from it. */
export interface Genesis {
  readonly networkId: number
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes (32 bytes): what nodes pin, and the parent of the P-chain's block 0. */
  readonly genesisId: Uint8Array
  readonly platform: PlatformGenesis.PlatformGenesis
  /** The P-chain's block 0 and its id. */
  readonly firstBlock: { readonly bytes: Uint8Array; readonly id: Uint8Array }
  readonly avaxAssetId: Uint8Array
  readonly xChain: PlatformGenesis.Chain
  readonly cChain: PlatformGenesis.Chain
}

/**
 * The genesis in `bytes`, as a node keeps it, and the ids that follow.
 * @throws CodecError any code of binary data; GenesisError `GENESIS_CHAIN`
 */
export function decode(bytes: Uint8Array): Genesis {
  return describe(PlatformGenesis.decode(bytes), bytes)
}

/**
 * The genesis that a configuration makes, without the checks of `Validation`.
 * @throws GenesisError `GENESIS_SUPPLY`, `GENESIS_STAKERS`, `GENESIS_VALIDATOR`
 */
export function build(config: GenesisConfig.GenesisConfig): Genesis {
  const platform = PlatformBuilder.build(config)
  return describe(platform, PlatformGenesis.encode(platform))
}

/** What {@link load} needs beside the text. */
export interface LoadOptions extends Validation.Expectation, GenesisConfig.ParseOptions {}

/**
 * The genesis that a node starts a network of one's own with, from the JSON of its `genesis-file`: parsed, checked and built.
 * @throws GenesisError `GENESIS_OVERRIDE` for mainnet, fuji and local; those of `GenesisConfig.parse`, `Validation.assertValid`
 * and {@link build}
 */
export function load(json: string, options: LoadOptions): Genesis {
  assertCustom(options.networkId)
  return loadConfig(GenesisConfig.parse(json, options), options)
}

/**
 * The same from base64 of the JSON, as in a node's `genesis-file-content`.
 * @throws GenesisError `GENESIS_ENCODING`, and those of {@link load}
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
    `expected a network of one's own, got ${name}, whose genesis is fixed`,
    {
      details: { networkID: networkId },
    },
  )
}

/**
 * Checks that a genesis is the one that its network is known by: its hash, or where that moves with the start time its chains.
 * Other networks have none on record.
 * @throws GenesisError `GENESIS_HASH` with `details.expected` and `details.actual`
 */
export function assertKnown(genesis: Genesis): void {
  const { ids } = Networks.of(genesis.networkId)
  if (ids === undefined) return
  assertSame(ids.genesisId ?? genesis.genesisId, genesis.genesisId)
  assertSame(ids.xChainId, genesis.xChain.blockchainId)
  assertSame(ids.cChainId, genesis.cChain.blockchainId)
}

function assertSame(expected: Uint8Array, actual: Uint8Array): void {
  if (Bytes.equals(expected, actual)) return
  const details = { expected: Hex.encode(expected), actual: Hex.encode(actual) }
  throw new GenesisError('GENESIS_HASH', `expected the id ${details.expected}, got ${details.actual}`, {
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
