import { Hex, Id, Json } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as CChainGenesis from './evm/CChainGenesis.ts'
import * as EvmGenesis from './evm/EvmGenesis.ts'
import * as Genesis from './Genesis.ts'
import * as GenesisConfig from './GenesisConfig.ts'
import * as InitialRewards from './InitialRewards.ts'
import * as Networks from './Networks.ts'
import * as PlatformGenesis from './PlatformGenesis.ts'
import { codeOf } from './testing/code.ts'
import { cases, type VectorCase } from './testing/vectors.ts'
import * as Upgrades from './Upgrades.ts'
import * as XChainGenesis from './XChainGenesis.ts'

const NOW = 1_790_000_000n

function expectIds(genesis: Genesis.Genesis, expected: VectorCase): void {
  expect(Id.format(genesis.genesisId)).toBe(expected['genesisID'])
  expect(genesis.bytes.length).toBe(expected['genesisLength'])
  expect(Id.format(genesis.avaxAssetId)).toBe(expected['avaxAssetID'])
  expect(Id.format(genesis.firstBlock.id)).toBe(expected['pChainGenesisBlock'].id)
  const chains = expected['chains'].map((chain: VectorCase) => chain['blockchainID'])
  expect([genesis.xChain, genesis.cChain].map(({ blockchainId }) => Id.format(blockchainId))).toEqual(chains)
  const { cortina, cortinaXChainStopVertexId } = Networks.of(genesis.networkId).upgrades
  const block = XChainGenesis.firstBlock(cortinaXChainStopVertexId, cortina)
  expect(Id.format(Id.hash(block))).toBe(expected['xChainGenesisBlock'].id)
}

describe('genesis of a network', () => {
  const networks = [...cases('genesis', 'network'), ...cases('genesis', 'custom')]
  const own = networks.filter((item) => item['config'] !== undefined)

  it.each(own.map((item) => [item.name, item] as const))(
    'builds and decodes the genesis of %s with the recorded bytes and ids',
    (_name, item) => {
      const genesis = Genesis.build(GenesisConfig.parse(item['config']))
      expectIds(genesis, item)
      if (item['pChainGenesisBytes'] !== undefined) {
        expect(Hex.encode(genesis.bytes)).toBe(item['pChainGenesisBytes'])
        expect(Hex.encode(genesis.xChain.genesisData)).toBe(item['xChainGenesisBytes'])
      }
      expect(Genesis.decode(genesis.bytes)).toEqual(genesis)
      Genesis.assertKnown(genesis)
    },
  )

  it('rejects a genesis whose ids differ from the known ids of its network', () => {
    const [item] = own.filter(({ name }) => name === 'fuji') as [VectorCase]
    const config = GenesisConfig.parse(item['config'])
    const other = Genesis.build({ ...config, message: 'another' })
    expect(codeOf(() => Genesis.assertKnown(other))).toBe('GENESIS_HASH')
  })
})

describe('the recorded local network', () => {
  const [item] = cases('recording', 'recording') as [VectorCase]
  const genesis = Genesis.build(GenesisConfig.parse(item['config']))

  it('builds the recorded genesis bytes, ids and blocks of the local network', () => {
    expect(Hex.encode(genesis.bytes)).toBe(item['genesisBytes'])
    expect(Hex.encode(genesis.genesisId)).toBe(item['genesisHash'])
    expect(Hex.encode(genesis.firstBlock.bytes)).toBe(item['pGenesisBlockBytes'])
    expect(Id.format(genesis.firstBlock.id)).toBe(item['pGenesisBlockID'])
    expect(Id.format(genesis.avaxAssetId)).toBe(item['avaxAssetID'])
    const chains = PlatformGenesis.chains(genesis.platform)
    expect(chains.map(({ blockchainId }) => Id.format(blockchainId))).toEqual(item['chainTxIDs'])
    const validators = genesis.platform.validators.map((tx) => Id.format(PlatformGenesis.transactionId(tx)))
    expect(validators).toEqual(item['validatorTxIDs'])
  })

  it('builds the recorded X-chain block 0 with the stop vertex that the node generated as parent', () => {
    const parent = XChainGenesis.emptyStopVertexId(genesis.xChain.blockchainId)
    const block = XChainGenesis.firstBlock(parent, Networks.LOCAL.upgrades.cortina)
    expect(Id.format(Id.hash(block))).toBe(item['xBlock0ID'])
  })

  it('calculates the same potential rewards as the recorded node', () => {
    const { rewards } = InitialRewards.of(genesis.platform, Networks.LOCAL)
    const given = rewards.map(({ potentialReward }) => potentialReward)
    expect(given.at(0)).toBe(239808237943328n)
    expect(given).toContain(239043697070926n)
  })
})

it('calculates the recorded ids of a custom network with an upgrade file', () => {
  const [item] = cases('recording', 'helicon') as [VectorCase]
  const genesis = Genesis.load(item['config'], { networkId: 1337, now: 1_795_300_000n })
  expect(Hex.encode(genesis.bytes)).toBe(item['genesisBytes'])
  expect(Hex.encode(genesis.genesisId)).toBe(item['genesisHash'])
  expect(Id.format(genesis.firstBlock.id)).toBe(item['pGenesisBlockID'])
  expect(Id.format(genesis.avaxAssetId)).toBe(item['avaxAssetID'])
  expect(Id.format(genesis.xChain.blockchainId)).toBe(item['xchain'])
  expect(Id.format(genesis.cChain.blockchainId)).toBe(item['cchain'])
  const upgrades = Upgrades.fromJSON(Json.parse(item['upgrades']))
  Upgrades.assertOrdered(upgrades)
  const block = CChainGenesis.firstBlock(EvmGenesis.parse(genesis.cChain.genesisData), upgrades)
  expect(Hex.encode(block.hash)).toBe(item['cHash'])
})

describe('decisions of the node about a genesis', () => {
  const codes: Readonly<Record<string, string>> = {
    valid: 'none',
    'network id conflict': 'GENESIS_NETWORK_ID',
    'override of a standard network': 'GENESIS_OVERRIDE',
    'override of local': 'GENESIS_OVERRIDE',
    'no stakers': 'GENESIS_STAKERS',
    'no staked funds': 'GENESIS_STAKED_FUNDS',
    'staked address without allocation': 'GENESIS_STAKED_FUNDS',
    'duplicate staked address': 'GENESIS_STAKED_FUNDS',
    'empty C-chain genesis': 'GENESIS_C_CHAIN',
    'no allocations': 'GENESIS_SUPPLY',
    'future start time': 'GENESIS_START_TIME',
    'stake duration 0': 'GENESIS_STAKE_DURATION',
    'stake duration above one year': 'GENESIS_STAKE_DURATION',
    'stake duration offset too large': 'GENESIS_STAKE_DURATION',
    'supply overflow': 'GENESIS_SUPPLY',
    'bad address checksum': 'GENESIS_ADDRESS',
    'address of another hrp is accepted': 'none',
    'short eth address': 'GENESIS_ADDRESS',
    'empty eth address': 'GENESIS_ADDRESS',
    'eth address without 0x (first two characters are dropped)': 'GENESIS_ADDRESS',
    'locked amount below the number of stakers': 'GENESIS_LOCKED_AMOUNT',
    'malformed JSON': 'GENESIS_JSON',
    'unknown JSON field is ignored': 'none',
    'case-insensitive JSON keys are accepted by Go': 'none',
    'content is not base64': 'GENESIS_ENCODING',
  }

  it.each(cases('genesis', 'invalid').map((item) => [item.name, item] as const))(
    'makes the same decision as the node about the configuration: %s',
    (name, item) => {
      const options = { networkId: item['networkID'], now: NOW }
      const load = () =>
        item['configBase64'] === undefined
          ? Genesis.load(item['config'], options)
          : Genesis.loadBase64(item['configBase64'], options)
      expect(codeOf(load)).toBe(codes[name])
      expect(codes[name] === 'none').toBe(item['ok'])
    },
  )

  it('loads the same genesis from base64 as from JSON', () => {
    const [item] = cases('genesis', 'invalid') as [VectorCase]
    const options = { networkId: item['networkID'], now: NOW }
    const content = Buffer.from(item['config']).toString('base64')
    expect(Genesis.loadBase64(content, options)).toEqual(Genesis.load(item['config'], options))
  })

  it.each(cases('genesis', 'decode').map((item) => [item.name, item] as const))(
    'makes the same decision as the recorded node about the genesis bytes: %s',
    (_name, item) => {
      const bytes = Hex.decode(item['bytes'])
      expect(codeOf(() => PlatformGenesis.decode(bytes)) === 'none').toBe(item['ok'])
    },
  )
})
