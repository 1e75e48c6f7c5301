import { EvmRetention, EvmTransactions } from '@firn/evm-store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { address, blockRange, keptFromBlock, later } from '../chain/parameters.ts'
import { transactionKey, transactionPlace } from '../chain/places.ts'
import { NativeTransaction } from '../shapes/NativeTransaction.ts'
import { nativeTransactions } from './listTransactions.ts'

/** `GET …/addresses/{address}/transactions:listNative`: transactions from or to an address, newest first. */
export function listNativeTransactions(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/addresses/{address}/transactions:listNative',
    operationId: 'listNativeTransactions',
    summary: 'Transactions from or to an address, newest first',
    isPerBlock: true,
    pathParameters: { address },
    queryParameters: blockRange,
    responseName: 'ListNativeTransactionsResponse',
    response: {
      completeFromBlock: keptFromBlock('transactions'),
      transactions: Schema.list(NativeTransaction, 'Transactions of the page'),
    },
    read: async ({ source, path, query, at, after, limit }) =>
      EvmTransactions.ofAddress(source.store, at, path.address, {
        from: later(query.startBlock, await EvmRetention.keptFrom(source.store, 'transactions')),
        until: query.endBlock,
        after: transactionPlace(after),
        limit,
      }),
    keyOf: transactionKey,
    body: async (page, { source, at }) => ({
      completeFromBlock: (await EvmRetention.keptFrom(source.store, 'transactions'))?.toString(),
      transactions: await nativeTransactions(source, at, page),
    }),
  })
}
