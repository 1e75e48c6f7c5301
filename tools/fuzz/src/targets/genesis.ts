import { Bytes, Json } from '@firn/codec'
import {
  CChainGenesis,
  EvmGenesis,
  Genesis,
  GenesisConfig,
  GenesisData,
  PlatformGenesis,
  SubnetEvmGenesis,
  Upgrades,
  XChainGenesis,
} from '@firn/genesis'
import * as Corpus from '../Corpus.ts'
import { ofBytes, ofText, type Target } from '../Target.ts'

const VECTORS = 'genesis/vectors'
const evm = () => Corpus.texts(`${VECTORS}/subnet-evm-genesis`, 'genesis')

/** Creates a target that decodes bytes and checks that encoding returns the same bytes. */
const structure = <T>(
  name: string,
  corpus: () => readonly Uint8Array[],
  { decode, encode }: { decode(bytes: Uint8Array): T; encode(value: T): Uint8Array },
): Target =>
  ofBytes(name, corpus, (input) =>
    Bytes.equals(encode(decode(input)), input) ? undefined : 'decoded bytes encode to different bytes',
  )

/** Targets for the genesis of networks and of EVM chains, as bytes and as hand-written JSON. */
export const genesisTargets: readonly Target[] = [
  structure(
    'platform genesis',
    () => Corpus.bytes(`${VECTORS}/genesis`, 'pChainGenesisBytes'),
    PlatformGenesis,
  ),
  structure('x-chain genesis', () => Corpus.bytes(`${VECTORS}/genesis`, 'xChainGenesisBytes'), XChainGenesis),
  ofText(
    'genesis config',
    () => Corpus.texts(`${VECTORS}/genesis`, 'config', /custom|invalid/),
    (text) => {
      const config = GenesisConfig.parse(text)
      const printed = Json.stringify(GenesisConfig.toJSON(config))
      const again = Json.stringify(GenesisConfig.toJSON(GenesisConfig.parse(printed)))
      if (printed !== again) return 'a configuration differs after a round trip through JSON'
      const { bytes, genesisId } = Genesis.build(config)
      return Bytes.equals(Genesis.decode(bytes).genesisId, genesisId)
        ? undefined
        : 'a genesis differs after a round trip'
    },
  ),
  ofText('subnet-evm genesis', evm, (text) => {
    const genesis = SubnetEvmGenesis.parse(text, Upgrades.DEFAULT)
    SubnetEvmGenesis.firstBlock(genesis)
    Json.stringify(SubnetEvmGenesis.configJSON(genesis))
  }),
  ofText('c-chain genesis', evm, (text) => {
    CChainGenesis.firstBlock(EvmGenesis.parse(text), Upgrades.DEFAULT)
  }),
  ofText('genesis data', evm, (text) => {
    Json.stringify(GenesisData.of(new TextEncoder().encode(text)))
  }),
]
