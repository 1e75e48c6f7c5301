import { EvmInternalCalls } from '@firn/store/evm'
import { Type } from 'typebox'
import { DataApiError } from '../DataApiError.ts'
import type { Endpoint } from '../front/Endpoint.ts'
import { list } from '../front/List.ts'
import { chainOf, type EvmContext } from './EvmContext.ts'
import { inChain, ofChain, perBlock } from './inChain.ts'
import { address, blockRange } from './parameters.ts'
import { callKey, callPlace } from './places.ts'
import { InternalTransaction, internalTransaction } from './shapes/InternalTransaction.ts'
import { contractsAt } from './shapes/RichAddress.ts'

/**
 * `GET …/addresses/{address}/transactions:listInternals`: internal calls from or to an address, newest first.
 */
export function listInternalTransactions(context: EvmContext): Endpoint {
  return list({
    ...inChain(context),
    version: perBlock(context),
    path: '/v1/chains/{chainId}/addresses/{address}/transactions:listInternals',
    summary: 'Internal calls from or to an address, newest first',
    pathParameters: { ...ofChain(context), address },
    queryParameters: blockRange,
    pageSize: { fallback: 10, maximum: 100 },
    response: { transactions: Type.Array(InternalTransaction) },
    read: ({ path, query, at, after, limit }) => {
      const { chain, store } = chainOf(context, path.chainId)
      if (!chain.hasTraces) throw new DataApiError('DATA_NOT_FOUND', WITHOUT_TRACES)
      return EvmInternalCalls.ofAddress(store, at, path.address, {
        from: query.startBlock,
        until: query.endBlock,
        after: callPlace(after),
        limit,
      })
    },
    keyOf: callKey,
    body: async (page, { path, at }) => {
      const parties = page.flatMap(({ sender, recipient }) => [sender, recipient])
      const contracts = await contractsAt(chainOf(context, path.chainId).store, at, parties)
      return { transactions: page.map((listed) => internalTransaction(listed, contracts)) }
    },
  })
}

const WITHOUT_TRACES =
  "chainId: internal calls are not available, because the chain's node does not trace transactions"
