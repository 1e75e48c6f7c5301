import { Id } from '@firn/codec'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import type { EvmChainSource } from '../EvmContext.ts'

/** The token in which the chain's fees are paid. */
export const NetworkToken = Type.Object({
  name: Type.String(),
  symbol: Type.String(),
  decimals: Type.Number(),
})

/** An EVM chain that the service serves. */
export const ChainInfo = Type.Object({
  chainId: Type.String(),
  status: Type.Enum(['OK', 'UNAVAILABLE'], {
    description: 'UNAVAILABLE until the chain’s first block is indexed',
  }),
  chainName: Type.String(),
  description: Type.String(),
  platformChainId: Type.Optional(Type.String()),
  subnetId: Type.Optional(Type.String()),
  vmName: Type.Enum(['EVM', 'BITCOIN', 'ETHEREUM']),
  explorerUrl: Type.Optional(Type.String()),
  rpcUrl: Type.String({ description: 'empty if the operator configured no URL' }),
  wsUrl: Type.Optional(Type.String()),
  isTestnet: Type.Boolean(),
  networkToken: NetworkToken,
  chainLogoUri: Type.Optional(Type.String()),
  enabledFeatures: Type.Array(Type.Enum(['nftIndexing', 'webhooks', 'teleporter'])),
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
