import { Transactions } from '@firn/store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import { list } from '../../http/endpoint/List.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { Incomplete, incomplete } from '../network/CChain.ts'
import type { DataContext } from '../network/Context.ts'
import * as Names from '../network/Names.ts'
import { perBlock, primarySnapshots } from '../network/PrimarySnapshots.ts'
import { place, placeKey } from '../network/place.ts'
import { AvmTransaction } from '../shapes/AvmTransaction.ts'
import { ChainInfo } from '../shapes/ChainInfo.ts'
import { avmOnly } from './getAsset.ts'
import { type ChainShapes, namesOf, TX_TYPES } from './listTransactions.ts'

/**
 * `GET …/{blockchainId}/assets/{assetId}/transactions`: X-chain transactions that move an asset, newest
 * first.
 */
export function listAssetTransactions(context: DataContext, { shapes }: ChainShapes): Endpoint {
  const { store, tokens } = context
  return list({
    path: '/v1/networks/{network}/blockchains/{blockchainId}/assets/{assetId}/transactions',
    operationId: 'listAssetTransactions',
    summary: 'X-chain transactions that consume or create outputs of an asset',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: {
      network: Names.network(context),
      blockchainId: avmOnly(context),
      assetId: Names.id,
    },
    queryParameters: {
      txTypes: Parameter.optional(Parameter.choices(TX_TYPES)),
      startTimestamp: Parameter.optional(Parameter.timestamp),
      endTimestamp: Parameter.optional(Parameter.timestamp),
    },
    pageSize: { fallback: 10, maximum: 100 },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'ListXChainTransactionsResponse',
    response: {
      transactions: Schema.list(AvmTransaction, 'Transactions of the page'),
      chainInfo: Schema.as(ChainInfo, 'Chain and network of the transactions'),
      incomplete: Schema.optional(Incomplete),
    },
    read: async ({ path: { assetId }, query, at, after, limit }) => {
      const found = await Transactions.pageByAsset(store, at, {
        assetId,
        names: namesOf(query.txTypes),
        from: query.startTimestamp,
        until: query.endTimestamp,
        after: place(after),
        limit,
      })
      if (found !== undefined) return found
      const expected = `types that occur in the next ${Transactions.MOST_SEARCHED} blocks of the asset; limit the search with timestamps`
      throw Parameter.refused('txTypes', expected, 'rarer types')
    },
    keyOf: placeKey,
    body: async (page, { path: { network }, at }) => ({
      transactions: await shapes(at, page),
      chainInfo: { chainName: 'x-chain', network },
      ...incomplete(context, 'imports from the C-chain that burned all that they imported of the asset are'),
    }),
  })
}
