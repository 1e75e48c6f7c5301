import { EvmBlocks } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Endpoint } from '../front/Endpoint.ts'
import { list } from '../front/List.ts'
import { chainOf, type EvmContext } from './EvmContext.ts'
import { inChain, ofChain, perBlock } from './inChain.ts'
import { EvmBlock, evmBlock } from './shapes/EvmBlock.ts'

/** `GET /v1/chains/{chainId}/blocks`: blocks of a chain, newest first. */
export function listBlocks(context: EvmContext): Endpoint {
  return list({
    ...inChain(context),
    version: perBlock(context),
    path: '/v1/chains/{chainId}/blocks',
    summary: 'Blocks of a chain, newest first',
    units: 10,
    pathParameters: ofChain(context),
    queryParameters: {},
    pageSize: { fallback: 10, maximum: 100 },
    response: { blocks: Type.Array(EvmBlock) },
    read: ({ path, at, after: [after] = [], limit }) =>
      EvmBlocks.page(chainOf(context, path.chainId).store, at, {
        until: after === undefined ? undefined : BigInt(after),
        limit,
      }),
    keyOf: ({ height }) => [String(height)],
    body: async (page, { path }) => {
      const { chain } = chainOf(context, path.chainId)
      return { blocks: page.map((block) => evmBlock(chain, block)) }
    },
  })
}
