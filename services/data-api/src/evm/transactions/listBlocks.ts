import { EvmBlocks, EvmRetention } from '@firn/evm-store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { EvmBlock, evmBlock } from '../shapes/EvmBlock.ts'

/** `GET /v1/chains/{chainId}/blocks`: blocks of a chain, newest first. */
export function listBlocks(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/blocks',
    operationId: 'getLatestBlocks',
    summary: 'Blocks of a chain, newest first',
    isPerBlock: true,
    units: 10,
    responseName: 'ListEvmBlocksResponse',
    response: {
      completeFromBlock: Schema.optional(
        Field.height('Block from which on blocks are listed; absent if all are kept'),
      ),
      blocks: Schema.list(EvmBlock, 'Blocks of the page'),
    },
    read: ({ source, at, after: [after] = [], limit }) =>
      EvmBlocks.page(source.store, at, {
        until: after === undefined ? undefined : BigInt(after),
        limit,
      }),
    keyOf: ({ height }) => [String(height)],
    body: async (page, { source, at }) => ({
      completeFromBlock: (await EvmRetention.keptFrom(source.store, 'blocks'))?.toString(),
      blocks: page.map((block) => evmBlock(source.chain, at, block)),
    }),
  })
}
