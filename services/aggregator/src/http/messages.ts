import { excerpt, Hex, Id } from '@firn/codec'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { ReportJson } from '../json/Answer.ts'
import * as RequestBody from '../json/RequestBody.ts'
import * as Schema from '../Schema.ts'
import type { Filter, Place, StoredMessage } from '../shared-log/LogReader.ts'
import type { MessageLog } from '../shared-log/MessageLog.ts'
import { Stored, Submission } from '../shared-log/Submissions.ts'
import type { AppDependencies } from './AppDependencies.ts'
import { FAILURES, flag } from './aggregate.ts'
import { assertParameters } from './parameters.ts'

const PATH = '/v1/messages'
const TAGS = ['Message log']
const PAGE_SIZE = 50
const MAX_PAGE_SIZE = 100

const SignedJson = Schema.object('SignedWarpMessage', 'A signed message', {
  signingSubnetId: Schema.text('Id of the subnet whose validators signed', Schema.EXAMPLE.subnetId),
  pChainHeight: Schema.height('P-chain height of the validator set'),
  quorumPercentage: Schema.integer('Percentage of the weight that had to sign', 67),
  signedMessage: Schema.text('Signed Warp message in hex without 0x', Schema.EXAMPLE.message),
  signedWeight: Schema.weight('Weight of the validators that have signed'),
  neededWeight: Schema.weight('Weight that the quorum requires'),
  totalWeight: Schema.weight('Weight of all validators'),
  storedAt: Schema.time('Time at which it was stored'),
  report: Schema.optional(ReportJson),
})

const MessageJson = Schema.object('WarpMessage', 'A message with its signed messages', {
  messageId: Schema.text('Id of the message in cb58', Schema.EXAMPLE.messageId),
  sourceBlockchainId: Schema.text('Id of the source chain', Schema.EXAMPLE.chainId),
  unsignedMessage: Schema.text('Unsigned Warp message in hex without 0x', Schema.EXAMPLE.message),
  storedAt: Schema.time('Time at which the message was stored'),
  signatureCount: Schema.integer('Number of stored signatures', 5),
  signedMessages: Schema.list(SignedJson, 'One for each P-chain height and subnet, newest first'),
})

const OneMessage = Schema.object('WarpMessageDetails', 'A message with its signatures and signed messages', {
  ...MessageJson.properties,
  signatures: Schema.list(
    Schema.object('StoredSignature', 'Signature of one validator', {
      publicKey: Schema.text('BLS public key in hex (48 bytes)', 'a5'.repeat(48)),
      signature: Schema.text('BLS signature in hex (96 bytes)', 'a5'.repeat(96)),
    }),
    'Stored signatures',
  ),
})

const Page = Schema.object('ListMessagesResponse', 'A page of messages', {
  messages: Schema.list(MessageJson, 'Messages, newest first'),
  nextPageToken: Schema.optional(Schema.text('Token of the next page; absent on the last page', 'MTcwMA')),
})

const optional = (description: string, example: string) => Schema.optional(Schema.text(description, example))

const ListQuery = Schema.parameters({
  sourceChain: optional('Id of the source chain in cb58 or hex', Schema.EXAMPLE.chainId),
  fromHeight: optional('Only messages signed at this P-chain height or above', Schema.EXAMPLE.height),
  toHeight: optional('Only messages signed at this P-chain height or below', Schema.EXAMPLE.height),
  from: optional(
    'Earliest time at which the message was stored: ISO 8601, or seconds since 1970',
    Schema.EXAMPLE.time,
  ),
  to: optional(
    'Latest time at which the message was stored: ISO 8601, or seconds since 1970',
    Schema.EXAMPLE.time,
  ),
  pageToken: optional('nextPageToken of the page before', 'MTcwMA'),
  pageSize: optional(
    `Number of messages, from 1 to ${MAX_PAGE_SIZE}; ${PAGE_SIZE} by default; pages of large messages have fewer`,
    String(PAGE_SIZE),
  ),
})

/** Adds the routes of the message log. Without a message log, they respond with an explanation. */
export function addMessageRoutes(
  server: FastifyInstance,
  { messageLog, configuration }: AppDependencies,
): void {
  const log = (): MessageLog => {
    if (messageLog !== undefined) return messageLog
    throw new AggregatorError('AGGREGATOR_ROUTE', 'this service has no message log; it needs --database-url')
  }
  addMessageRoute(server, log)
  addListRoute(server, log)
  addSubmissionRoute(server, log, configuration)
}

function addMessageRoute(server: FastifyInstance, log: () => MessageLog): void {
  const schema = {
    operationId: 'getMessage',
    summary: 'A message with its signatures and signed messages',
    description: 'Returns a message of the message log.',
    tags: TAGS,
    params: Schema.parameters({
      id: Schema.text('Warp message id in cb58 or hex', Schema.EXAMPLE.messageId),
    }),
    querystring: Schema.parameters({
      report: Schema.optional(Schema.flag('Includes the reports of the aggregations', true)),
    }),
    response: { 200: OneMessage, ...FAILURES },
  }
  server.get<{ Params: { id: string }; Querystring: Record<string, unknown> }>(
    `${PATH}/:id`,
    { schema },
    async ({ params, query }) => {
      const messageId = RequestBody.parseId('id', 'message', params.id)
      const found = await log().find(messageId, flag(query, 'report'))
      if (found === undefined) {
        throw new AggregatorError(
          'AGGREGATOR_MESSAGE_UNKNOWN',
          `no message ${Id.format(messageId)} in the message log`,
        )
      }
      const signatures = await log().signatures(messageId)
      return {
        ...messageJson(found),
        signatures: signatures.map(({ publicKey, signature }) => ({
          publicKey: Hex.encodeBare(publicKey),
          signature: Hex.encodeBare(signature),
        })),
      }
    },
  )
}

function addListRoute(server: FastifyInstance, log: () => MessageLog): void {
  const schema = {
    operationId: 'listMessages',
    summary: 'List messages, newest first',
    description: 'Returns the messages of the message log that match all filters.',
    tags: TAGS,
    querystring: ListQuery,
    response: { 200: Page, ...FAILURES },
  }
  server.get<{ Querystring: Record<string, unknown> }>(PATH, { schema }, async ({ query }) => {
    assertParameters(query, ListQuery)
    const size = parseNumber(query, 'pageSize', 1, MAX_PAGE_SIZE) ?? PAGE_SIZE
    const { messages, next } = await log().list(parseFilter(query), size)
    return {
      messages: messages.map(messageJson),
      ...(next === undefined ? {} : { nextPageToken: formatToken(next) }),
    }
  })
}

function addSubmissionRoute(
  server: FastifyInstance,
  log: () => MessageLog,
  { bodyLimitBytes: bodyLimit, requestTimeout }: AppDependencies['configuration'],
): void {
  const schema = {
    operationId: 'addMessage',
    summary: 'Hand in signatures or a signed message of others',
    description: 'Everything is verified first. If any part is wrong, nothing is stored.',
    tags: TAGS,
    body: Submission,
    response: { 200: Stored, ...FAILURES },
  }
  server.post(PATH, { bodyLimit, schema }, async (request) =>
    log().submit(request.body, AbortSignal.timeout(requestTimeout)),
  )
}

function messageJson(stored: StoredMessage): Static<typeof MessageJson> {
  return {
    messageId: Id.format(stored.messageId),
    sourceBlockchainId: Id.format(stored.sourceChain),
    unsignedMessage: Hex.encodeBare(stored.unsignedMessage),
    storedAt: stored.storedAt,
    signatureCount: stored.signatures,
    signedMessages: stored.signedMessages.map(({ subnetId, height, signedMessage, report, ...rest }) => ({
      signingSubnetId: Id.format(subnetId),
      pChainHeight: height,
      ...rest,
      signedMessage: Hex.encodeBare(signedMessage),
      ...(report == null ? {} : { report: report as Static<typeof ReportJson> }),
    })),
  }
}

function parseFilter(query: Readonly<Record<string, unknown>>): Filter {
  const chain = textOf(query, 'sourceChain')
  const token = textOf(query, 'pageToken')
  const height = (name: string) => parseNumber(query, name, 0, Number.MAX_SAFE_INTEGER)
  const [fromHeight, toHeight] = [height('fromHeight'), height('toHeight')]
  return {
    sourceChain: RequestBody.idOf('sourceChain', 'blockchain', chain),
    fromHeight: fromHeight === undefined ? undefined : BigInt(fromHeight),
    toHeight: toHeight === undefined ? undefined : BigInt(toHeight),
    from: parseTime(query, 'from'),
    to: parseTime(query, 'to'),
    after: token === undefined ? undefined : parseToken(token),
  }
}

function textOf(query: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(query, name) ? query[name] : undefined
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string') return value
  throw wrong(name, 'a single value', value)
}

function parseNumber(
  query: Readonly<Record<string, unknown>>,
  name: string,
  least: number,
  most: number,
): number | undefined {
  const value = textOf(query, name)
  if (value === undefined) return undefined
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
  if (number >= least && number <= most) return number
  throw wrong(name, `an integer from ${least} to ${most}`, value)
}

/** Returns the time in milliseconds since 1970. */
function parseTime(query: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = textOf(query, name)
  if (value === undefined) return undefined
  if (/^\d{1,11}$/.test(value)) return Number(value) * 1_000
  const time = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isFinite(time)) return time
  throw wrong(name, 'a time in ISO 8601 or seconds since 1970', value)
}

function formatToken({ time, messageId }: Place): string {
  return Buffer.from(`${time} ${Hex.encodeBare(messageId)}`).toString('base64url')
}

function parseToken(token: string): Place {
  const [, time, id] = /^(\d{1,18}) ([0-9a-f]{64})$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (time === undefined || id === undefined) throw wrong('pageToken', 'the nextPageToken of a page', token)
  return { time, messageId: Hex.decodeBare(id) }
}

function wrong(field: string, expected: string, value: unknown): AggregatorError {
  return new AggregatorError('AGGREGATOR_FIELD', `${field}: expected ${expected}, got ${excerpt(value)}`, {
    details: { field },
  })
}
