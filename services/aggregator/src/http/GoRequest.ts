import { Bytes, excerpt, foldName, Hex, Id } from '@firn/codec'
import { GoJson, RequestJson } from '@firn/http'
import { Schema as RpcSchema } from '@firn/rpc'
import { AggregatorError, type AggregatorErrorCode } from '../errors/AggregatorError.ts'
import { Body, DEFAULT_QUORUM } from '../json/RequestBody.ts'
import * as Schema from '../Schema.ts'
import type { AggregateRequest } from '../signing/AggregateRequest.ts'
import * as Message from '../signing/Message.ts'

/**
 * The body of the Go service's `POST /aggregate-signatures`, for the documentation. Both spellings of the height are
 * accepted.
 */
export const GoBody = Schema.object('GoSignatureRequest', 'A message to sign', {
  message: Body.properties.message,
  justification: Body.properties.justification,
  'signing-subnet-id': Body.properties.signingSubnetId,
  'quorum-percentage': Body.properties.quorumPercentage,
  'quorum-percentage-buffer': Body.properties.quorumPercentageBuffer,
  'pchain-height': Body.properties.pChainHeight,
  'p-chain-height': Body.properties.pChainHeight,
})

/**
 * The Go service's texts for requests that it cannot read, which its clients may compare, and one text for a header that
 * only this service has.
 */
export type GoText =
  | 'Could not decode request body'
  | 'Could not decode message'
  | 'Could not decode justification'
  | 'Error unpacking warp message'
  | 'Invalid quorum number'
  | 'Invalid quorum buffer number'
  | 'Error parsing signing subnet ID'
  | 'Invalid x-request-timeout-ms header'

/** Fields as the caller has spelled them, by their names on the other route. */
export type Spelling = Readonly<Record<'signingSubnetId' | 'pChainHeight', string>>

/** A request to the Go service's route. */
export interface GoRequest {
  readonly request: AggregateRequest
  readonly spelling: Spelling
}

type Field = keyof typeof GoBody.properties
type Text = { readonly key: string; readonly text: string }
type Count = { readonly key: string; readonly count: bigint }

const TEXTS: readonly Field[] = ['message', 'justification', 'signing-subnet-id']
const COUNTS: readonly Field[] = [
  'quorum-percentage',
  'quorum-percentage-buffer',
  'pchain-height',
  'p-chain-height',
]
/** Go matches keys by Unicode case folding, so `i` and `u` are both needed. */
const FIELD = new RegExp(`^(?:${[...TEXTS, ...COUNTS].join('|')})$`, 'iu')
const MAX_U64 = 2n ** 64n - 1n
const DIGITS = /^\d+$/

/**
 * Parses the body of a request to the Go service's route. It accepts what the Go service accepts: only the first JSON
 * value counts, keys match in any letter case, of repeated keys the last one counts, unknown keys and null are ignored,
 * and 2^64 − 1 means the proposed height. Beyond that, it accepts `quorum-percentage-buffer` and `p-chain-height`.
 * Checks are made in the order of the Go service.
 * @throws AggregatorError `AGGREGATOR_BODY`, `AGGREGATOR_FIELD`, `AGGREGATOR_MESSAGE`; `details.goText` is a
 * {@link GoText}
 */
export function parse(body: string): GoRequest {
  const { texts, counts } = readFields(body)
  const message = bytesOf(texts.get('message'), 'Could not decode message')
  if (message === undefined) throw withoutMessage()
  Message.decode(message)
  const justification = bytesOf(texts.get('justification'), 'Could not decode justification')
  const quorumPercentage =
    percentage(counts.get('quorum-percentage'), 'Invalid quorum number') || DEFAULT_QUORUM
  const subnet = texts.get('signing-subnet-id')
  const signingSubnetId = subnetOf(subnet)
  const buffer = counts.get('quorum-percentage-buffer')
  const bufferPercentage = percentage(buffer, 'Invalid quorum buffer number')
  if (quorumPercentage + bufferPercentage > 100)
    throw tooMuch(buffer?.key, quorumPercentage, bufferPercentage)
  const height = [counts.get('pchain-height'), counts.get('p-chain-height')].find((given) => given?.count)
  const isProposed = height === undefined || height.count === MAX_U64
  return {
    request: {
      message,
      justification,
      signingSubnetId,
      quorumPercentage,
      bufferPercentage,
      height: isProposed ? 'proposed' : height.count,
      deadlineMs: undefined,
      // The Go service asks each validator once.
      waitMs: 0,
    },
    spelling: {
      signingSubnetId: subnet?.key ?? 'signing-subnet-id',
      pChainHeight: height?.key ?? 'pchain-height',
    },
  }
}

function readFields(body: string) {
  const texts = new Map<Field, Text>()
  const counts = new Map<Field, Count>()
  for (const member of readMembers(body)) {
    const { name: key, value } = member
    if (value === null) continue
    const folded = foldName(key)
    const text = TEXTS.find((field) => field === folded)
    const count = COUNTS.find((field) => field === folded)
    if (text !== undefined) texts.set(text, { key, text: textOf(member) })
    if (count !== undefined) counts.set(count, { key, count: countOf(member) })
  }
  return { texts, counts }
}

function readMembers(body: string): readonly GoJson.Member[] {
  try {
    RequestJson.assertBounds(body, { depth: GoJson.MAX_DEPTH })
    const { value, members } = GoJson.parseFirst(Buffer.from(body), FIELD)
    if (value !== null && !RpcSchema.isObject(value)) throw new SyntaxError('expected an object')
    return members
  } catch (cause) {
    const reason = body.trim() === '' ? 'got nothing' : reasonOf(cause)
    const message = `body: expected a JSON object; ${reason}`
    throw refused('AGGREGATOR_BODY', message, 'Could not decode request body', cause)
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof GoJson.GoJsonError ? cause.text : (cause as Error).message
}

function textOf({ name, value, text }: GoJson.Member): string {
  if (typeof value === 'string') return value
  throw wrongType(name, 'text', text())
}

function countOf({ name, value, text }: GoJson.Member): bigint {
  const digits = value instanceof RpcSchema.NumberToken ? value.text : ''
  const count = DIGITS.test(digits) ? BigInt(digits) : undefined
  if (count !== undefined && count <= MAX_U64) return count
  throw wrongType(name, `an integer from 0 to ${MAX_U64}`, text())
}

function wrongType(key: string, expected: string, value: string): AggregatorError {
  const message = `${key}: expected ${expected}, got ${excerpt(JSON.parse(value))}`
  return refused('AGGREGATOR_FIELD', message, 'Could not decode request body')
}

function isEmpty(given: Text | undefined): boolean {
  return given === undefined || given.text === '' || given.text === '0x'
}

function bytesOf(given: Text | undefined, goText: GoText): Uint8Array | undefined {
  if (given === undefined || isEmpty(given)) return undefined
  try {
    return Hex.decodeAny(given.text)
  } catch (cause) {
    throw refused('AGGREGATOR_MESSAGE', `${given.key}: ${(cause as Error).message}`, goText, cause)
  }
}

function withoutMessage(): AggregatorError {
  return refused(
    'AGGREGATOR_MESSAGE',
    'message: expected an unsigned Warp message or the data of a SendWarpMessage event, got nothing; only /v1/signatureAggregator accepts a justification alone',
    'Error unpacking warp message',
  )
}

function percentage(given: Count | undefined, goText: GoText): number {
  if (given === undefined || given.count <= 100n) return Number(given?.count ?? 0)
  const message = `${given.key}: expected an integer from 0 to 100, got ${given.count}`
  throw refused('AGGREGATOR_FIELD', message, goText)
}

function tooMuch(key = 'quorum-percentage-buffer', quorum: number, buffer: number): AggregatorError {
  const sum = `${quorum} + ${buffer} = ${quorum + buffer}`
  const message = `quorum-percentage and ${key}: expected a sum of at most 100, got ${sum}`
  return refused('AGGREGATOR_FIELD', message, 'Invalid quorum buffer number')
}

/** Parses a subnet id. As in the Go service, hex needs the prefix 0x, and the id of zeros stands for no id. */
function subnetOf(given: Text | undefined): Uint8Array | undefined {
  if (given === undefined || given.text === '') return undefined
  const { key, text } = given
  const wrong = (cause?: unknown) => {
    const message = `${key}: expected a subnet id in 0x and 64 hex digits or cb58, got ${excerpt(text)}`
    return refused('AGGREGATOR_FIELD', message, 'Error parsing signing subnet ID', cause)
  }
  let bytes: Uint8Array
  try {
    bytes = text.startsWith('0x') ? Hex.decodeAny(text) : Id.parse(text)
  } catch (cause) {
    throw wrong(cause)
  }
  if (bytes.length !== Id.LENGTH) throw wrong()
  return Bytes.isZero(bytes) ? undefined : bytes
}

function refused(
  code: AggregatorErrorCode,
  message: string,
  goText: GoText,
  cause?: unknown,
): AggregatorError {
  return new AggregatorError(code, message, { details: { goText }, cause })
}
