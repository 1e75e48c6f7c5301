import { Hex, Id } from '@firn/codec'
import { DataApiError, isDataApiError } from '../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import type { DataContext } from '../primary/network/Context.ts'
import * as Names from '../primary/network/Names.ts'
import type { AggregateRequest } from '../upstream/AggregatorClient.ts'
import * as AggregateStatus from './AggregateStatus.ts'
import { SignatureAggregationResponse } from './aggregateSignatures.ts'
import { type MessageToSign, messageToSign } from './L1Transaction.ts'
import { AGGREGATE_TIMEOUT_MS, requireAggregator } from './requireAggregator.ts'

/**
 * `GET /v1/signatureAggregator/{network}/aggregateSignatures/{txHash}`: the signed message of an L1
 * transaction.
 */
export function getAggregatedSignatures(
  context: DataContext,
  status: AggregateStatus.AggregateStatus,
): Endpoint {
  const { store, constants } = context
  return define({
    method: 'GET',
    path: '/v1/signatureAggregator/{network}/aggregateSignatures/{txHash}',
    operationId: 'getAggregatedSignatures',
    summary: 'The signed Warp message of a P-chain L1 transaction',
    tag: 'Signature aggregator',
    scope: 'aggregate',
    units: 20,
    timeoutMs: AGGREGATE_TIMEOUT_MS,
    isPerClient: status === 'auto',
    pathParameters: { network: Names.network(context), txHash: Names.id },
    queryParameters: {},
    response: SignatureAggregationResponse,
    handle: async ({ path: { txHash }, userAgent, signal }) => {
      const at = await store.snapshot()
      const message = await messageToSign({ store, at, networkId: constants.networkId }, txHash)
      const aggregate = requireAggregator(context)
      const { signedMessage } = await aggregate(requestOf(message), signal).catch((error: unknown) => {
        throw orConflict(error)
      })
      return {
        status: AggregateStatus.resolve(status, userAgent),
        body: { signedMessage: signedMessage.replace(/^0x/, '') },
        height: at.P.height,
        time: at.P.time,
      }
    },
  })
}

function requestOf({
  message,
  justification,
  signingSubnetId,
  pchainHeight,
}: MessageToSign): AggregateRequest {
  return {
    body: {
      message: Hex.encode(message),
      ...(justification.length === 0 ? {} : { justification: Hex.encode(justification) }),
      signingSubnetId: Id.format(signingSubnetId),
      pChainHeight: pchainHeight,
    },
  }
}

/**
 * Converts the aggregator errors `DATA_UPSTREAM` and `DATA_PARAMETER` to `DATA_CONFLICT`. Clients retry a 5xx for
 * minutes, but a retry soon afterwards yields no more signatures.
 */
function orConflict(error: unknown): unknown {
  if (!isDataApiError(error) || (error.code !== 'DATA_UPSTREAM' && error.code !== 'DATA_PARAMETER'))
    return error
  return new DataApiError('DATA_CONFLICT', `no signed message: ${error.message}`, { cause: error })
}
