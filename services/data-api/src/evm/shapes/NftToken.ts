import { Hex } from '@firn/codec'
import type { EvmTokens } from '@firn/evm-store'
import { INDEX_STATUSES } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { addressText } from '../chain/addressText.ts'
import { textOf } from '../chain/Text.ts'
import type { Contracts } from './RichAddress.ts'

const metadata = {
  indexStatus: Schema.choice(INDEX_STATUSES, 'Result of the last attempt to read the metadata', 'INDEXED'),
  metadataLastUpdatedTimestamp: Schema.optional(Field.seconds('Time of this attempt')),
  name: Schema.optional(Schema.text('Name', 'Firn #1')),
  symbol: Schema.optional(Schema.text('Symbol', 'FIRN')),
  imageUri: Schema.optional(Schema.text('URI of an image', 'ipfs://bafy/1.png')),
  imageHash: Schema.optional(
    Field.hash('SHA-256 of the stored copy of the image, which …/nfts/images/{imageHash} returns'),
  ),
  description: Schema.optional(Schema.text('Description', 'Old snow of last winter')),
  animationUri: Schema.optional(Schema.text('URI of an animation', 'ipfs://bafy/1.mp4')),
  externalUrl: Schema.optional(Schema.text('URL of a page about the token', 'https://example.org/1')),
  background: Schema.optional(Schema.text('Background colour', 'ffffff')),
}

const token = {
  tokenId: Schema.text('Token id within the contract, as decimal text', '1'),
  tokenUri: Schema.text('URI of the metadata; empty if the contract has none', 'ipfs://bafy/1'),
}

/** A token of an ERC-721 contract. */
export const Erc721Token = Schema.object('Erc721Token', 'A token of an ERC-721 contract', {
  address: Field.evmAddress('Address of the contract'),
  name: Schema.text('Name of the contract; empty if it has none', 'Firn'),
  symbol: Schema.text('Symbol of the contract; empty if it has none', 'FIRN'),
  ercType: Schema.constant('ERC-721', 'Token standard'),
  ...token,
  metadata: Schema.object('Erc721TokenMetadata', 'Metadata of an ERC-721 token', {
    ...metadata,
    attributes: Schema.optional(Schema.text('Attributes, as JSON text', '[{"trait_type":"Age","value":3}]')),
  }),
  ownerAddress: Schema.optional(Field.evmAddress('Owner of the token')),
})

/** A token of an ERC-1155 contract. */
export const Erc1155Token = Schema.object('Erc1155Token', 'A token of an ERC-1155 contract', {
  address: Field.evmAddress('Address of the contract'),
  ercType: Schema.constant('ERC-1155', 'Token standard'),
  ...token,
  metadata: Schema.object('Erc1155TokenMetadata', 'Metadata of an ERC-1155 token', {
    ...metadata,
    decimals: Schema.optional(Schema.integer('Number of decimals in which amounts are shown', 0)),
    properties: Schema.optional(Schema.text('Properties, as JSON text', '{"age":3}')),
  }),
})

/** An ERC-721 or ERC-1155 token, distinguished by `ercType`. */
export const NftToken = Schema.union('ErcToken', 'An ERC-721 or ERC-1155 token, distinguished by `ercType`', [
  Erc721Token,
  Erc1155Token,
])

/** Returns a token in the Data API's format. */
export function nftToken(token: EvmTokens.Token, contracts: Contracts) {
  return token.standard === 721 ? erc721Token(token, contracts) : erc1155Token(token)
}

/** Returns an ERC-721 token in the Data API's format. */
export function erc721Token(token: EvmTokens.Token, contracts: Contracts) {
  const contract = contracts.get(token.contract)
  const about = contracts.about(token.contract)
  return {
    address: addressText(token.contract),
    name: about?.name ?? textOf(contract?.name) ?? '',
    symbol: about?.symbol ?? textOf(contract?.symbol) ?? '',
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

function common({ indexStatus, checkedAt, metadata, imageHash }: EvmTokens.Token) {
  const { name, symbol, imageUri, description, animationUri, externalUrl, background } = metadata ?? {}
  return {
    indexStatus: indexStatus ?? 'UNINDEXED',
    metadataLastUpdatedTimestamp: checkedAt ?? undefined,
    name,
    symbol,
    imageUri,
    imageHash: imageUri === undefined || imageHash === null ? undefined : Hex.encode(imageHash),
    description,
    animationUri,
    externalUrl,
    background,
  } satisfies Body
}
