import type { ChainAlias } from '@firn/codec'
import { Blocks, type Snapshot } from '@firn/store'
import type { Body, Endpoint } from '../../http/endpoint/Endpoint.ts'
import { list } from '../../http/endpoint/List.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { DataContext } from '../network/Context.ts'
import * as Names from '../network/Names.ts'
import { perBlock, primarySnapshots } from '../network/PrimarySnapshots.ts'
import { Block, block } from '../shapes/Block.ts'
import { ChainInfo } from '../shapes/ChainInfo.ts'

/** `GET …/{blockchainId}/blocks`: blocks of the P-, X- or C-chain, newest first. */
export function listBlocks(context: DataContext): Endpoint {
  const { store, tokens } = context
  return list({
    path: '/v1/networks/{network}/blockchains/{blockchainId}/blocks',
    operationId: 'listLatestPrimaryNetworkBlocks',
    summary: 'Blocks of the P-, X- or C-chain, newest first',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { network: Names.network(context), blockchainId: Names.primaryBlockchain(context) },
    queryParameters: {
      startTimestamp: Parameter.optional(Parameter.timestamp),
      endTimestamp: Parameter.optional(Parameter.timestamp),
      sortOrder: Parameter.choice(['asc', 'desc'], 'desc'),
    },
    pageSize: { fallback: 10, maximum: 100 },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'ListPrimaryNetworkBlocksResponse',
    response: {
      blocks: Schema.list(Block, 'Blocks of the page'),
      chainInfo: Schema.as(ChainInfo, 'Chain and network of the blocks'),
    },
    read: ({ path, query, at, after: [after] = [], limit }) =>
      Blocks.page(store, at, Names.LETTER[path.blockchainId], {
        from: query.startTimestamp,
        until: query.endTimestamp,
        after: after === undefined ? undefined : BigInt(after),
        order: query.sortOrder,
        limit,
      }),
    keyOf: ({ height }) => [String(height)],
    body: async (page, { path: { network, blockchainId }, at }) => ({
      blocks: await blockShapes(context, at, Names.LETTER[blockchainId], page),
      chainInfo: { chainName: blockchainId, network },
    }),
  })
}

/** Returns blocks in the Data API's format. */
export async function blockShapes(
  { store }: DataContext,
  at: Snapshot,
  chain: ChainAlias,
  page: readonly Blocks.Details[],
): Promise<Body[]> {
  const heights = page.map(({ height }) => height)
  const atomic = chain === 'C' ? await Blocks.transactionIds(store, at, chain, heights) : new Map()
  return page.map((listed) => block(chain, listed, atomic.get(listed.height) ?? []))
}
