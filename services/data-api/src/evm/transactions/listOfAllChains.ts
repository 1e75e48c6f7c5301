import { EvmBlocks, EvmRetention, EvmTransactions } from '@firn/evm-store'
import type { Body, Endpoint } from '../../http/endpoint/Endpoint.ts'
import { list } from '../../http/endpoint/List.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainsSnapshots, keyOf, newest } from '../chain/chainsSnapshots.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { firstKeptBlocks, firstKeptBlocksOf } from '../chain/firstKeptBlocks.ts'
import { network, status, succeeded } from '../chain/parameters.ts'
import { EvmBlock, evmBlock } from '../shapes/EvmBlock.ts'
import { NativeTransaction } from '../shapes/NativeTransaction.ts'
import { nativeTransactions } from './listTransactions.ts'

/** `GET /v1/blocks`, and its deprecated path: blocks of all chains, newest first. */
export function listBlocksOfAllChains(context: EvmContext): readonly Endpoint[] {
  const current = { path: '/v1/blocks', operationId: 'listLatestBlocksAllChains' }
  const former = { path: '/v1/chains/allBlocks', operationId: 'listAllLatestBlocks', isDeprecated: true }
  return [current, former].map((route) =>
    list({
      ...ofAll(context),
      ...route,
      summary: 'Blocks of all chains, newest first',
      queryParameters: { network: network(context) },
      responseName: 'ListEvmBlocksOfAllChainsResponse',
      response: {
        completeFromBlocks: firstKeptBlocks('blocks'),
        blocks: Schema.list(EvmBlock, 'Blocks of the page'),
      },
      read: (request) =>
        newest(request, ({ source, at }, { until, after }) =>
          EvmBlocks.page(source.store, at, { until: after?.height ?? until, limit: request.limit }),
        ),
      keyOf,
      body: async (page, request) => ({
        completeFromBlocks: await firstKeptBlocksOf(request, 'blocks'),
        blocks: page.map((row) => evmBlock(row.in.source.chain, row.in.at, row.of)),
      }),
    }),
  )
}

/** `GET /v1/transactions`, and its deprecated path: transactions of all chains, newest first. */
export function listTransactionsOfAllChains(context: EvmContext): readonly Endpoint[] {
  const current = { path: '/v1/transactions', operationId: 'listLatestTransactionsAllChains' }
  const former = {
    path: '/v1/chains/allTransactions',
    operationId: 'listAllLatestTransactions',
    isDeprecated: true,
  }
  return [current, former].map((route) =>
    list({
      ...ofAll(context),
      ...route,
      summary: 'Transactions of all chains, newest first',
      queryParameters: { network: network(context), status },
      responseName: 'ListTransactionsOfAllChainsResponse',
      response: {
        completeFromBlocks: firstKeptBlocks('transactions'),
        transactions: Schema.list(NativeTransaction, 'Transactions of the page'),
      },
      read: (request) =>
        newest(request, async ({ source, at }, bounds) =>
          EvmTransactions.latest(source.store, at, {
            ...bounds,
            from: await EvmRetention.keptFrom(source.store, 'transactions'),
            succeeded: succeeded(request.query.status),
            limit: request.limit,
          }),
        ),
      keyOf,
      body: async (page, request) => {
        const shapes = new Map<object, Body>()
        for (const [{ source, at }, rows] of Map.groupBy(page, (row) => row.in)) {
          const listed = rows.map(({ of }) => of)
          const made = await nativeTransactions(source, at, listed)
          for (const [index, of] of listed.entries()) shapes.set(of, made[index] ?? null)
        }
        return {
          completeFromBlocks: await firstKeptBlocksOf(request, 'transactions'),
          transactions: page.map(({ of }) => shapes.get(of) ?? null),
        }
      },
    }),
  )
}

function ofAll(context: EvmContext) {
  return {
    tag: 'EVM',
    scope: 'data',
    units: 20,
    rowsPerElement: () => context.chains.length,
    tokens: context.tokens,
    snapshots: chainsSnapshots(context),
    pathParameters: {},
    pageSize: { fallback: 10, maximum: 100 },
  } as const
}
