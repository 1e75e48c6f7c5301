import { EvmTransactions } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Endpoint } from '../front/Endpoint.ts'
import { list } from '../front/List.ts'
import { chainOf, type EvmContext } from './EvmContext.ts'
import { inChain, ofChain, perBlock } from './inChain.ts'
import { nativeTransactions } from './listTransactions.ts'
import { address, blockRange } from './parameters.ts'
import { transactionKey, transactionPlace } from './places.ts'
import { NativeTransaction } from './shapes/NativeTransaction.ts'

/** `GET …/addresses/{address}/transactions:listNative`: transactions from or to an address, newest first. */
export function listNativeTransactions(context: EvmContext): Endpoint {
  return list({
    ...inChain(context),
    version: perBlock(context),
    path: '/v1/chains/{chainId}/addresses/{address}/transactions:listNative',
    summary: 'Transactions from or to an address, newest first',
    pathParameters: { ...ofChain(context), address },
    queryParameters: blockRange,
    pageSize: { fallback: 10, maximum: 100 },
    response: { transactions: Type.Array(NativeTransaction) },
    read: ({ path, query, at, after, limit }) =>
      EvmTransactions.ofAddress(chainOf(context, path.chainId).store, at, path.address, {
        from: query.startBlock,
        until: query.endBlock,
        after: transactionPlace(after),
        limit,
      }),
    keyOf: transactionKey,
    body: async (page, { path, at }) => ({
      transactions: await nativeTransactions(chainOf(context, path.chainId), at, page),
    }),
  })
}
