import { isDeepStrictEqual } from 'node:util'
import { GoJson, GoRequest, RequestBody } from '@firn/aggregator'
import { Json } from '@firn/codec'
import { ofText, type Target } from '../Target.ts'

const MESSAGE = `0x0000000030390${'0'.repeat(63)}00000000`

const bodies = [
  `{"message":"${MESSAGE}","quorumPercentage":67,"pChainHeight":18446744073709551615}`,
  '{"justification":"0x01","signingSubnetId":"11111111111111111111111111111111LpoYY","deadlineMs":50}',
  `{"message":"${MESSAGE}","destinationChain":"2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5","pChainHeight":0}`,
]

const goBodies = [
  `{"message":"${MESSAGE}","Quorum-Percentage":67,"pchain-height":18446744073709551615} {}`,
  ` {"mess\\u0061ge":null,"JUSTIFICATION":"0x01","signing-subnet-id":"0x${'00'.repeat(32)}","x":[{"a":"}\\"\\\\"}]}`,
]

/** Returns the value of JSON text, or undefined if the text is not JSON. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Compares the members that the aggregator finds in an object with those that a JSON parser finds. */
const compareMembers = (text: string): string | undefined => {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const members = GoJson.read(text)
  const found = typeof members === 'string' ? members : members.map(([key, json]) => [key, JSON.parse(json)])
  const isSame = Array.isArray(found) && isDeepStrictEqual(Object.fromEntries(found), value)
  return isSame ? undefined : 'the members of the body differ from those that a JSON parser finds'
}

/** Targets for the bodies that callers send to the signature aggregator. */
export const aggregatorTargets: readonly Target[] = [
  ofText(
    'aggregator, body',
    () => bodies,
    (text) => RequestBody.parse(Json.parse(text)),
  ),
  ofText(
    'aggregator, body of the Go route',
    () => goBodies,
    (text) => compareMembers(text) ?? void GoRequest.parse(text),
  ),
]
