import type { Report, ReportEntry } from '@firn/aggregation'
import { Hex, Id, NodeId } from '@firn/codec'
import { ProofBundle } from '@firn/warp'
import { type Static, Type } from 'typebox'
import type { SetAtHeight } from '../p-chain/ValidatorSets.ts'
import { reportOf, setOf } from '../signing/Quorum.ts'
import type { Signed } from '../signing/Signatures.ts'
import { DestinationMembers, destinationJson } from './DestinationAnswer.ts'
import * as ErrorTable from './ErrorTable.ts'

const text = Type.String()

/** JSON schema of the report, with the outcome for every validator. */
export const ReportJson = Type.Object(
  {
    signingSubnetId: text,
    pChainHeight: text,
    signedWeight: text,
    neededWeight: text,
    totalWeight: text,
    elapsedMs: Type.Number(),
    validators: Type.Array(
      Type.Object({
        index: Type.Integer(),
        nodeIds: Type.Array(text),
        weight: text,
        outcome: Type.String({
          description:
            'signed, refused, empty, bad-signature, timed-out, unanswered, not-sent, disconnected, not-connected, not-asked or inactive',
        }),
        inSignedMessage: Type.Boolean(),
        requests: Type.Integer(),
        fromCache: Type.Optional(Type.Boolean()),
        code: Type.Optional(Type.Integer()),
        text: Type.Optional(text),
        reportedBy: Type.Optional(
          Type.String({
            description:
              'instance of the aggregator of the same fleet that has received this answer; this service cannot verify it',
          }),
        ),
        rememberedMs: Type.Optional(
          Type.Number({
            description:
              'age of a refusal that is remembered from an earlier request; the validator has not responded since',
          }),
        ),
        lately: Type.Optional(
          Type.Object(
            { outcome: text, code: Type.Optional(Type.Integer()), text: Type.Optional(text) },
            {
              description: 'recent failure of a validator that was not queried, or not awaited',
            },
          ),
        ),
        latencyMs: Type.Optional(Type.Number()),
      }),
    ),
  },
  { title: 'SignatureReport' },
)

const ProofJson = Type.Object(
  {
    networkID: Type.Integer(),
    signingSubnetID: text,
    pChainHeight: text,
    totalWeight: text,
    validators: Type.Array(Type.Object({ publicKey: text, weight: text, nodeIDs: Type.Array(text) })),
    hash: text,
  },
  { title: 'ValidatorSetProof' },
)

/**
 * The response with a signed message. Weights and heights are decimal strings, because they can exceed 2^53.
 */
export const Answer = Type.Object(
  {
    signedMessage: Type.String({ description: 'signed Warp message in hex without 0x' }),
    report: Type.Optional(ReportJson),
    proof: Type.Optional(ProofJson),
    ...DestinationMembers,
  },
  { title: 'SignatureAggregationResponse' },
)

/** The response of a failed request, with the report if it was requested and the quorum was missed. */
export const Failure = Type.Object(
  {
    message: text,
    error: text,
    statusCode: Type.Integer(),
    report: Type.Optional(ReportJson),
  },
  { title: 'AggregatorFailure' },
)

/** The optional parts of a response that a request asks for. */
export interface Parts {
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
  /**
   * `ProofBundle.toJSON` returns exactly the members of `ProofJson`, but its declared return type is any JSON.
   */
  return ProofBundle.toJSON(bundle) as Static<typeof ProofJson>
}
