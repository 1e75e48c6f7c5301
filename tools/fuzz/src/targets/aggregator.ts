import { isDeepStrictEqual } from 'node:util'
import { Batch, GoRequest, RequestBody, SourceRequest, Submissions } from '@firn/aggregator'
import { isJsonObject, Json } from '@firn/codec'
import { GoJson } from '@firn/http'
import { ofText, type Target } from '../Target.ts'

const MESSAGE = `0x0000000030390${'0'.repeat(63)}00000000`

const bodies = [
  `{"message":"${MESSAGE}","quorumPercentage":67,"pChainHeight":18446744073709551615}`,
  '{"justification":"0x01","signingSubnetId":"11111111111111111111111111111111LpoYY","deadlineMs":50,"waitMs":9}',
  `{"message":"${MESSAGE}","destinationChain":"2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5","pChainHeight":0}`,
]

const batches = [
  `{"messages":[{"message":"${MESSAGE}","quorumPercentage":80},{"justification":"0x01"},7,null,[]]}`,
]

const sources = [
  `{"sourceChain":"11111111111111111111111111111111LpoYY","transactionHash":"0x${'ab'.repeat(32)}"}`,
  `{"sourceChain":"0x${'cd'.repeat(32)}","blockNumber":4711,"quorumPercentage":80,"deadlineMs":50}`,
]

/** Checks that each message of a batch that can be parsed keeps its place. */
const checkBatch = (text: string): string | undefined => {
  const body = Json.parse(text)
  const messages = Batch.parseBatch(body, { report: false, proof: false })
  const given = (body as { readonly messages?: unknown }).messages
  return isDeepStrictEqual(messages, given) ? undefined : 'the messages of the batch differ from the body'
}

const goBodies = [
  `{"message":"${MESSAGE}","Quorum-Percentage":67,"pchain-height":18446744073709551615} {}`,
  ` {"mess\\u0061ge":null,"JUSTIFICATION":"0x01","signing-subnet-id":"0x${'00'.repeat(32)}","x":[{"a":"}\\"\\\\"}]}`,
]

const submissions = [
  `{"message":"${MESSAGE}","signatures":[{"nodeId":"NodeID-111111111111111111116DBWJs","signature":"0x00"}]}`,
  `{"signedMessage":"${MESSAGE}","pChainHeight":7,"quorumPercentage":67}`,
]

/** Returns the value of JSON text, or undefined if the text is not JSON. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ANY = /^/

/** Compares the members that the aggregator finds in an object with those that a JSON parser finds. */
const compareMembers = (text: string): string | undefined => {
  const value = parseJson(text)
  // Names with lone surrogates are decoded as Go does, which differs from a JSON parser.
  if (!isJsonObject(value) || !Object.keys(value).every((name) => name.isWellFormed())) return undefined
  const { members } = GoJson.parseFirst(new TextEncoder().encode(text), ANY)
  const found = Object.fromEntries(members.map(({ name, text: json }) => [name, JSON.parse(json())]))
  return isDeepStrictEqual(found, value)
    ? undefined
    : 'the members of the body differ from those that a JSON parser finds'
}

/** Targets for the bodies that callers send to the signature aggregator. */
export const aggregatorTargets: readonly Target[] = [
  ofText(
    'aggregator, body',
    () => bodies,
    (text) => RequestBody.parse(Json.parse(text)),
  ),
  ofText('aggregator, body of a batch', () => batches, checkBatch),
  ofText(
    'aggregator, body that names a source chain',
    () => sources,
    (text) => {
      const { chainId, at } = SourceRequest.parseSource(Json.parse(text)).source
      return chainId.length === 32 && Object.keys(at).length === 1 ? undefined : 'the source is incomplete'
    },
  ),
  ofText(
    'aggregator, body with signatures of others',
    () => submissions,
    (text) => void Submissions.parse(Json.parse(text)),
  ),
  ofText(
    'aggregator, body of the Go route',
    () => goBodies,
    (text) => compareMembers(text) ?? void GoRequest.parse(text),
  ),
]
