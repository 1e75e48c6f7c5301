import { Id } from '@firn/codec'
import { Transactions } from '@firn/store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../../http/endpoint/Endpoint.ts'
import type * as Parameter from '../../http/endpoint/Parameter.ts'
import { assetDetails } from '../avm/shape.ts'
import type { DataContext } from '../network/Context.ts'
import * as Names from '../network/Names.ts'
import { perBlock } from '../network/PrimarySnapshots.ts'
import { AssetDetails } from '../shapes/AvmTransaction.ts'

/** `GET …/{blockchainId}/assets/{assetId}`: an X-chain asset, as defined by its creating transaction. */
export function getAsset(context: DataContext): Endpoint {
  return define({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/assets/{assetId}',
    operationId: 'getAssetDetails',
    summary: 'An X-chain asset',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: {
      network: Names.network(context),
      blockchainId: avmOnly(context),
      assetId: Names.id,
    },
    queryParameters: {},
    response: AssetDetails,
    handle: async ({ path: { assetId } }) => {
      const at = await context.store.snapshot()
      const [created] = await Transactions.detailsByIds(context.store, at, 'X', [assetId])
      const body = created && assetDetails(created)
      if (body === undefined) {
        throw new DataApiError('DATA_NOT_FOUND', `assetId: the x-chain has no asset ${Id.format(assetId)}`)
      }
      return { body, height: at.P.height, time: at.P.time, isFinal: true }
    },
  })
}

/** Returns a chain parameter that accepts only the X-chain, because other chains have no assets. */
export function avmOnly(context: DataContext): Parameter.Parameter<Names.ChainName> {
  const any = Names.primaryBlockchain(context)
  return {
    ...any,
    expected: "x-chain or the X-chain's blockchain id",
    parse: (texts) => (any.parse(texts) === 'x-chain' ? 'x-chain' : undefined),
  }
}
