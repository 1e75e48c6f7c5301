import type { Prover } from '@firn/aggregation'
import { Bytes, excerpt, Hex, Id, NodeId } from '@firn/codec'
import { Quorum, SignedMessage, UnsignedMessage } from '@firn/warp'
import type { Static } from 'typebox'
import type { AllowList } from '../callers/AllowList.ts'
import * as SignedMessageCheck from '../epochs/SignedMessageCheck.ts'
import { AggregatorError } from '../errors/AggregatorError.ts'
import * as RequestBody from '../json/RequestBody.ts'
import type { Subnets } from '../p-chain/Subnets.ts'
import type { SetAtHeight, ValidatorSets } from '../p-chain/ValidatorSets.ts'
import * as Schema from '../Schema.ts'
import * as Message from '../signing/Message.ts'
import { type Database, toJsonb } from './Database.ts'
import { type MessageRow, type SignatureRow, type SignedRow, STORE } from './LogWriter.ts'

/** Maximum number of signatures in one request. */
const MAX_SIGNATURES = 256
/** Number of signatures that are verified together. */
const GROUP = 32

const { message, signingSubnetId, quorumPercentage, pChainHeight } = RequestBody.Body.properties

/** The body of `POST /v1/messages`. */
export const Submission = Schema.object(
  'MessageSubmission',
  'Signatures or a signed message of others',
  {
    message,
    signatures: Schema.optional(
      Schema.list(
        Schema.object(
          'SubmittedSignature',
          'Signature of one validator',
          {
            nodeId: Schema.optional(
              Schema.text('NodeID of the validator that signed', Schema.EXAMPLE.nodeId),
            ),
            publicKey: Schema.optional(
              Schema.text(
                'BLS key (48 bytes) of the validator that signed, as an alternative to nodeId; hex',
                'a5'.repeat(48),
              ),
            ),
            signature: Schema.text('BLS signature of the message (96 bytes); hex', 'a5'.repeat(96)),
          },
          { additionalProperties: false },
        ),
        'Signatures of the message',
        {
          minItems: 1,
          maxItems: MAX_SIGNATURES,
          'x-expected': `a list of 1 to ${MAX_SIGNATURES} objects {nodeId or publicKey, signature}`,
        },
      ),
    ),
    signedMessage: Schema.optional(
      Schema.text(
        'Signed Warp message, as an alternative to message and signatures; hex',
        Schema.EXAMPLE.message,
      ),
    ),
    signingSubnetId,
    quorumPercentage,
    pChainHeight,
  },
  { additionalProperties: false },
)

/** The response body of `POST /v1/messages`. */
export const Stored = Schema.object('StoredSubmission', 'What was stored', {
  messageId: Schema.text('Id of the message in cb58', Schema.EXAMPLE.messageId),
  signatures: Schema.integer('Number of verified signatures in the request', 1),
})

/** Takes signatures and signed messages from others. */
export interface Submissions {
  /**
   * Verifies everything that a request body contains against the validator set at its height, and stores it. If any
   * part is wrong, nothing is stored.
   * @throws AggregatorError `AGGREGATOR_BODY`, `AGGREGATOR_FIELD`, `AGGREGATOR_MESSAGE`, `AGGREGATOR_SIGNATURE`,
   * `AGGREGATOR_DATABASE`, and as {@link ValidatorSets.at}
   */
  submit(body: unknown, signal: AbortSignal): Promise<Static<typeof Stored>>
}

/** Options of {@link createSubmissions}. */
export interface SubmissionsDependencies {
  readonly networkId: number
  readonly subnets: Subnets
  readonly validatorSets: ValidatorSets
  readonly database: Database
  readonly prover: Prover.Prover
  readonly allowList: AllowList
}

type Fields = Static<typeof Submission>

/**
 * Checks the fields of a request body of `POST /v1/messages`, but not what is in them.
 * @throws AggregatorError `AGGREGATOR_BODY`, `AGGREGATOR_FIELD`
 */
export function parse(body: unknown): Fields {
  RequestBody.assertShape(Submission, body)
  const { message, signatures, signedMessage } = body
  const isWhole = signedMessage !== undefined
  if (isWhole === (signatures !== undefined) || isWhole === (message !== undefined)) {
    throw new AggregatorError(
      'AGGREGATOR_BODY',
      'body: expected either message and signatures, or signedMessage',
      { details: { field: 'body' } },
    )
  }
  return body
}

/** Creates the function that verifies and stores what others hand in. */
export function createSubmissions(dependencies: SubmissionsDependencies): Submissions {
  return {
    submit: async (body, signal) => {
      const fields = parse(body)
      const submit = fields.signedMessage === undefined ? submitSignatures : submitSigned
      return submit(dependencies, fields, signal)
    },
  }
}

async function submitSignatures(
  dependencies: SubmissionsDependencies,
  body: Fields,
  signal: AbortSignal,
): Promise<Static<typeof Stored>> {
  const { networkId, subnets, database, prover } = dependencies
  const message = RequestBody.bytesOf('message', body.message)
  if (message === undefined) {
    throw new AggregatorError(
      'AGGREGATOR_MESSAGE',
      'message: expected an unsigned Warp message, got no bytes',
      {
        details: { field: 'message' },
      },
    )
  }
  const request = { message, justification: undefined }
  const { bytes, unsigned } = await Message.resolve(request, { networkId, subnets, signal })
  const at = await findSet(dependencies, body, unsigned.sourceChainID, signal)
  const received = (body.signatures ?? []).map((one, index) => toReceived(one, `signatures[${index}]`, at))
  await verify(prover, bytes, received)
  const row = toMessageRow(unsigned, bytes)
  const rows = received.map(({ publicKey, signature }) => ({
    message_id: row.message_id,
    public_key: Hex.encodeBare(publicKey.compressed),
    signature: Hex.encodeBare(signature),
  }))
  const distinct = [...new Map(rows.map((one) => [one.public_key, one])).values()]
  await store(database, row, distinct, [])
  return { messageId: Id.format(Hex.decodeBare(row.message_id)), signatures: distinct.length }
}

async function submitSigned(
  dependencies: SubmissionsDependencies,
  body: Fields,
  signal: AbortSignal,
): Promise<Static<typeof Stored>> {
  const { networkId, database, prover } = dependencies
  const bytes = RequestBody.bytesOf('signedMessage', body.signedMessage) ?? new Uint8Array()
  const signed = decodeSigned(bytes)
  const at = await findSet(dependencies, body, signed.unsigned.sourceChainID, signal)
  const percentage = body.quorumPercentage || RequestBody.DEFAULT_QUORUM
  const context = { networkId, validatorSet: at.set, quorum: Quorum.percent(percentage) }
  const result = await SignedMessageCheck.verify(signed, context, prover)
  if (!result.ok) {
    throw refused(
      'signedMessage',
      `it is not valid at P-chain height ${at.height} for subnet ${Id.format(at.subnetId)}: ${result.reason}`,
    )
  }
  const row = toMessageRow(signed.unsigned, UnsignedMessage.encode(signed.unsigned))
  const signedRow: SignedRow = {
    message_id: row.message_id,
    subnet_id: Hex.encodeBare(at.subnetId),
    p_chain_height: at.height.toString(),
    quorum_percentage: percentage,
    signed_message: Hex.encodeBare(bytes),
    signed_weight: result.signedWeight.toString(),
    needed_weight: Quorum.needed(result.totalWeight, percentage).toString(),
    total_weight: result.totalWeight.toString(),
    report: null,
  }
  await store(database, row, [], [signedRow])
  return { messageId: Id.format(Hex.decodeBare(row.message_id)), signatures: 0 }
}

async function findSet(
  { subnets, validatorSets, allowList }: SubmissionsDependencies,
  body: Fields,
  sourceChain: Uint8Array,
  signal: AbortSignal,
): Promise<SetAtHeight> {
  allowList.assertSourceChain(sourceChain)
  const given = RequestBody.idOf('signingSubnetId', 'subnet', body.signingSubnetId)
  const subnetId = given ?? (await subnets.ofChain(sourceChain, signal))
  allowList.assertSigningSubnet(subnetId)
  return validatorSets.at(subnetId, body.pChainHeight ? BigInt(body.pChainHeight) : 'proposed', signal)
}

function toReceived(
  { nodeId, publicKey, signature }: NonNullable<Fields['signatures']>[number],
  field: string,
  at: SetAtHeight,
): Prover.Received {
  if ((nodeId === undefined) === (publicKey === undefined)) {
    throw refused(field, 'expected either nodeId or publicKey')
  }
  const isNamed =
    nodeId === undefined
      ? isKey(decode(`${field}.publicKey`, () => Hex.decodeAny(publicKey ?? '')))
      : isNode(decode(`${field}.nodeId`, () => NodeId.parse(nodeId)))
  const validator = at.set.validators.find(isNamed)
  if (validator === undefined) {
    const where = `subnet ${Id.format(at.subnetId)} at P-chain height ${at.height}`
    throw refused(field, `${excerpt(nodeId ?? publicKey)} is not a validator with a BLS key of ${where}`)
  }
  const bytes = decode(`${field}.signature`, () => Hex.decodeAny(signature))
  return { publicKey: validator.publicKey, signature: bytes }
}

type Validator = SetAtHeight['set']['validators'][number]

const isKey = (key: Uint8Array) => (one: Validator) => Bytes.equals(one.publicKey.compressed, key)
const isNode = (nodeId: Uint8Array) => (one: Validator) =>
  one.nodeIds.some((other) => Bytes.equals(other, nodeId))

/**
 * Throws unless all signatures are right. They are verified in groups, and the first group with a wrong one is the last,
 * because finding the wrong ones costs much more than verifying right ones.
 */
async function verify(
  prover: Prover.Prover,
  message: Uint8Array,
  received: readonly Prover.Received[],
): Promise<void> {
  for (let start = 0; start < received.length; start += GROUP) {
    const verdicts = await prover.check(message, received.slice(start, start + GROUP))
    const wrong = verdicts.findIndex((verdict) => typeof verdict !== 'object')
    if (wrong === -1) continue
    const field = `signatures[${start + wrong}]`
    if (verdicts[wrong] === 'malformed') throw refused(`${field}.signature`, 'it is not a BLS signature')
    throw refused(field, 'the signature is not this validator’s signature of the message')
  }
}

function decodeSigned(bytes: Uint8Array): SignedMessage.SignedMessage {
  try {
    return SignedMessage.decode(bytes)
  } catch (cause) {
    throw new AggregatorError(
      'AGGREGATOR_MESSAGE',
      `signedMessage: expected a signed Warp message, got ${excerpt(Hex.encode(bytes.subarray(0, 64)))}; ${(cause as Error).message}`,
      { details: { field: 'signedMessage' }, cause },
    )
  }
}

function toMessageRow(unsigned: UnsignedMessage.UnsignedMessage, bytes: Uint8Array): MessageRow {
  return {
    message_id: Hex.encodeBare(Id.hash(bytes)),
    source_chain: Hex.encodeBare(unsigned.sourceChainID),
    unsigned_message: Hex.encodeBare(bytes),
  }
}

async function store(
  database: Database,
  row: MessageRow,
  signatures: readonly SignatureRow[],
  signed: readonly SignedRow[],
): Promise<void> {
  await database.run(STORE, [[row], signatures, signed].map(toJsonb))
}

function decode<T>(field: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw refused(field, (cause as Error).message, cause)
  }
}

function refused(field: string, reason: string, cause?: unknown): AggregatorError {
  return new AggregatorError('AGGREGATOR_SIGNATURE', `${field}: ${reason}`, { details: { field }, cause })
}
