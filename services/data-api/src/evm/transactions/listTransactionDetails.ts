import { EvmRetention, EvmTransactions } from '@firn/evm-store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { address, blockRange, keptFromBlock, later, tracedTo, tracedToBlock } from '../chain/parameters.ts'
import { transactionKey, transactionPlace } from '../chain/places.ts'
import { NativeTransaction, nativeTransaction } from '../shapes/NativeTransaction.ts'
import { partsOf, transactionParts } from './transactionParts.ts'

/**
 * `GET …/addresses/{address}/transactions`: transactions of an address, each with the address's native
 * transfer, token transfers and internal calls.
 */
export function listTransactionDetails(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/addresses/{address}/transactions',
    operationId: 'listTransactions',
    summary:
      'Transactions of an address, with its native transfer, token transfers and internal calls in each',
    isPerBlock: true,
    rowsPerElement: () => 20,
    pathParameters: { address },
    queryParameters: { ...blockRange, sortOrder: Parameter.choice(['asc', 'desc'], 'desc') },
    responseName: 'ListTransactionDetailsResponse',
    response: {
      completeFromBlock: keptFromBlock('transactions'),
      tracesFromBlock: keptFrom('internal calls'),
      tracesToBlock: tracedToBlock(
        'transactions of that block in which the address only took part by them are not listed',
      ),
      transfersFromBlock: keptFrom('token transfers'),
      transactions: Schema.list(
        Schema.object('TransactionDetails', 'A transaction with its token transfers and internal calls', {
          nativeTransaction: NativeTransaction,
          ...transactionParts,
        }),
        'Transactions of the page',
      ),
    },
    read: async ({ source, path, query, at, after, limit }) =>
      EvmTransactions.involving(source.store, at, path.address, {
        from: later(query.startBlock, await EvmRetention.keptFrom(source.store, 'transactions')),
        until: query.endBlock,
        order: query.sortOrder,
        after: transactionPlace(after),
        limit,
      }),
    keyOf: transactionKey,
    body: async (page, { source, path, at }) => {
      const parts = await partsOf(source, at, page, path.address)
      const kinds = ['transactions', 'traces', 'transfers'] as const
      const kept = await Promise.all(kinds.map((kind) => EvmRetention.keptFrom(source.store, kind)))
      const [completeFromBlock, tracesFromBlock, transfersFromBlock] = kept.map((height) =>
        height?.toString(),
      )
      return {
        completeFromBlock,
        tracesFromBlock,
        tracesToBlock: tracedTo(at),
        transfersFromBlock,
        transactions: page.map((listed) => ({
          nativeTransaction: nativeTransaction(source.chain, at, listed, parts.contracts),
          ...parts.of(listed),
        })),
      }
    },
  })
}

function keptFrom(what: string) {
  const remark = 'earlier transactions in which the address only took part by them are not listed'
  return Schema.optional(
    Field.height(`Block from which on ${what} are kept; absent if all are kept (${remark})`),
  )
}
