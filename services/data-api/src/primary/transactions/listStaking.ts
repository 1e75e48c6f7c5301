import { Transactions } from '@firn/store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import { list } from '../../http/endpoint/List.ts'
import type * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { DataContext } from '../network/Context.ts'
import { forClient, perClient } from '../network/clientTypes.ts'
import * as Names from '../network/Names.ts'
import { perBlock, primarySnapshots } from '../network/PrimarySnapshots.ts'
import { place, placeKey } from '../network/place.ts'
import { ChainInfo } from '../shapes/ChainInfo.ts'
import { PlatformTransaction } from '../shapes/PlatformTransaction.ts'
import { type ChainShapes, filters, namesOf } from './listTransactions.ts'

/**
 * `GET …/{blockchainId}/transactions:listStaking`: transactions that added the stakers that are current or pending at
 * the snapshot's height.
 */
export function listStaking(context: DataContext, { shapes }: ChainShapes): Endpoint {
  const { store, tokens } = context
  return list({
    path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions:listStaking',
    operationId: 'listActivePrimaryNetworkStakingTransactions',
    summary: 'Transactions of current and pending stakers',
    tag: 'Primary Network',
    scope: 'data',
    units: 100,
    ...perClient(perBlock(context)),
    pathParameters: { network: Names.network(context), blockchainId: platformOnly(context) },
    queryParameters: filters(context),
    pageSize: { fallback: 10, maximum: 100 },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'ListPChainTransactionsResponse',
    response: {
      transactions: Schema.list(PlatformTransaction, 'Transactions of the page'),
      chainInfo: Schema.as(ChainInfo, 'Chain and network of the transactions'),
    },
    read: ({ query, at, after, limit }) =>
      Transactions.page(store, at, 'P', {
        addresses: query.addresses,
        names: namesOf(query.txTypes),
        from: query.startTimestamp,
        until: query.endTimestamp,
        isStaking: true,
        after: place(after),
        order: query.sortOrder,
        limit,
      }),
    keyOf: placeKey,
    body: async (page, { path: { network }, at, userAgent }) => ({
      transactions: forClient(await shapes(at, page), userAgent),
      chainInfo: { chainName: 'p-chain', network },
    }),
  })
}

/** Returns a chain parameter that accepts only the P-chain, because other chains have no staking. */
function platformOnly(context: DataContext): Parameter.Parameter<Names.ChainName> {
  const any = Names.primaryBlockchain(context)
  return {
    ...any,
    expected: "p-chain or the P-chain's blockchain id",
    parse: (texts) => (any.parse(texts) === 'p-chain' ? 'p-chain' : undefined),
  }
}
