import { EvmTransactions } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Endpoint } from '../front/Endpoint.ts'
import { list } from '../front/List.ts'
import { chainOf, type EvmContext } from './EvmContext.ts'
import { blockOf } from './getBlock.ts'
import { inChain, ofChain, perBlock } from './inChain.ts'
import { nativeTransactions } from './listTransactions.ts'
import { blockId } from './parameters.ts'
import { NativeTransaction } from './shapes/NativeTransaction.ts'

/** `GET …/blocks/{blockId}/transactions`: the transactions of a block, in block order. */
export function listBlockTransactions(context: EvmContext): Endpoint {
  return list({
    ...inChain(context),
    version: perBlock(context),
    path: '/v1/chains/{chainId}/blocks/{blockId}/transactions',
    summary: 'The transactions of a block, in block order',
    pathParameters: { ...ofChain(context), blockId },
    queryParameters: {},
    // The official client sends pageSize=0 by default and requests no further pages.
    pageSize: { fallback: 10, maximum: 100, zero: 100 },
    response: { transactions: Type.Array(NativeTransaction) },
    read: async ({ path, at, after: [after] = [], limit }) => {
      const { store } = chainOf(context, path.chainId)
      const { height } = await blockOf(store, at, path.blockId)
      return EvmTransactions.ofBlock(store, height, {
        after: after === undefined ? undefined : Number(after),
        limit,
      })
    },
    keyOf: ({ index }) => [String(index)],
    body: async (page, { path, at }) => ({
      transactions: await nativeTransactions(chainOf(context, path.chainId), at, page),
    }),
  })
}
