import type { Json } from '@firn/codec'
import { Type } from 'typebox'
import type { DataContext } from '../Context.ts'
import { define, type Endpoint } from '../front/Endpoint.ts'
import * as Parameter from '../front/Parameter.ts'
import * as Names from '../Names.ts'
import * as AggregateStatus from './AggregateStatus.ts'
import { AGGREGATE_TIMEOUT_MS, requireAggregator } from './requireAggregator.ts'

const hex = (description: string) =>
  Type.Optional(Type.String({ description: `${description}; hex, 0x optional` }))

const percentage = (fallback: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 100, default: fallback, description }))

/** The body for the documentation: the aggregator checks it. */
const AggregateBody = Type.Object({
  message: hex('unsigned Warp message, or the data of its SendWarpMessage event'),
  justification: hex('evidence that P-chain validators require'),
  signingSubnetId: Type.Optional(
    Type.String({ description: 'subnet whose validators sign; default: that of the message’s source chain' }),
  ),
  quorumPercentage: percentage(67, 'percentage of the weight that must have signed'),
  quorumPercentageBuffer: percentage(0, 'percentage to collect beyond the quorum, if possible'),
  pChainHeight: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: 'height of the validator set; 0: the proposed height',
    }),
  ),
})

/** `true`, `false`, or the name alone. */
const flag: Parameter.Parameter<boolean> = {
  ...Parameter.flag(false),
  parse: ([only]) => (only === '' ? true : Parameter.flag(false).parse([only ?? ''])),
}

/**
 * `POST /v1/signatureAggregator/{network}/aggregateSignatures`: collects signatures for a Warp message with
 * the signature aggregator.
 */
export function aggregateSignatures(context: DataContext, status: AggregateStatus.AggregateStatus): Endpoint {
  return define({
    method: 'POST',
    path: '/v1/signatureAggregator/{network}/aggregateSignatures',
    summary: 'Collect signatures for a Warp message',
    tag: 'Signature aggregator',
    scope: 'aggregate',
    units: 20,
    timeoutMs: AGGREGATE_TIMEOUT_MS,
    pathParameters: { network: Names.network(context) },
    queryParameters: { report: flag, proof: flag },
    requestBody: AggregateBody,
    // Clients of the aggregator's own route may send any.
    takesAnyContentType: true,
    response: Type.Object({
      signedMessage: Type.String({ description: 'hex without 0x' }),
      report: Type.Optional(
        Type.Unknown({ description: 'the outcome for every validator, with report=true' }),
      ),
      proof: Type.Optional(Type.Unknown({ description: 'the validator set, with proof=true' })),
    }),
    handle: async ({ query: { report, proof }, body, userAgent, signal }) => {
      const request = { body: body as Json.Json | undefined, hasReport: report, hasProof: proof }
      const answer = await requireAggregator(context)(request, signal)
      return { status: AggregateStatus.resolve(status, userAgent), body: { ...answer } }
    },
  })
}
