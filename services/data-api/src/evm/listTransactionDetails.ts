import { EvmTransactions } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Endpoint } from '../front/Endpoint.ts'
import { list } from '../front/List.ts'
import * as Parameter from '../front/Parameter.ts'
import { chainOf, type EvmContext } from './EvmContext.ts'
import { inChain, ofChain, perBlock } from './inChain.ts'
import { address, blockRange } from './parameters.ts'
import { transactionKey, transactionPlace } from './places.ts'
import { NativeTransaction, nativeTransaction } from './shapes/NativeTransaction.ts'
import { partsOf, transactionParts } from './transactionParts.ts'

/**
 * `GET …/addresses/{address}/transactions`: transactions of an address, with its native transfer, token
 * transfers and internal calls in each.
 */
export function listTransactionDetails(context: EvmContext): Endpoint {
  return list({
    ...inChain(context),
    version: perBlock(context),
    path: '/v1/chains/{chainId}/addresses/{address}/transactions',
    summary:
      'Transactions of an address, with its native transfer, token transfers and internal calls in each',
    pathParameters: { ...ofChain(context), address },
    queryParameters: { ...blockRange, sortOrder: Parameter.choice(['asc', 'desc'], 'desc') },
    pageSize: { fallback: 10, maximum: 100 },
    response: {
      transactions: Type.Array(Type.Object({ nativeTransaction: NativeTransaction, ...transactionParts })),
    },
    read: ({ path, query, at, after, limit }) =>
      EvmTransactions.involving(chainOf(context, path.chainId).store, at, path.address, {
        from: query.startBlock,
        until: query.endBlock,
        order: query.sortOrder,
        after: transactionPlace(after),
        limit,
      }),
    keyOf: transactionKey,
    body: async (page, { path, at }) => {
      const source = chainOf(context, path.chainId)
      const parts = await partsOf(source, at, page, path.address)
      return {
        transactions: page.map((listed) => ({
          nativeTransaction: nativeTransaction(source.chain, listed, parts.contracts),
          ...parts.of(listed),
        })),
      }
    },
  })
}
