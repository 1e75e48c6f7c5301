import { Blockchains } from '@firn/store'
import type { Endpoint } from '../http/endpoint/Endpoint.ts'
import { list } from '../http/endpoint/List.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import type { ChainGeneses } from './network/ChainGenesis.ts'
import type { DataContext } from './network/Context.ts'
import * as Names from './network/Names.ts'
import { perBlock, primarySnapshots } from './network/PrimarySnapshots.ts'
import { place, placeKey } from './network/place.ts'
import { Blockchain, blockchain } from './shapes/Blockchain.ts'

/** `GET /v1/networks/{network}/blockchains`: blockchains sorted by creation, without their genesis. */
export function listBlockchains(context: DataContext, geneses: ChainGeneses): Endpoint {
  const { store, tokens } = context
  return list({
    path: '/v1/networks/{network}/blockchains',
    operationId: 'listBlockchains',
    summary: 'Blockchains in order of creation',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { network: Names.network(context) },
    queryParameters: { sortOrder: Parameter.choice(['asc', 'desc'], 'desc') },
    pageSize: { fallback: 10, maximum: 100 },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'ListBlockchainsResponse',
    response: { blockchains: Schema.list(Blockchain, 'Blockchains of the page') },
    read: ({ query, at, after, limit }) =>
      Blockchains.page(store, at, { after: place(after), order: query.sortOrder, limit }),
    keyOf: ({ chain }) => placeKey(chain),
    body: async (page, { at }) => ({
      blockchains: await Promise.all(
        page.map(async (one) => blockchain(one, await geneses.of(at, one.chain.blockchainId), false)),
      ),
    }),
  })
}
