import { Hex } from '@firn/codec'
import type { EvmTokens, EvmTransfers } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { Erc20Token, erc20Token } from './Erc20Token.ts'
import { inTransaction } from './EvmBlock.ts'
import { Erc721Token, Erc1155Token, erc721Token, erc1155Token } from './NftToken.ts'
import { type Contracts, RichAddress, richAddress } from './RichAddress.ts'

const parties = {
  from: Schema.as(RichAddress, 'Sender; the zero address for a mint'),
  to: Schema.as(RichAddress, 'Recipient; the zero address for a burn'),
  logIndex: Schema.integer('Index of the log in its block', 4),
}
const erc20 = {
  ...parties,
  value: Field.units('Transferred amount'),
  erc20Token: Schema.as(Erc20Token, 'Transferred token'),
}
const erc721 = { ...parties, erc721Token: Schema.as(Erc721Token, 'Transferred token') }
const erc1155 = {
  ...parties,
  value: Schema.text('Number of transferred tokens, as decimal text', '5'),
  erc1155Token: Schema.as(Erc1155Token, 'Transferred token'),
}

/** Token transfers as they appear within their transaction. */
export const Erc20TransferDetails = Schema.object(
  'Erc20TransferDetails',
  'An ERC-20 transfer within its transaction',
  erc20,
)
export const Erc721TransferDetails = Schema.object(
  'Erc721TransferDetails',
  'An ERC-721 transfer within its transaction',
  erc721,
)
export const Erc1155TransferDetails = Schema.object(
  'Erc1155TransferDetails',
  'An ERC-1155 transfer within its transaction',
  erc1155,
)

/** Token transfers in a list, each with its transaction. */
export const Erc20Transfer = Schema.object(
  'Erc20Transfer',
  'An ERC-20 transfer with its block and transaction',
  { ...inTransaction, ...erc20 },
)
export const Erc721Transfer = Schema.object(
  'Erc721Transfer',
  'An ERC-721 transfer with its block and transaction',
  { ...inTransaction, ...erc721 },
)
export const Erc1155Transfer = Schema.object(
  'Erc1155Transfer',
  'An ERC-1155 transfer with its block and transaction',
  { ...inTransaction, ...erc1155 },
)

/** Contracts and tokens that transfers refer to. */
export interface Named {
  readonly contracts: Contracts
  readonly tokens: NamedTokens
}

/** Tokens that an answer refers to. */
export interface NamedTokens {
  get(key: { readonly contract: Uint8Array; readonly tokenId: bigint }): EvmTokens.Token
}

/** Returns a transfer, with its block and transaction, in the Data API's format for its token standard. */
export function transfer(listed: EvmTransfers.TransferInBlock, named: Named): Body {
  return {
    blockNumber: String(listed.height),
    blockTimestamp: listed.time,
    blockTimestampMilliseconds: listed.timeMilliseconds ?? undefined,
    blockHash: Hex.encode(listed.blockHash),
    txHash: Hex.encode(listed.transactionHash),
    ...transferDetails(listed, named),
  }
}

/**
 * Returns a transfer in the Data API's format for its token standard, as it appears within its transaction.
 */
export function transferDetails(one: EvmTransfers.Transfer, { contracts, tokens }: Named) {
  const parties = {
    from: richAddress(one.sender, contracts),
    to: richAddress(one.recipient, contracts),
    logIndex: one.logIndex,
  }
  if (one.standard === 20) {
    return { ...parties, value: String(one.amount), erc20Token: erc20Token(one.contract, contracts) }
  }
  const token = tokens.get({ contract: one.contract, tokenId: one.tokenId ?? 0n })
  return one.standard === 721
    ? { ...parties, erc721Token: erc721Token(token, contracts) }
    : { ...parties, value: String(one.amount), erc1155Token: erc1155Token(token) }
}
