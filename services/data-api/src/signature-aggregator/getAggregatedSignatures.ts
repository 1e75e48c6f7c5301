import { Hex } from '@firn/codec'
import { Type } from 'typebox'
import type { DataContext } from '../Context.ts'
import { DataApiError } from '../DataApiError.ts'
import { define, type Endpoint } from '../front/Endpoint.ts'
import * as Names from '../Names.ts'
import { messageToSign } from './L1Transaction.ts'

/** `200`, `201`, or `auto`: 201 for the official client, which takes no other. */
export type AggregateStatus = 200 | 201 | 'auto'

const OFFICIAL_CLIENT = /^speakeasy-sdk\/typescript/

/** `GET /v1/signatureAggregator/{network}/aggregateSignatures/{txHash}`: the signed message that belongs to an L1 transaction. */
export function getAggregatedSignatures(context: DataContext, status: AggregateStatus): Endpoint {
  const { store, constants, aggregate } = context
  return define({
    method: 'GET',
    path: '/v1/signatureAggregator/{network}/aggregateSignatures/{txHash}',
    summary: 'The signed Warp message that belongs to an L1 transaction of the P-chain',
    tag: 'Signature aggregator',
    scope: 'aggregate',
    units: 20,
    pathParameters: { network: Names.network(context), txHash: Names.id },
    queryParameters: {},
    response: Type.Object({ signedMessage: Type.String({ description: 'hex without 0x' }) }),
    handle: async ({ path: { txHash }, userAgent, signal }) => {
      const at = await store.snapshot()
      const wanted = await messageToSign({ store, at, networkID: constants.networkID }, txHash)
      if (aggregate === undefined) {
        throw new DataApiError('DATA_UNAVAILABLE', 'this service has no signature aggregator behind it')
      }
      const signed = await aggregate(wanted, signal)
      return {
        status: status === 'auto' ? (OFFICIAL_CLIENT.test(userAgent) ? 201 : 200) : status,
        body: { signedMessage: Hex.encodeBare(signed) },
        height: at.P.height,
        time: at.P.time,
      }
    },
  })
}
