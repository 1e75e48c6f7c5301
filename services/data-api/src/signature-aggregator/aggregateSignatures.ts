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

/** Schema of the request body for the documentation. The signature aggregator validates the body itself. */
const AggregateBody = Type.Object({
  message: hex('unsigned Warp message, or the data of the SendWarpMessage event that contains it'),
  justification: hex('justification that P-chain validators require'),
  signingSubnetId: Type.Optional(
    Type.String({
      description: 'subnet whose validators sign; by default the subnet of the message’s source chain',
    }),
  ),
  quorumPercentage: percentage(67, 'percentage of the total weight that must sign'),
  quorumPercentageBuffer: percentage(0, 'additional percentage of the weight to collect if possible'),
  pChainHeight: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: 'P-chain height of the validator set; 0 for the proposed height',
    }),
  ),
  destinationChain: Type.Optional(
    Type.String({
      description:
        'id of the chain that is to verify the message; the response then has signedMessages for the heights that the chain may use',
    }),
  ),
  deadlineMs: Type.Optional(
    Type.Integer({ minimum: 1, description: 'milliseconds within which the aggregator must answer' }),
  ),
})

/** Parameter that accepts `true`, `false`, or the name without a value. */
const flag: Parameter.Parameter<boolean> = {
  ...Parameter.flag(false),
  parse: ([only]) => (only === '' ? true : Parameter.flag(false).parse([only ?? ''])),
}

/**
 * `POST /v1/signatureAggregator/{network}/aggregateSignatures`: collects validators' signatures for a Warp
 * message.
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
    // Clients of the aggregator's own route may send any content type.
    takesAnyContentType: true,
    response: Type.Object({
      signedMessage: Type.String({ description: 'the signed message in hex, without 0x' }),
      report: Type.Optional(Type.Unknown({ description: 'the result of each validator, if report=true' })),
      proof: Type.Optional(Type.Unknown({ description: 'the validator set, if proof=true' })),
    }),
    handle: async ({ query: { report, proof }, body, userAgent, signal }) => {
      const request = { body: body as Json.Json | undefined, hasReport: report, hasProof: proof }
      const answer = await requireAggregator(context)(request, signal)
      return { status: AggregateStatus.resolve(status, userAgent), body: { ...answer } }
    },
  })
}
