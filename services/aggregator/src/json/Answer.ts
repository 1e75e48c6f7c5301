import type { Report, ReportEntry } from '@firn/aggregation'
import { Hex, Id, NodeId } from '@firn/codec'
import { ProofBundle } from '@firn/warp'
import type { Static } from 'typebox'
import * as ErrorTable from '../errors/ErrorTable.ts'
import type { SetAtHeight } from '../p-chain/ValidatorSets.ts'
import * as Schema from '../Schema.ts'
import { reportOf, setOf } from '../signing/Quorum.ts'
import type { Signed } from '../signing/Signatures.ts'
import { DestinationMembers, destinationJson } from './DestinationAnswer.ts'

const LatelyJson = Schema.object(
  'RecentFailure',
  'Recent failure of a validator that was not queried, or not awaited',
  {
    outcome: Schema.text('Kind of the failure, as in `outcome`', 'timed-out'),
    code: Schema.optional(Schema.integer('Code of the application error that the validator sent', 1)),
    text: Schema.optional(
      Schema.text('Text of the application error that the validator sent', 'unknown message'),
    ),
  },
)

const ReportedValidator = Schema.object('ReportedValidator', 'Outcome for one validator', {
  index: Schema.integer('Position in the canonical order of the validator set, from 0', 0),
  nodeIds: Schema.nodeIds(),
  weight: Schema.weight('Weight of the validator'),
  outcome: Schema.text(
    'Outcome: signed, refused, empty, bad-signature, timed-out, unanswered, not-sent, disconnected, not-connected, not-asked or inactive',
    'signed',
  ),
  inSignedMessage: Schema.flag('Whether the signed message contains the signature of the validator', true),
  requests: Schema.integer('Number of requests that were sent to the validator', 1),
  fromCache: Schema.optional(Schema.flag('Whether the signature was known from an earlier request', false)),
  code: Schema.optional(Schema.integer('Code of the application error that the validator sent', 1)),
  text: Schema.optional(
    Schema.text('Text of the application error that the validator sent', 'unknown message'),
  ),
  reportedBy: Schema.optional(
    Schema.text(
      'Who reports the answer, if this service has not received it: another aggregator of the same fleet, which cannot be verified, or “the P-chain”, whose state rules out a signature',
      'aggregator-2',
    ),
  ),
  rememberedMs: Schema.optional(
    Schema.number(
      'Age of a refusal that is remembered from an earlier request, in milliseconds; the validator has not responded since',
      1_500,
    ),
  ),
  lately: Schema.optional(LatelyJson),
  latencyMs: Schema.optional(Schema.number('Milliseconds until the validator responded', 41.5)),
})

/** JSON schema of the report, with the outcome for every validator. */
export const ReportJson = Schema.object('SignatureReport', 'Outcome for every validator', {
  signingSubnetId: Schema.text('Id of the subnet whose validators sign', Schema.EXAMPLE.subnetId),
  pChainHeight: Schema.height('P-chain height of the validator set'),
  signedWeight: Schema.weight('Weight of the validators that have signed'),
  neededWeight: Schema.weight('Weight that the quorum requires'),
  totalWeight: Schema.weight('Weight of all validators'),
  elapsedMs: Schema.number('Duration of the aggregation in milliseconds', 182.4),
  validators: Schema.list(ReportedValidator, 'All validators, in their canonical order'),
})

const ProofValidator = Schema.object('ProofValidator', 'A validator that can sign', {
  publicKey: Schema.text('BLS public key in hex (48 bytes, compressed)', 'a5'.repeat(48)),
  weight: Schema.weight('Weight of the validator'),
  nodeIDs: Schema.nodeIds(),
})

const ProofJson = Schema.object(
  'ValidatorSetProof',
  'Validator set with which anyone can verify the message offline',
  {
    networkID: Schema.integer('Id of the network', 1),
    signingSubnetID: Schema.text('Id of the subnet whose validators sign', Schema.EXAMPLE.subnetId),
    pChainHeight: Schema.height('P-chain height of the validator set'),
    totalWeight: Schema.weight('Weight of all validators, including those without a BLS key'),
    validators: Schema.list(ProofValidator, 'Validators in their canonical order'),
    hash: Schema.text('SHA-256 hash of the set in hex, to compare with another source', '0d'.repeat(32)),
  },
)

/**
 * The response with a signed message. Weights and heights are decimal strings, because they can exceed 2^53.
 */
export const Answer = Schema.object('SignatureAggregationResponse', 'A signed message', {
  signedMessage: Schema.text('Signed Warp message in hex without 0x', Schema.EXAMPLE.message),
  report: Schema.optional(ReportJson),
  proof: Schema.optional(ProofJson),
  ...DestinationMembers,
})

/** The response of a failed request, with the report if it was requested and the quorum was missed. */
export const Failure = Schema.object('AggregatorFailure', 'An error', {
  message: Schema.text(
    'What happened, and what to do',
    'quorumPercentage: expected an integer from 0 to 100, got 101',
  ),
  error: Schema.text('Reason phrase of the status', 'Bad Request'),
  statusCode: Schema.integer('HTTP status', 400),
  report: Schema.optional(ReportJson),
})

/** The optional parts of a response that a request asks for. */
export type Parts = {
  readonly report: boolean
  readonly proof: boolean
}

/** Converts a report to JSON. */
export function reportJson(report: Report, at: SetAtHeight): Static<typeof ReportJson> {
  return {
    signingSubnetId: Id.format(at.subnetId),
    pChainHeight: at.height.toString(),
    signedWeight: report.signedWeight.toString(),
    neededWeight: report.neededWeight.toString(),
    totalWeight: report.totalWeight.toString(),
    elapsedMs: Math.round(report.elapsedMs * 10) / 10,
    validators: report.validators.map(entryJson),
  }
}

/** Converts one validator of a report to JSON, and omits absent fields. */
function entryJson(entry: ReportEntry): Static<typeof ReportJson>['validators'][number] {
  return {
    index: entry.index,
    nodeIds: entry.nodeIds.map(NodeId.format),
    weight: entry.weight.toString(),
    outcome: entry.outcome,
    inSignedMessage: entry.inSignedMessage,
    requests: entry.requests,
    ...(entry.fromCache === undefined ? {} : { fromCache: entry.fromCache }),
    ...(entry.code === undefined ? {} : { code: entry.code }),
    ...(entry.text === undefined ? {} : { text: entry.text }),
    ...(entry.reportedBy === undefined ? {} : { reportedBy: entry.reportedBy }),
    ...(entry.rememberedMs === undefined ? {} : { rememberedMs: Math.round(entry.rememberedMs) }),
    ...(entry.lately === undefined ? {} : { lately: entry.lately }),
    ...(entry.latencyMs === undefined ? {} : { latencyMs: Math.round(entry.latencyMs * 10) / 10 }),
  }
}

/** Returns the body of a successful response of `POST /v1/signatureAggregator/…`. */
export function toAnswer(signed: Signed, networkId: number, parts: Parts): Static<typeof Answer> {
  return {
    signedMessage: Hex.encodeBare(signed.result.signedMessage),
    ...(signed.forDestination === undefined ? {} : destinationJson(signed.forDestination)),
    ...(parts.report ? { report: reportJson(signed.result.report, signed.at) } : {}),
    ...(parts.proof ? { proof: proofJson(signed, networkId) } : {}),
  }
}

/** Returns the body of a failed response of `POST /v1/signatureAggregator/…`. */
export function toFailure(error: unknown, withReport: boolean): Static<typeof Failure> {
  const body = ErrorTable.toBody(error)
  const report = reportOf(error)
  const at = setOf(error)
  if (!withReport || report === undefined || at === undefined) return { ...body }
  return { ...body, report: reportJson(report, at) }
}

function proofJson({ at }: Signed, networkId: number): Static<typeof ProofJson> {
  const bundle = ProofBundle.create({
    networkId,
    signingSubnetId: at.subnetId,
    pChainHeight: at.height,
    validatorSet: at.set,
  })
  // TypeBox infers lists that can be changed.
  return ProofBundle.toJSON(bundle) as Static<typeof ProofJson>
}
