import { INDEX_STATUSES } from '@firn/store'
import type { EvmTokens } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { addressText, type Contracts } from './RichAddress.ts'
import { textOf } from './Text.ts'

const metadata = {
  indexStatus: Type.Enum([...INDEX_STATUSES]),
  metadataLastUpdatedTimestamp: Type.Optional(Type.Number()),
  name: Type.Optional(Type.String()),
  symbol: Type.Optional(Type.String()),
  imageUri: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  animationUri: Type.Optional(Type.String()),
  externalUrl: Type.Optional(Type.String()),
  background: Type.Optional(Type.String()),
}

/** A token of an ERC-721 contract. */
export const Erc721Token = Type.Object({
  address: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  ercType: Type.Literal('ERC-721'),
  tokenId: Type.String(),
  tokenUri: Type.String(),
  metadata: Type.Object({
    ...metadata,
    attributes: Type.Optional(Type.String({ description: 'JSON' })),
  }),
  ownerAddress: Type.Optional(Type.String()),
})

/** A token of an ERC-1155 contract. */
export const Erc1155Token = Type.Object({
  address: Type.String(),
  ercType: Type.Literal('ERC-1155'),
  tokenId: Type.String(),
  tokenUri: Type.String(),
  metadata: Type.Object({
    ...metadata,
    decimals: Type.Optional(Type.Number()),
    properties: Type.Optional(Type.String({ description: 'JSON' })),
  }),
})

/** An ERC-721 or ERC-1155 token, distinguished by `ercType`. */
export const NftToken = Type.Union([Erc721Token, Erc1155Token])

/** Returns a token in the Data API's format. */
export function nftToken(token: EvmTokens.Token, contracts: Contracts) {
  return token.standard === 721 ? erc721Token(token, contracts) : erc1155Token(token)
}

/** Returns an ERC-721 token in the Data API's format. */
export function erc721Token(token: EvmTokens.Token, contracts: Contracts) {
  const contract = contracts.get(token.contract)
  return {
    address: addressText(token.contract),
    name: textOf(contract?.name) ?? '',
    symbol: textOf(contract?.symbol) ?? '',
    ercType: 'ERC-721',
    tokenId: String(token.tokenId),
    tokenUri: token.uri ?? '',
    metadata: { ...common(token), attributes: token.metadata?.attributes },
    ownerAddress: token.owner === null ? undefined : addressText(token.owner),
  } satisfies Body
}

/** Returns an ERC-1155 token in the Data API's format. */
export function erc1155Token(token: EvmTokens.Token) {
  const { decimals, properties } = token.metadata ?? {}
  return {
    address: addressText(token.contract),
    ercType: 'ERC-1155',
    tokenId: String(token.tokenId),
    tokenUri: token.uri ?? '',
    metadata: { ...common(token), decimals, properties },
  } satisfies Body
}

function common({ indexStatus, checkedAt, metadata }: EvmTokens.Token) {
  const { name, symbol, imageUri, description, animationUri, externalUrl, background } = metadata ?? {}
  return {
    indexStatus: indexStatus ?? 'UNINDEXED',
    metadataLastUpdatedTimestamp: checkedAt ?? undefined,
    name,
    symbol,
    imageUri,
    description,
    animationUri,
    externalUrl,
    background,
  } satisfies Body
}
