import { Id } from '@firn/codec'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { Currency } from '../../metadata/Currency.ts'
import type { ChainEntry } from '../../metadata/MetadataSchema.ts'
import type { EvmChainSource } from '../chain/EvmContext.ts'

/** EVM chain id in answers. */
export const chainIdText = Schema.text('EVM chain id, as decimal text', '43114')

/** URL of a logo in examples. */
export const LOGO = 'https://example.org/logo.svg'

/** The token in which the chain's fees are paid. */
export const NetworkToken = Schema.object('NetworkToken', 'The token in which the fees of a chain are paid', {
  name: Schema.text('Name of the token', 'Avalanche'),
  symbol: Schema.text('Symbol of the token', 'AVAX'),
  decimals: Schema.integer('Number of decimals', 18),
  logoUri: Schema.optional(Schema.text('URL of a logo', LOGO)),
  description: Schema.optional(Schema.text('Description of the token', 'The token of the Primary Network')),
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
  vmId: Schema.optional(
    Field.cb58('Id of the virtual machine', 'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6'),
  ),
  vmName: Schema.choice(['EVM', 'BITCOIN', 'ETHEREUM'], 'Kind of virtual machine'),
  explorerUrl: Schema.optional(Schema.text('URL of a block explorer', 'https://explorer.example.org')),
  rpcUrl: Schema.text(
    'URL of the JSON-RPC API; empty if the operator configured no URL',
    'https://rpc.example.org/ext/bc/C/rpc',
  ),
  wsUrl: Schema.optional(Schema.text('URL of the WebSocket API', 'wss://rpc.example.org/ext/bc/C/ws')),
  isTestnet: Schema.flag('Whether the chain belongs to a test network', false),
  utilityAddresses: Schema.optional(
    Schema.object('UtilityAddresses', 'Contracts that clients use', {
      multicall: Schema.optional(Field.evmAddress('Multicall contract')),
    }),
  ),
  networkToken: Schema.as(NetworkToken, 'Token in which fees are paid'),
  chainLogoUri: Schema.optional(Schema.text('URL of a logo', LOGO)),
  private: Schema.optional(Schema.flag('Whether the chain is private', false)),
  enabledFeatures: Schema.list(
    Schema.choice(['nftIndexing', 'webhooks', 'teleporter'], 'Feature'),
    'Features that the service provides for the chain',
  ),
})

/** Returns the names of the features that the service provides for a chain. */
export function featuresOf({ chain }: Pick<EvmChainSource, 'chain'>) {
  return chain.isEventsOnly === true ? ([] as const) : (['nftIndexing', 'teleporter'] as const)
}

/** Returns a chain in the Data API's format. */
export function chainInfo(source: EvmChainSource, isThere: boolean): Body {
  const { chain, metadata } = source
  const { chainId, name, network, blockchainId, subnetId } = chain
  const about = metadata?.chain(chainId) ?? {}
  return {
    chainId: String(chainId),
    status: isThere ? 'OK' : 'UNAVAILABLE',
    chainName: about.name ?? name,
    description: about.description ?? '',
    platformChainId: blockchainId && Id.format(blockchainId),
    subnetId: subnetId && Id.format(subnetId),
    vmId: about.vmId,
    vmName: 'EVM',
    explorerUrl: about.explorerUrl,
    rpcUrl: about.rpcUrl ?? '',
    wsUrl: about.wsUrl,
    isTestnet: network !== 'mainnet',
    utilityAddresses: about.multicall === undefined ? undefined : { multicall: about.multicall },
    networkToken: networkToken(source),
    chainLogoUri: about.logoUri,
    private: about.isPrivate,
    enabledFeatures: [...featuresOf({ chain })],
  }
}

/** Returns the token in which the fees of a chain are paid, in the Data API's format. */
export function networkToken({ chain, metadata }: EvmChainSource) {
  const token: ChainEntry['token'] = metadata?.chain(chain.chainId)?.token ?? chain.token
  const { name, symbol, decimals, logoUri, description } = token
  return { name, symbol, decimals, logoUri, description } satisfies Body
}

/** Returns the current price of the token in which the fees of a chain are paid. */
export function networkTokenPrice(source: EvmChainSource, currency: Currency): number | undefined {
  return source.metadata?.price(networkTokenPriceId(source), currency)
}

/** Returns the name of the price of the token in which the fees of a chain are paid. */
export function networkTokenPriceId({ chain, metadata }: EvmChainSource): string | undefined {
  return metadata?.chain(chain.chainId)?.token?.priceId
}
