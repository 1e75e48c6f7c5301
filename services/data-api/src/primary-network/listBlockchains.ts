import { Blockchains } from '@firn/store'
import type { DataContext } from '../Context.ts'
import type { Endpoint } from '../front/Endpoint.ts'
import { list } from '../front/List.ts'
import * as Parameter from '../front/Parameter.ts'
import * as Schema from '../front/Schema.ts'
import * as Names from '../Names.ts'
import { perBlock, primarySnapshots } from '../PrimarySnapshots.ts'
import type { ChainGeneses } from './ChainGenesis.ts'
import { place, placeKey } from './place.ts'
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
