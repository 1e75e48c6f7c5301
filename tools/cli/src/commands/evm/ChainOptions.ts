import { group, option, Type } from '@firn/options'
import * as GatewayOptions from '../GatewayOptions.ts'
import * as Chains from './Chains.ts'

const CHAINS: Type.Type<readonly Chains.Named[]> = Type.create({
  placeholder: 'url,…',
  expected: "a node's URL, or several separated by commas, after <chain id>= where no node tells the id",
  parse: (text): readonly Chains.Named[] => [Chains.parse(text)],
  fromJson: (json): readonly Chains.Named[] => [json].flat().map((one) => Chains.parse(String(one))),
  combine: (before, next) => [...before, ...next],
})

/** An EVM chain by its id. */
export const CHAIN_ID: Type.Type<bigint> = { ...Type.big, expected: 'an EVM chain id' }

/** Options of EVM chains and of the gateway in front of their nodes. */
export const OPTIONS = {
  ...group('EVM chains', {
    chain: option(CHAINS, {
      help: "An EVM chain's nodes, separated by commas; repeat it for more chains; <chain id>=<url> where no node answers with its id.",
    }),
    chainDetails: option(Type.path, {
      help: 'JSON file with names, tokens and first blocks of chains by chain id.',
    }),
    ipfsGateway: option(Type.list(Type.url('http', 'https')), {
      defaultText: 'public gateways',
      help: 'Where the metadata of tokens with ipfs: URIs is fetched.',
    }),
    gatewayPort: option(Type.port, {
      default: 8702,
      help: "Port of the gateway in front of the chains' nodes.",
    }),
  }),
  ...GatewayOptions.OPTIONS,
}
