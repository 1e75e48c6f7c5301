import { type Snapshot, Transactions } from '@firn/store'
import { type TSchema, Type } from 'typebox'
import { addresses } from '../AddressParameter.ts'
import type { DataContext } from '../Context.ts'
import type { Body, Endpoint } from '../front/Endpoint.ts'
import { list } from '../front/List.ts'
import * as Parameter from '../front/Parameter.ts'
import * as Names from '../Names.ts'
import { perBlock, primarySnapshots } from '../PrimarySnapshots.ts'
import { place, placeKey } from './place.ts'
import { AVM_TX_TYPES } from './shapes/AvmTransaction.ts'
import { ChainInfo } from './shapes/ChainInfo.ts'
import { ledgerNames, PLATFORM_TX_TYPES } from './shapes/PlatformTransaction.ts'

/** The shapes of one chain's transactions. */
export interface ChainShapes {
  readonly shapes: (at: Snapshot, page: readonly Transactions.Details[]) => Promise<Body[]>
  /** Schema of the response in the document. */
  readonly schema: TSchema
}

/** The chains of the Primary Network. */
export type AllShapes = Readonly<Record<Names.ChainName, ChainShapes>>

/** Every type that can be requested. */
export const TX_TYPES = [...new Set([...PLATFORM_TX_TYPES, ...AVM_TX_TYPES])]

/** Returns the common filters of both lists of transactions. */
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

/** Returns the ledger's names of requested types. */
export function namesOf(types: readonly string[] | undefined): readonly string[] | undefined {
  return types?.flatMap(ledgerNames)
}

/** `GET /v1/networks/{network}/blockchains/{blockchainId}/transactions`: transactions of the P-, X- or C-chain (atomic ones). */
export function listTransactions(context: DataContext, all: AllShapes): Endpoint {
  const { store, tokens } = context
  return list({
    path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions',
    summary: 'Transactions of the P-, X- or C-chain, the newest first',
    tag: 'Primary Network',
    scope: 'data',
    units: 100,
    version: perBlock(context),
    pathParameters: { network: Names.network(context), blockchainId: Names.primaryBlockchain(context) },
    queryParameters: { ...filters(context), l1ValidationId: Parameter.optional(Names.validationId) },
    pageSize: { fallback: 10, maximum: 100 },
    snapshots: primarySnapshots(store),
    tokens,
    response: {
      transactions: Type.Array(Type.Union(Object.values(all).map(({ schema }) => schema))),
      chainInfo: ChainInfo,
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
    body: async (page, { path, at }) => ({
      transactions: await all[path.blockchainId].shapes(at, page),
      chainInfo: { chainName: path.blockchainId, network: path.network },
    }),
  })
}

interface Filters {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly l1ValidationId: Uint8Array | undefined
  readonly txTypes: readonly string[] | undefined
  readonly startTimestamp: bigint | undefined
  readonly endTimestamp: bigint | undefined
}

/** Validations are indexed like addresses: both involve a transaction. */
function ownersOf({ addresses: given, l1ValidationId }: Filters): readonly Uint8Array[] | undefined {
  return l1ValidationId === undefined ? given : [l1ValidationId]
}

/** Types and times filter only the transactions of an address or a validation. */
function assertFilters(chain: Names.ChainName, query: Filters): void {
  const { l1ValidationId } = query
  if (l1ValidationId !== undefined && chain !== 'p-chain') {
    throw Parameter.refused('l1ValidationId', 'the P-chain, which has the validations', `the ${chain}`)
  }
  if (l1ValidationId !== undefined && query.addresses !== undefined) {
    throw Parameter.refused('addresses', 'either addresses or an l1ValidationId', 'both')
  }
  if (query.addresses !== undefined || l1ValidationId !== undefined) return
  for (const name of ['txTypes', 'startTimestamp', 'endTimestamp'] as const) {
    if (query[name] === undefined) continue
    throw Parameter.refused(name, 'addresses (or, on the P-chain, an l1ValidationId) in addition', 'none')
  }
}
