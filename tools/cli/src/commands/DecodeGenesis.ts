import { Hex, Id, isJsonObject, type Json, Network } from '@firn/codec'
import {
  EvmGenesis,
  Genesis,
  GenesisConfig,
  GenesisData,
  PlatformGenesis,
  XChainGenesis,
} from '@firn/genesis'
import { Describe, NodeJson, type PlatformTx, UtxoId } from '@firn/txs'

type Members = Describe.Members

const isMembers = (json: Json.Json | undefined): json is Members => isJsonObject(json)

/**
 * Returns the tree of a genesis that is part of another genesis, or `plain` if its format is unknown.
 */
const inner = (bytes: Uint8Array, options: Describe.Options, plain: Json.Json): Json.Json =>
  Describe.readings(bytes, options, [xChain, evm])[0]?.tree ?? plain

const evm = Describe.structure({
  name: 'EVM genesis',
  decode: (bytes) => {
    EvmGenesis.parse(bytes)
    return GenesisData.of(bytes)
  },
  describe: (json) => ({ members: isMembers(json) ? json : { genesis: json }, json }),
})

const xChain = Describe.structure({
  name: 'X-chain genesis',
  decode: (bytes) => {
    const genesis = XChainGenesis.decode(bytes)
    return { genesis, avaxAssetID: XChainGenesis.avaxAssetId(genesis) }
  },
  describe: ({ genesis, avaxAssetID: avaxAssetId }, _bytes, { networkId = genesis.txs[0]?.networkID }) => {
    const context = NodeJson.context(networkId ?? Network.LOCAL, 'X')
    const json = XChainGenesis.codec.toJSON(genesis, context) as Members
    const txs = (json['txs'] as readonly Members[]).map((asset, i) => ({
      id: Id.format(XChainGenesis.assetId(genesis.txs[i] as XChainGenesis.GenesisAsset)),
      ...asset,
    }))
    return { members: { avaxAssetID: Id.format(avaxAssetId), txs } }
  },
})

/** Returns the ids derived from a genesis. */
const idsOf = (genesis: Genesis.Genesis): Members => ({
  id: Id.format(genesis.genesisId),
  hash: Hex.encode(genesis.genesisId),
  networkID: genesis.networkId,
  firstBlockID: Id.format(genesis.firstBlock.id),
  avaxAssetID: Id.format(genesis.avaxAssetId),
  xChainID: Id.format(genesis.xChain.blockchainId),
  cChainID: Id.format(genesis.cChain.blockchainId),
})

const txTree = (tx: PlatformTx.PlatformTx, json: Json.Json, options: Describe.Options): Json.Json => {
  const members = json as Members
  const tree = { kind: tx.unsignedTx.type, id: members['id'] as Json.Json, ...members }
  if (tx.unsignedTx.type !== 'CreateChainTx') return tree
  const unsignedTx = members['unsignedTx'] as Members
  const plain = unsignedTx['genesisData'] as Json.Json
  const genesisData = inner(tx.unsignedTx.genesisData, options, plain)
  return { ...tree, unsignedTx: { ...unsignedTx, genesisData } }
}

const network = Describe.structure({
  name: 'genesis bytes',
  decode: Genesis.decode,
  describe: (genesis, _bytes, { networkId = genesis.networkId }) => {
    const { platform } = genesis
    const json = PlatformGenesis.codec.toJSON(platform, NodeJson.context(networkId, 'P')) as Members
    const trees = (name: 'validators' | 'chains') =>
      platform[name].map((tx, i) => {
        const item = (json[name] as readonly Json.Json[])[i] as Json.Json
        return txTree(tx, item, { networkId })
      })
    const utxos = platform.utxos.map((utxo, i) => ({
      id: Id.format(UtxoId.inputId(utxo)),
      ...(json['utxos'] as readonly Members[])[i],
    }))
    const { utxos: _utxos, validators: _validators, chains: _chains, ...rest } = json
    const lists = { utxos, validators: trees('validators'), chains: trees('chains') }
    return { members: { ...idsOf(genesis), ...rest, ...lists } }
  },
})

/** Genesis structures of a network and of its chains, the most likely first. */
export const STRUCTURES: readonly Describe.Structure[] = [network, xChain, evm]

/** Members that occur only in a node's genesis file. */
const FILE_MEMBERS = ['allocations', 'initialstakers', 'cchaingenesis']

/** Returns whether JSON is a node's genesis file. Member names are case-insensitive, as in Go. */
export const isFile = (json: Json.Json): boolean =>
  isMembers(json) && Object.keys(json).some((name) => FILE_MEMBERS.includes(name.toLowerCase()))

/** Returns whether JSON is the genesis of an EVM chain. */
export const isEvm = (json: Json.Json): boolean =>
  isMembers(json) && Object.keys(json).some((name) => name.toLowerCase() === 'alloc')

/**
 * Decodes a node's genesis file and derives its ids.
 * @throws GenesisError of `GenesisConfig.parse` and `Genesis.build`; CodecError
 */
export const file = (text: string): Describe.Reading => {
  const config = GenesisConfig.parse(text)
  const ids = idsOf(Genesis.build(config))
  const json = GenesisConfig.toJSON(config) as Members
  const { networkId } = config
  const cChainGenesis = inner(
    new TextEncoder().encode(config.cChainGenesis),
    { networkId },
    config.cChainGenesis,
  )
  return { tree: { kind: 'genesis file', ...ids, ...json, cChainGenesis }, json, isWhole: true }
}

/**
 * Decodes an EVM chain's genesis.
 * @throws GenesisError of `EvmGenesis.parse`
 */
export const evmFile = (text: string): Describe.Reading => {
  const { members, json = members } = evm.read(new TextEncoder().encode(text), {})
  return { tree: { kind: evm.name, ...members }, json, isWhole: true }
}
