import { Id } from '@firn/codec'
import type { Body } from '../../front/Endpoint.ts'
import * as Field from '../../front/Field.ts'
import * as Schema from '../../front/Schema.ts'
import type { EvmChainSource } from '../EvmContext.ts'

/** EVM chain id in answers. */
export const chainIdText = Schema.text('EVM chain id, as decimal text', '43114')

/** The token in which the chain's fees are paid. */
export const NetworkToken = Schema.object('NetworkToken', 'The token in which the fees of a chain are paid', {
  name: Schema.text('Name of the token', 'Avalanche'),
  symbol: Schema.text('Symbol of the token', 'AVAX'),
  decimals: Schema.integer('Number of decimals', 18),
})

/** An EVM chain that the service serves. */
export const ChainInfo = Schema.object('ChainInfo', 'An EVM chain that the service serves', {
  chainId: chainIdText,
  status: Schema.choice(['OK', 'UNAVAILABLE'], '`UNAVAILABLE` until the first block of the chain is indexed'),
  chainName: Schema.text('Name of the chain', 'Avalanche C-Chain'),
  description: Schema.text('Description of the chain', 'The C-chain of the Primary Network'),
  platformChainId: Schema.optional(Field.cb58('Blockchain id')),
  subnetId: Schema.optional(
    Field.cb58('Subnet that validates the chain', '11111111111111111111111111111111LpoYY'),
  ),
  vmName: Schema.choice(['EVM', 'BITCOIN', 'ETHEREUM'], 'Kind of virtual machine'),
  explorerUrl: Schema.optional(Schema.text('URL of a block explorer', 'https://explorer.example.org')),
  rpcUrl: Schema.text(
    'URL of the JSON-RPC API; empty if the operator configured no URL',
    'https://rpc.example.org/ext/bc/C/rpc',
  ),
  wsUrl: Schema.optional(Schema.text('URL of the WebSocket API', 'wss://rpc.example.org/ext/bc/C/ws')),
  isTestnet: Schema.flag('Whether the chain belongs to a test network', false),
  networkToken: Schema.as(NetworkToken, 'Token in which fees are paid'),
  chainLogoUri: Schema.optional(Schema.text('URL of a logo', 'https://explorer.example.org/logo.svg')),
  enabledFeatures: Schema.list(
    Schema.choice(['nftIndexing', 'webhooks', 'teleporter'], 'Feature'),
    'Features that the service provides for the chain',
  ),
})

/** Returns the names of the features that the service provides for a chain. */
export function featuresOf({ chain }: Pick<EvmChainSource, 'chain'>) {
  return chain.isEventsOnly === true ? ([] as const) : (['nftIndexing'] as const)
}

/** Returns a chain in the Data API's format. */
export function chainInfo({ chain, links = {} }: EvmChainSource, isThere: boolean): Body {
  const { chainId, name, network, blockchainId, subnetId, token } = chain
  return {
    chainId: String(chainId),
    status: isThere ? 'OK' : 'UNAVAILABLE',
    chainName: name,
    description: '',
    platformChainId: blockchainId && Id.format(blockchainId),
    subnetId: subnetId && Id.format(subnetId),
    vmName: 'EVM',
    explorerUrl: links.explorerUrl,
    rpcUrl: links.rpcUrl ?? '',
    wsUrl: links.wsUrl,
    isTestnet: network !== 'mainnet',
    networkToken: { name: token.name, symbol: token.symbol, decimals: token.decimals },
    chainLogoUri: links.logoUri,
    enabledFeatures: [...featuresOf({ chain })],
  }
}
