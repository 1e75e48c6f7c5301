import { EvmRetention, type EvmSnapshot, EvmTransactions } from '@firn/evm-store'
import type { Body, Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmChainSource, EvmContext } from '../chain/EvmContext.ts'
import { keptFromBlock, status, succeeded } from '../chain/parameters.ts'
import { transactionKey, transactionPlace } from '../chain/places.ts'
import { NativeTransaction, nativeTransaction } from '../shapes/NativeTransaction.ts'
import { contractsAt } from '../shapes/RichAddress.ts'

/** `GET /v1/chains/{chainId}/transactions`: transactions of a chain, newest first. */
export function listTransactions(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/transactions',
    operationId: 'listLatestTransactions',
    summary: 'Transactions of a chain, newest first',
    isPerBlock: true,
    queryParameters: { status },
    responseName: 'ListNativeTransactionsResponse',
    response: {
      completeFromBlock: keptFromBlock('transactions'),
      transactions: Schema.list(NativeTransaction, 'Transactions of the page'),
    },
    read: async ({ source, query, at, after, limit }) =>
      EvmTransactions.latest(source.store, at, {
        from: await EvmRetention.keptFrom(source.store, 'transactions'),
        succeeded: succeeded(query.status),
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

/** Returns transactions in the Data API's format. */
export async function nativeTransactions(
  source: EvmChainSource,
  at: EvmSnapshot,
  page: readonly EvmTransactions.Transaction[],
): Promise<Body[]> {
  const contracts = await contractsAt(
    source,
    at,
    page.flatMap(({ sender, recipient }) => [sender, recipient]),
    page,
  )
  return page.map((listed) => nativeTransaction(source.chain, at, listed, contracts))
}
