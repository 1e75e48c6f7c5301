import type { Json } from '@firn/codec'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import type { DataContext } from '../primary/network/Context.ts'
import * as Names from '../primary/network/Names.ts'
import * as AggregateStatus from './AggregateStatus.ts'
import { AGGREGATE_TIMEOUT_MS, requireAggregator } from './requireAggregator.ts'

/** Schema of the request body for the documentation. The signature aggregator validates the body itself. */
const AggregateBody = Schema.object(
  'SignatureAggregatorRequest',
  'A request for signatures of a Warp message',
  {
    message: Schema.optional(
      Schema.text(
        'Unsigned Warp message, or the data of the SendWarpMessage event that contains it, in hexadecimal with or without 0x',
        '0x00000000303905',
      ),
    ),
    justification: Schema.optional(
      Schema.text('Justification that P-chain validators require, in hexadecimal with or without 0x', '0x'),
    ),
    signingSubnetId: Schema.optional(
      Field.cb58('Subnet whose validators sign; by default the subnet of the source chain of the message'),
    ),
    quorumPercentage: Schema.optional(
      Schema.integer('Percentage of the total weight that must sign', 67, percentage(67)),
    ),
    quorumPercentageBuffer: Schema.optional(
      Schema.integer('Additional percentage of the weight to collect if possible', 3, percentage(0)),
    ),
    pChainHeight: Schema.optional(
      Schema.integer('P-chain height of the validator set; 0 for the proposed height', 0, {
        minimum: 0,
        default: 0,
      }),
    ),
    destinationChain: Schema.optional(
      Field.cb58(
        'Id of the chain that is to verify the message; the response then has signedMessages for the heights that the chain may use',
      ),
    ),
    deadlineMs: Schema.optional(
      Schema.integer('Milliseconds within which the aggregator must answer', 5_000, { minimum: 1 }),
    ),
    waitMs: Schema.optional(
      Schema.integer(
        'Milliseconds for which validators are asked again that do not know the message yet, for messages that were just sent',
        10_000,
        { minimum: 0 },
      ),
    ),
  },
)

function percentage(fallback: number) {
  return { minimum: 0, maximum: 100, default: fallback }
}

const signedMessage = Schema.text('Signed message in hexadecimal, without 0x', '00000000303905')

/** Schema of the answer with a signed message. */
export const SignatureAggregationResponse = Schema.object(
  'SignatureAggregationResponse',
  'A signed Warp message',
  { signedMessage },
)

const DetailedResponse = Schema.object(
  'DetailedSignatureAggregationResponse',
  'A signed Warp message, with details on request',
  {
    signedMessage,
    report: Schema.optional(Schema.any('Result of each validator, if report=true', {})),
    proof: Schema.optional(Schema.any('Validator set, if proof=true', {})),
  },
  ['report', 'proof'],
)

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
    operationId: 'aggregateSignatures',
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
    response: DetailedResponse,
    handle: async ({ query: { report, proof }, body, userAgent, signal }) => {
      const request = { body: body as Json.Json | undefined, hasReport: report, hasProof: proof }
      const answer = await requireAggregator(context)(request, signal)
      return { status: AggregateStatus.resolve(status, userAgent), body: { ...answer } }
    },
  })
}
