import { EvmTransactions } from '@firn/evm-store'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { type EvmChainSource, type EvmContext, wholeChains } from './chain/EvmContext.ts'
import { headIfServed, newestOf } from './chain/heads.ts'
import { address } from './chain/parameters.ts'
import { ChainInfo, chainInfo } from './shapes/ChainInfo.ts'

/** `GET /v1/address/{address}/chains`, and its deprecated path: the chains on which an address was active. */
export function listAddressChains(context: EvmContext): readonly Endpoint[] {
  const current = { path: '/v1/address/{address}/chains', operationId: 'listAddressChains' }
  const former = {
    path: '/v1/chains/address/{address}',
    operationId: 'getAddressChains',
    isDeprecated: true,
  }
  return [current, former].map((route) =>
    define({
      ...route,
      method: 'GET',
      summary: 'The chains on which an address has sent or received a transaction, a transfer or a call',
      tag: 'EVM',
      scope: 'data',
      units: 20,
      pathParameters: { address },
      queryParameters: {},
      response: Schema.object('ListAddressChainsResponse', 'The chains on which an address was active', {
        indexedChains: Schema.list(ChainInfo, 'Served chains on which the address was active'),
        unindexedChains: Schema.list(Schema.text('EVM chain id', '1'), 'Always empty', { maxItems: 0 }),
      }),
      handle: async ({ path: { address } }) => {
        const found = await Promise.all(wholeChains(context).map((source) => activityOf(source, address)))
        const active = found.filter(({ isActive }) => isActive)
        return {
          body: { indexedChains: active.map(({ source }) => chainInfo(source, true)), unindexedChains: [] },
          ...newestOf(found.map(({ head }) => head)),
        }
      },
    }),
  )
}

async function activityOf(source: EvmChainSource, address: Uint8Array) {
  const head = await headIfServed(source)
  if (head === undefined) return { source, head, isActive: false }
  const query = { order: 'desc', after: undefined, limit: 1 } as const
  const [one] = await EvmTransactions.involving(source.store, head, address, query)
  return { source, head, isActive: one !== undefined }
}
