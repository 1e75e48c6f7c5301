import { type Snapshot, Transactions } from '@firn/store'
import type { Body, Endpoint } from '../../http/endpoint/Endpoint.ts'
import { list } from '../../http/endpoint/List.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { addresses } from '../network/AddressParameter.ts'
import { Incomplete, incomplete } from '../network/CChain.ts'
import type { DataContext } from '../network/Context.ts'
import { forClient, namesOfType, perClient } from '../network/clientTypes.ts'
import * as Names from '../network/Names.ts'
import { perBlock, primarySnapshots } from '../network/PrimarySnapshots.ts'
import { place, placeKey } from '../network/place.ts'
import { AVM_TX_TYPES } from '../shapes/AvmTransaction.ts'
import { ChainInfo } from '../shapes/ChainInfo.ts'
import { PLATFORM_TX_TYPES } from '../shapes/PlatformTransaction.ts'
import { PrimaryNetworkTransaction } from '../shapes/PrimaryNetworkTransaction.ts'

/** Formats the transactions of one chain. */
export interface ChainShapes {
  readonly shapes: (at: Snapshot, page: readonly Transactions.Details[]) => Promise<Body[]>
}

/** Transaction formatters by chain. */
export type AllShapes = Readonly<Record<Names.ChainName, ChainShapes>>

/** All values of the `txTypes` filter. */
export const TX_TYPES = [...new Set([...PLATFORM_TX_TYPES, ...AVM_TX_TYPES])]

/** Returns the query parameters that the lists of transactions have in common. */
export function filters(context: DataContext) {
  return {
    addresses: Parameter.optional(addresses(context.constants.hrp)),
    txTypes: Parameter.optional(Parameter.choices(TX_TYPES)),
    startTimestamp: Parameter.optional(Parameter.timestamp),
    endTimestamp: Parameter.optional(Parameter.timestamp),
    sortBy: Parameter.choice(['timestamp'], 'timestamp'),
    sortOrder: Parameter.choice(['asc', 'desc'], 'desc'),
  }
}

/** Converts the Data API's transaction types to the ledger's type names. */
export function namesOf(types: readonly string[] | undefined): readonly string[] | undefined {
  return types?.flatMap(namesOfType)
}

/**
 * `GET /v1/networks/{network}/blockchains/{blockchainId}/transactions`: transactions of the P- or X-chain, or
 * atomic transactions of the C-chain.
 */
export function listTransactions(context: DataContext, all: AllShapes): Endpoint {
  const { store, tokens } = context
  return list({
    path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions',
    operationId: 'listLatestPrimaryNetworkTransactions',
    summary: 'Transactions of the P-, X- or C-chain, newest first',
    tag: 'Primary Network',
    scope: 'data',
    units: 100,
    ...perClient(perBlock(context)),
    pathParameters: { network: Names.network(context), blockchainId: Names.primaryBlockchain(context) },
    queryParameters: { ...filters(context), l1ValidationId: Parameter.optional(Names.validationId) },
    pageSize: { fallback: 10, maximum: 100 },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'ListPrimaryNetworkTransactionsResponse',
    response: {
      transactions: Schema.list(PrimaryNetworkTransaction, 'Transactions of the page'),
      chainInfo: Schema.as(ChainInfo, 'Chain and network of the transactions'),
      incomplete: Schema.optional(Incomplete),
    },
    read: async ({ path, query, at, after, limit }) => {
      assertFilters(path.blockchainId, query)
      return Transactions.page(store, at, Names.LETTER[path.blockchainId], {
        addresses: ownersOf(query),
        names: namesOf(query.txTypes),
        from: query.startTimestamp,
        until: query.endTimestamp,
        isStaking: false,
        after: place(after),
        order: query.sortOrder,
        limit,
      })
    },
    keyOf: placeKey,
    body: async (page, { path, query, at, userAgent }) => ({
      transactions: forClient(await all[path.blockchainId].shapes(at, page), userAgent),
      chainInfo: { chainName: path.blockchainId, network: path.network },
      ...(query.addresses === undefined ? {} : incomplete(context, UNSIGNED)),
    }),
  })
}

const UNSIGNED = 'imports from the C-chain that consumed outputs of an address without its signature are'

interface Filters {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly l1ValidationId: Uint8Array | undefined
  readonly txTypes: readonly string[] | undefined
  readonly startTimestamp: bigint | undefined
  readonly endTimestamp: bigint | undefined
}

/**
 * Returns the addresses or the validation id by which transactions are searched. The index treats a
 * validation id like an address.
 */
function ownersOf({ addresses: given, l1ValidationId }: Filters): readonly Uint8Array[] | undefined {
  return l1ValidationId === undefined ? given : [l1ValidationId]
}

/**
 * Throws if no index supports the filters. A filter by type or time requires addresses or a validation id. Addresses
 * exclude a validation id, and only the P-chain has validation ids.
 */
function assertFilters(chain: Names.ChainName, query: Filters): void {
  const { l1ValidationId } = query
  if (l1ValidationId !== undefined && chain !== 'p-chain') {
    throw Parameter.refused(
      'l1ValidationId',
      'the p-chain, because only the P-chain has L1 validators',
      `the ${chain}`,
    )
  }
  if (l1ValidationId !== undefined && query.addresses !== undefined) {
    throw Parameter.refused('addresses', 'either addresses or l1ValidationId', 'both')
  }
  if (query.addresses !== undefined || l1ValidationId !== undefined) return
  for (const name of ['txTypes', 'startTimestamp', 'endTimestamp'] as const) {
    if (query[name] === undefined) continue
    throw Parameter.refused(
      name,
      'the parameter addresses (or l1ValidationId on the P-chain) together with this filter',
      'none',
    )
  }
}
