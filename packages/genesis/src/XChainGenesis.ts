import { Bytes, Codec, Id } from '@firn/codec'
import { AvmBlock, AvmFx, AvmTx, Vertex } from '@firn/txs'
import type { Allocation, GenesisConfig } from './GenesisConfig.ts'
import { GenesisError } from './GenesisError.ts'

/** Maximum size in bytes of a genesis in the node's codec: 2^31 − 1. */
export const MAX_SIZE = 2 ** 31 - 1

/** An asset of the genesis, and its alias. */
export interface GenesisAsset extends AvmTx.CreateAssetTx {
  readonly alias: string
}
export const GenesisAsset: Codec.Codec<GenesisAsset> = Codec.struct({
  alias: Codec.string,
  ...AvmTx.CreateAssetTx.fields,
})

/** The genesis of the X-chain. */
export interface XChainGenesis {
  readonly txs: readonly GenesisAsset[]
}

/**
 * Codec of the genesis bytes: codec version 0, followed by the assets. Source: avalanchego
 * `vms/avm/genesis.go`.
 */
export const codec: Codec.Codec<XChainGenesis> = Codec.versioned(
  Codec.struct({ txs: Codec.array(GenesisAsset) }),
  { maxSize: MAX_SIZE },
)

const txCodec = Codec.versioned(AvmTx.Tx, { maxSize: MAX_SIZE })

/**
 * Decodes the genesis in `bytes` without verifying it.
 * @example
 * ```ts
 * import { type Genesis, XChainGenesis } from '@firn/genesis'
 *
 * declare const genesis: Genesis.Genesis
 * const { txs } = XChainGenesis.decode(genesis.xChain.genesisData)
 * ```
 * @throws CodecError with any code of binary data, with `path` and `offset`
 */
export function decode(bytes: Uint8Array): XChainGenesis {
  return codec.decode(bytes)
}

/**
 * Encodes a genesis, including the codec version.
 * @example
 * ```ts
 * import { type GenesisConfig, XChainGenesis } from '@firn/genesis'
 *
 * declare const config: GenesisConfig.GenesisConfig
 * const bytes = XChainGenesis.encode(XChainGenesis.build(config))
 * ```
 */
export function encode(genesis: XChainGenesis): Uint8Array {
  return codec.encode(genesis)
}

/**
 * Returns the transaction that created an asset of the genesis, without credentials.
 * @example
 * ```ts
 * import { XChainGenesis } from '@firn/genesis'
 *
 * declare const asset: XChainGenesis.GenesisAsset
 * XChainGenesis.transaction(asset).unsignedTx.type // 'CreateAssetTx'
 * ```
 */
export function transaction({ alias: _alias, ...fields }: GenesisAsset): AvmTx.AvmTx {
  return { unsignedTx: { type: 'CreateAssetTx', ...fields }, credentials: [] }
}

/**
 * Returns the id (32 bytes) of an asset of the genesis, which is the id of its transaction.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { XChainGenesis } from '@firn/genesis'
 *
 * declare const genesis: XChainGenesis.XChainGenesis
 * const ids = genesis.txs.map((asset) => Id.format(XChainGenesis.assetId(asset)))
 * ```
 */
export function assetId(asset: GenesisAsset): Uint8Array {
  return Id.hash(txCodec.encode(transaction(asset)))
}

/**
 * Returns the id of AVAX (32 bytes), the first asset.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { XChainGenesis } from '@firn/genesis'
 *
 * declare const genesis: XChainGenesis.XChainGenesis
 * const assetId = Id.format(XChainGenesis.avaxAssetId(genesis))
 * ```
 * @throws GenesisError `GENESIS_CHAIN` if the genesis has no asset
 */
export function avaxAssetId({ txs }: XChainGenesis): Uint8Array {
  const [avax] = txs
  if (avax === undefined) throw new GenesisError('GENESIS_CHAIN', "the X-chain's genesis has no asset")
  return assetId(avax)
}

/**
 * Builds the X-chain's genesis from a configuration. Its only asset is AVAX, whose initial amounts are sorted
 * by amount and address. The memo contains the Ethereum addresses in the same order. Allocations of the same
 * amount to the same address keep their order, while the reference's sort is unstable for more than 12
 * allocations.
 * @example
 * ```ts
 * import { GenesisConfig, XChainGenesis } from '@firn/genesis'
 *
 * declare const text: string // a node's genesis file
 * const genesis = XChainGenesis.build(GenesisConfig.parse(text))
 * genesis.txs[0]?.symbol // 'AVAX'
 * ```
 */
export function build(config: GenesisConfig): XChainGenesis {
  const allocations = config.allocations.filter(({ initialAmount }) => initialAmount > 0n).toSorted(compare)
  const outputs = allocations.map(({ initialAmount, avaxAddr }) => ({
    type: 'TransferOutput' as const,
    amount: initialAmount,
    locktime: 0n,
    threshold: 1,
    addresses: [avaxAddr],
  }))
  const avax = {
    alias: 'AVAX',
    networkID: config.networkId,
    blockchainID: Id.EMPTY,
    outputs: [],
    inputs: [],
    memo: Bytes.concat(...allocations.map(({ ethAddr }) => ethAddr)),
    name: 'Avalanche',
    symbol: 'AVAX',
    denomination: 9,
    initialStates: outputs.length === 0 ? [] : [{ fxIndex: 0, outputs: sorted(outputs) }],
  }
  return { txs: [avax] }
}

function compare(a: Allocation, b: Allocation): number {
  if (a.initialAmount !== b.initialAmount) return a.initialAmount < b.initialAmount ? -1 : 1
  return Bytes.compare(a.avaxAddr, b.avaxAddr)
}

function sorted(outputs: readonly AvmFx.State[]): AvmFx.State[] {
  const keyed = outputs.map((output) => ({ output, bytes: AvmFx.State.encode(output) }))
  return keyed.sort((a, b) => Bytes.compare(a.bytes, b.bytes)).map(({ output }) => output)
}

/**
 * Returns the bytes of the X-chain's block 0. `parentId` is the id of the network's last vertex, and `time`
 * (Unix seconds) is the time of the Cortina upgrade.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Upgrades, XChainGenesis } from '@firn/genesis'
 *
 * const { cortinaXChainStopVertexId, cortina } = Upgrades.MAINNET
 * const block = XChainGenesis.firstBlock(cortinaXChainStopVertexId, cortina)
 * Id.format(Id.hash(block)) // 'V8kYdATLoVjUBazVjEHy1dWurk2PcnhERSWnwmcNwirdsBb1S'
 * ```
 */
export function firstBlock(parentId: Uint8Array, time: bigint): Uint8Array {
  return AvmBlock.encode({
    type: 'StandardBlock',
    parentID: parentId,
    height: 0n,
    time,
    merkleRoot: Id.EMPTY,
    txs: [],
  })
}

/**
 * Returns the id of the stop vertex of an X-chain that has no other vertices. It is the parent of the chain's
 * block 0.
 * @example
 * ```ts
 * import { type PlatformGenesis, Upgrades, XChainGenesis } from '@firn/genesis'
 *
 * declare const xChain: PlatformGenesis.Chain
 * const parentId = XChainGenesis.emptyStopVertexId(xChain.blockchainId)
 * const block = XChainGenesis.firstBlock(parentId, Upgrades.DEFAULT.cortina)
 * ```
 */
export function emptyStopVertexId(chainId: Uint8Array): Uint8Array {
  return Vertex.id(Vertex.encode(Vertex.buildStop({ chainID: chainId, height: 0n, parentIDs: [] })))
}
