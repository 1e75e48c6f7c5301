import { type EvmSnapshot, EvmTransactions } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body, Endpoint } from '../front/Endpoint.ts'
import { list } from '../front/List.ts'
import { chainOf, type EvmChainSource, type EvmContext } from './EvmContext.ts'
import { inChain, ofChain, perBlock } from './inChain.ts'
import { status, succeeded } from './parameters.ts'
import { transactionKey, transactionPlace } from './places.ts'
import { NativeTransaction, nativeTransaction } from './shapes/NativeTransaction.ts'
import { contractsAt } from './shapes/RichAddress.ts'

/** `GET /v1/chains/{chainId}/transactions`: transactions of a chain, newest first. */
export function listTransactions(context: EvmContext): Endpoint {
  return list({
    ...inChain(context),
    version: perBlock(context),
    path: '/v1/chains/{chainId}/transactions',
    summary: 'Transactions of a chain, newest first',
    pathParameters: ofChain(context),
    queryParameters: { status },
    pageSize: { fallback: 10, maximum: 100 },
    response: { transactions: Type.Array(NativeTransaction) },
    read: ({ path, query, at, after, limit }) =>
      EvmTransactions.latest(chainOf(context, path.chainId).store, at, {
        succeeded: succeeded(query.status),
        after: transactionPlace(after),
        limit,
      }),
    keyOf: transactionKey,
    body: async (page, { path, at }) => ({
      transactions: await nativeTransactions(chainOf(context, path.chainId), at, page),
    }),
  })
}

/** Returns transactions in the Data API's format. */
export async function nativeTransactions(
  { chain, store }: EvmChainSource,
  at: EvmSnapshot,
  page: readonly EvmTransactions.Transaction[],
): Promise<Body[]> {
  const contracts = await contractsAt(
    store,
    at,
    page.flatMap(({ sender, recipient }) => [sender, recipient]),
  )
  return page.map((listed) => nativeTransaction(chain, listed, contracts))
}
