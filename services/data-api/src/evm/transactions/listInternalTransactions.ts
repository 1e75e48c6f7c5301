import { EvmInternalCalls, EvmRetention } from '@firn/evm-store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { address, blockRange, keptFromBlock, later, tracedTo, tracedToBlock } from '../chain/parameters.ts'
import { callKey, callPlace } from '../chain/places.ts'
import { InternalTransaction, internalTransaction } from '../shapes/InternalTransaction.ts'
import { contractsAt } from '../shapes/RichAddress.ts'

/**
 * `GET …/addresses/{address}/transactions:listInternals`: internal calls from or to an address, newest first.
 */
export function listInternalTransactions(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/addresses/{address}/transactions:listInternals',
    operationId: 'listInternalTransactions',
    summary: 'Internal calls from or to an address, newest first',
    isPerBlock: true,
    pathParameters: { address },
    queryParameters: blockRange,
    responseName: 'ListInternalTransactionsResponse',
    response: {
      completeFromBlock: keptFromBlock('internal calls'),
      completeToBlock: tracedToBlock('later calls may be listed'),
      transactions: Schema.list(InternalTransaction, 'Internal calls of the page'),
    },
    read: async ({ source, path, query, at, after, limit }) => {
      if (!source.chain.hasTraces) throw new DataApiError('DATA_NOT_FOUND', WITHOUT_TRACES)
      return EvmInternalCalls.ofAddress(source.store, at, path.address, {
        from: later(query.startBlock, await EvmRetention.keptFrom(source.store, 'traces')),
        until: query.endBlock,
        after: callPlace(after),
        limit,
      })
    },
    keyOf: callKey,
    body: async (page, { source, at }) => {
      const parties = page.flatMap(({ sender, recipient }) => [sender, recipient])
      const contracts = await contractsAt(source, at, parties)
      return {
        completeFromBlock: (await EvmRetention.keptFrom(source.store, 'traces'))?.toString(),
        completeToBlock: tracedTo(at),
        transactions: page.map((listed) => internalTransaction(listed, contracts)),
      }
    },
  })
}

const WITHOUT_TRACES =
  "chainId: internal calls are not available, because the chain's node does not trace transactions"
