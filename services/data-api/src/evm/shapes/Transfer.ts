import { Hex } from '@firn/codec'
import type { EvmTokens, EvmTransfers } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { Erc20Token, erc20Token } from './Erc20Token.ts'
import { inBlock } from './EvmBlock.ts'
import { Erc721Token, Erc1155Token, erc721Token, erc1155Token } from './NftToken.ts'
import { type Contracts, RichAddress, richAddress } from './RichAddress.ts'

const parties = { from: RichAddress, to: RichAddress, logIndex: Type.Number() }
const erc20 = { ...parties, value: Type.String(), erc20Token: Erc20Token }
const erc721 = { ...parties, erc721Token: Erc721Token }
const erc1155 = { ...parties, value: Type.String(), erc1155Token: Erc1155Token }
const inTransaction = { ...inBlock, txHash: Type.String() }

/** Token transfers as they appear within their transaction. */
export const Erc20TransferDetails = Type.Object(erc20)
export const Erc721TransferDetails = Type.Object(erc721)
export const Erc1155TransferDetails = Type.Object(erc1155)

/** Token transfers in a list, each with its transaction. */
export const Erc20Transfer = Type.Object({ ...inTransaction, ...erc20 })
export const Erc721Transfer = Type.Object({ ...inTransaction, ...erc721 })
export const Erc1155Transfer = Type.Object({ ...inTransaction, ...erc1155 })

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
