import { EvmRetention, EvmTransactions } from '@firn/evm-store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { blockId } from '../chain/parameters.ts'
import { NativeTransaction } from '../shapes/NativeTransaction.ts'
import { blockOf } from './getBlock.ts'
import { nativeTransactions } from './listTransactions.ts'

/** `GET …/blocks/{blockId}/transactions`: the transactions of a block, in the block's order. */
export function listBlockTransactions(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/blocks/{blockId}/transactions',
    operationId: 'getTransactionsForBlock',
    summary: 'The transactions of a block, in block order',
    isPerBlock: true,
    pathParameters: { blockId },
    // The SDK sends pageSize=0 by default and does not request further pages.
    pageSize: { fallback: 10, maximum: 100, zero: 100 },
    responseName: 'ListBlockTransactionsResponse',
    response: { transactions: Schema.list(NativeTransaction, 'Transactions of the page') },
    read: async ({ source, path, at, after: [after] = [], limit }) => {
      const { height } = await blockOf(source.store, at, path.blockId)
      const place = { after: after === undefined ? undefined : Number(after), limit }
      const transactions = await EvmTransactions.ofBlock(source.store, height, place)
      // Transactions may be removed while they are read, so this is checked last.
      const first = (await EvmRetention.keptFrom(source.store, 'transactions')) ?? 0n
      if (height >= first) return transactions
      throw new DataApiError('DATA_NOT_FOUND', `blockId: transactions are only kept from block ${first} on`)
    },
    keyOf: ({ index }) => [String(index)],
    body: async (page, { source, at }) => ({
      transactions: await nativeTransactions(source, at, page),
    }),
  })
}
