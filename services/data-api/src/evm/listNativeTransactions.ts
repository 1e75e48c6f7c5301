import { EvmTransactions } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Endpoint } from '../front/Endpoint.ts'
import { chainList } from './chainList.ts'
import type { EvmContext } from './EvmContext.ts'
import { nativeTransactions } from './listTransactions.ts'
import { address, blockRange } from './parameters.ts'
import { transactionKey, transactionPlace } from './places.ts'
import { NativeTransaction } from './shapes/NativeTransaction.ts'

/** `GET …/addresses/{address}/transactions:listNative`: transactions from or to an address, newest first. */
export function listNativeTransactions(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/addresses/{address}/transactions:listNative',
    summary: 'Transactions from or to an address, newest first',
    isPerBlock: true,
    pathParameters: { address },
    queryParameters: blockRange,
    response: { transactions: Type.Array(NativeTransaction) },
    read: ({ source, path, query, at, after, limit }) =>
      EvmTransactions.ofAddress(source.store, at, path.address, {
        from: query.startBlock,
        until: query.endBlock,
        after: transactionPlace(after),
        limit,
      }),
    keyOf: transactionKey,
    body: async (page, { source, at }) => ({
      transactions: await nativeTransactions(source, at, page),
    }),
  })
}
