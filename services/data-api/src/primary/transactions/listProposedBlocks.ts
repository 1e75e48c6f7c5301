import { Blocks, Derivation } from '@firn/store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import { list } from '../../http/endpoint/List.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { DataContext } from '../network/Context.ts'
import * as Names from '../network/Names.ts'
import { primarySnapshots } from '../network/PrimarySnapshots.ts'
import { Block } from '../shapes/Block.ts'
import { ChainInfo } from '../shapes/ChainInfo.ts'
import { blockShapes } from './listBlocks.ts'

/** `GET …/{blockchainId}/nodes/{nodeId}/blocks`: blocks that a node proposed, newest first. */
export function listProposedBlocks(context: DataContext): Endpoint {
  const { store, tokens } = context
  return list({
    path: '/v1/networks/{network}/blockchains/{blockchainId}/nodes/{nodeId}/blocks',
    operationId: 'listPrimaryNetworkBlocksByNodeId',
    summary: 'Blocks that a node proposed on the P-, X- or C-chain, newest first',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    // Answers are not cached per block, because a database of an earlier version derives proposers at any time.
    pathParameters: {
      network: Names.network(context),
      blockchainId: Names.primaryBlockchain(context),
      nodeId: Names.nodeId,
    },
    queryParameters: {
      startTimestamp: Parameter.optional(Parameter.timestamp),
      endTimestamp: Parameter.optional(Parameter.timestamp),
    },
    pageSize: { fallback: 10, maximum: 100 },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'ListProposedBlocksResponse',
    response: {
      blocks: Schema.list(Block, 'Blocks of the page'),
      chainInfo: Schema.as(ChainInfo, 'Chain and network of the blocks'),
      completeFromBlock: Schema.optional(
        Field.height(
          'First block from which on the proposers are known; absent if they are known of all blocks',
        ),
      ),
    },
    read: ({ path: { blockchainId, nodeId }, query, at, after: [after] = [], limit }) =>
      Blocks.proposedBy(store, at, Names.LETTER[blockchainId], {
        nodeId,
        from: query.startTimestamp,
        until: query.endTimestamp,
        after: after === undefined ? undefined : BigInt(after),
        order: 'desc',
        limit,
      }),
    keyOf: ({ height }) => [String(height)],
    body: async (page, { path: { network, blockchainId }, at }) => {
      const chain = Names.LETTER[blockchainId]
      const completeFrom = await Derivation.completeFrom(store, 'proposal', chain)
      return {
        blocks: await blockShapes(context, at, chain, page),
        chainInfo: { chainName: blockchainId, network },
        completeFromBlock: completeFrom === 0n ? undefined : String(completeFrom),
      }
    },
  })
}
