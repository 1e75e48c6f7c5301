import { Vertices } from '@firn/store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../../http/endpoint/Endpoint.ts'
import { list } from '../../http/endpoint/List.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { DataContext } from '../network/Context.ts'
import * as Names from '../network/Names.ts'
import { perBlock, primarySnapshots } from '../network/PrimarySnapshots.ts'
import { ChainInfo } from '../shapes/ChainInfo.ts'
import { Vertex, vertex } from '../shapes/Vertex.ts'
import { avmOnly } from './getAsset.ts'

/** `GET …/{blockchainId}/vertices`: vertices of the X-chain, the last one first. */
export function listVertices(context: DataContext): Endpoint {
  return list({
    ...common(context),
    path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices',
    operationId: 'listLatestXChainVertices',
    summary: 'Vertices of the X-chain, the last one first',
    queryParameters: {},
    read: ({ after, limit }) => page(context, { height: undefined, after, order: 'desc', limit }),
  })
}

/** `GET …/{blockchainId}/vertices:listByHeight`: vertices of the X-chain that declare a height. */
export function listVerticesByHeight(context: DataContext): Endpoint {
  return list({
    ...common(context),
    path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices:listByHeight',
    operationId: 'getVertexByHeight',
    summary: 'Vertices of the X-chain that declare a height',
    queryParameters: {
      vertexHeight: Parameter.integer(0, Number.MAX_SAFE_INTEGER),
      sortOrder: Parameter.choice(['asc', 'desc'], 'desc'),
    },
    read: ({ query: { vertexHeight, sortOrder: order }, after, limit }) =>
      page(context, { height: BigInt(vertexHeight), after, order, limit }),
  })
}

/** `GET …/{blockchainId}/vertices/{vertexHash}`: a vertex of the X-chain. */
export function getVertex(context: DataContext): Endpoint {
  const { store, constants } = context
  return define({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices/{vertexHash}',
    operationId: 'getVertexByHash',
    summary: 'A vertex of the X-chain',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { ...paths(context), vertexHash: Names.id },
    queryParameters: {},
    response: Vertex,
    handle: async ({ path: { vertexHash } }) => {
      const at = await store.snapshot()
      const found = await Vertices.byId(store, vertexHash)
      if (found === undefined) {
        throw new DataApiError('DATA_NOT_FOUND', 'vertexHash: the x-chain has no such vertex')
      }
      const body = vertex(found, constants.upgrades.cortina)
      return { body, height: at.P.height, time: at.P.time, isFinal: true }
    },
  })
}

/** The parts that both lists of vertices have. */
function common(context: DataContext) {
  const { store, tokens, constants } = context
  return {
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: paths(context),
    pageSize: { fallback: 10, maximum: 100 },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'ListXChainVerticesResponse',
    response: {
      vertices: Schema.list(Vertex, 'Vertices of the page'),
      chainInfo: Schema.as(ChainInfo, 'Chain and network of the vertices'),
    },
    keyOf: ({ position }: Vertices.Vertex) => [String(position)],
    body: async (
      found: readonly Vertices.Vertex[],
      { path: { network } }: { readonly path: { readonly network: string } },
    ) => ({
      vertices: found.map((one) => vertex(one, constants.upgrades.cortina)),
      chainInfo: { chainName: 'x-chain', network },
    }),
  } as const
}

function paths(context: DataContext) {
  return { network: Names.network(context), blockchainId: avmOnly(context) }
}

function page(
  { store }: DataContext,
  {
    after: [after] = [],
    ...query
  }: Omit<Vertices.Query, 'after'> & { readonly after: readonly string[] | undefined },
): Promise<Vertices.Vertex[]> {
  return Vertices.page(store, { ...query, after: after === undefined ? undefined : Number(after) })
}
