import { EvmTransactions } from '@firn/store/evm'
import { Type } from 'typebox'
import { define, type Endpoint } from '../front/Endpoint.ts'
import { type EvmChainSource, type EvmContext, wholeChains } from './EvmContext.ts'
import { headIfServed, newestOf } from './listChains.ts'
import { address } from './parameters.ts'
import { ChainInfo, chainInfo } from './shapes/ChainInfo.ts'

/** `GET /v1/address/{address}/chains`, and its deprecated path: the chains on which an address was active. */
export function listAddressChains(context: EvmContext): readonly Endpoint[] {
  return ['/v1/address/{address}/chains', '/v1/chains/address/{address}'].map((path) =>
    define({
      method: 'GET',
      path,
      summary: 'The chains on which an address has sent or received a transaction, a transfer or a call',
      tag: 'EVM',
      scope: 'data',
      units: 20,
      pathParameters: { address },
      queryParameters: {},
      response: Type.Object({
        indexedChains: Type.Array(ChainInfo),
        unindexedChains: Type.Array(Type.String()),
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
