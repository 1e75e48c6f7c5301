import { Hex } from '@firn/codec'
import { Blockchains, type Snapshot, Subnets } from '@firn/store'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { type Body, define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import { list } from '../http/endpoint/List.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import type { ChainGeneses } from './network/ChainGenesis.ts'
import type { DataContext } from './network/Context.ts'
import * as Names from './network/Names.ts'
import { perBlock, primarySnapshots } from './network/PrimarySnapshots.ts'
import { place, placeKey } from './network/place.ts'
import { blockchain } from './shapes/Blockchain.ts'
import { Subnet, subnet } from './shapes/Subnet.ts'

/** `GET /v1/networks/{network}/subnets`: subnets sorted by creation, with their blockchains. */
export function listSubnets(context: DataContext, geneses: ChainGeneses): Endpoint {
  const { store, tokens } = context
  return list({
    path: '/v1/networks/{network}/subnets',
    operationId: 'listSubnets',
    summary: 'Subnets with their owners, L1 conversion and blockchains',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { network: Names.network(context) },
    queryParameters: { sortOrder: Parameter.choice(['asc', 'desc'], 'desc') },
    pageSize: { fallback: 100, maximum: 10_000 },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'ListSubnetsResponse',
    response: { subnets: Schema.list(Subnet, 'Subnets of the page') },
    read: ({ query, at, after, limit }) =>
      Subnets.page(store, at, { after: place(after), order: query.sortOrder, limit }),
    keyOf: (listed) => placeKey(listed.subnet),
    body: async (page, { at }) => ({ subnets: await withChains(context, geneses, at, page) }),
  })
}

/** `GET /v1/networks/{network}/subnets/{subnetId}`: a subnet with its blockchains. */
export function getSubnetById(context: DataContext, geneses: ChainGeneses): Endpoint {
  return define({
    method: 'GET',
    path: '/v1/networks/{network}/subnets/{subnetId}',
    operationId: 'getSubnetById',
    summary: 'A subnet with its owners, L1 conversion and blockchains',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { network: Names.network(context), subnetId: Names.id },
    queryParameters: {},
    response: Subnet,
    handle: async ({ path: { subnetId } }) => {
      const at = await context.store.snapshot()
      const found = await Subnets.detailsById(context.store, at, subnetId)
      if (found === undefined)
        throw new DataApiError('DATA_NOT_FOUND', 'subnetId: this network has no such subnet')
      const [body = null] = await withChains(context, geneses, at, [found])
      return { body, height: at.P.height, time: at.P.time }
    },
  })
}

async function withChains(
  { store, constants, metadata }: DataContext,
  geneses: ChainGeneses,
  at: Snapshot,
  page: readonly Subnets.Details[],
): Promise<Body[]> {
  const ids = page.map(({ subnet: { subnetId } }) => subnetId)
  const chains = await Blockchains.detailsBySubnets(store, at, ids)
  const bySubnet = Map.groupBy(chains, ({ chain }) => Hex.encodeBare(chain.subnetId))
  return Promise.all(
    page.map(async (listed) => {
      const own = bySubnet.get(Hex.encodeBare(listed.subnet.subnetId)) ?? []
      const shapes = own.map(async (one) =>
        blockchain(one, await geneses.of(at, one.chain.blockchainId), false),
      )
      const about = metadata?.subnet(listed.subnet.subnetId)
      return subnet(listed, await Promise.all(shapes), constants.hrp, about)
    }),
  )
}
