import { EvmTransactions } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Endpoint } from '../front/Endpoint.ts'
import { chainList } from './chainList.ts'
import type { EvmContext } from './EvmContext.ts'
import { blockOf } from './getBlock.ts'
import { nativeTransactions } from './listTransactions.ts'
import { blockId } from './parameters.ts'
import { NativeTransaction } from './shapes/NativeTransaction.ts'

/** `GET …/blocks/{blockId}/transactions`: the transactions of a block, in the block's order. */
export function listBlockTransactions(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/blocks/{blockId}/transactions',
    summary: 'The transactions of a block, in block order',
    isPerBlock: true,
    pathParameters: { blockId },
    // The SDK sends pageSize=0 by default and does not request further pages.
    pageSize: { fallback: 10, maximum: 100, zero: 100 },
    response: { transactions: Type.Array(NativeTransaction) },
    read: async ({ source, path, at, after: [after] = [], limit }) => {
      const { height } = await blockOf(source.store, at, path.blockId)
      return EvmTransactions.ofBlock(source.store, height, {
        after: after === undefined ? undefined : Number(after),
        limit,
      })
    },
    keyOf: ({ index }) => [String(index)],
    body: async (page, { source, at }) => ({
      transactions: await nativeTransactions(source, at, page),
    }),
  })
}
