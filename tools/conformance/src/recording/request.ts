import { Hex, Json } from '@firn/codec'
import { UnsignedMessage } from '@firn/warp'
import * as Case from '../Case.ts'

/** What a recorded request asked the aggregator to sign. */
export interface Request {
  /** Text of the message and of the justification as they were sent; empty when absent or null. */
  readonly message: string
  readonly justification: string
  readonly signingSubnet: string | undefined
  /** P-chain height at which to take the validator set; undefined for the one that the node proposes. */
  readonly pChainHeight: number | undefined
}

/** What a request holds that has no readable body. */
export const NOTHING: Request = {
  message: '',
  justification: '',
  signingSubnet: undefined,
  pChainHeight: undefined,
}

const ENDPOINT = '/aggregate-signatures'

/** True when the exchange is with the endpoint that aggregates; its health, metrics and unknown paths are not. */
export function isAggregation(exchange: Case.Case): boolean {
  return Case.text(exchange, 'path') === ENDPOINT
}

/** The request in an exchange's body; undefined when it is not a JSON object of texts, which the service judges. */
export function read(exchange: Case.Case): Request | undefined {
  const body = Case.given(exchange, 'requestBody')
  const parsed = Case.attempt(() => Json.parse(String(body)))?.value
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
  const fields = parsed as Readonly<Record<string, unknown>>
  const [message, justification] = [fields['message'] ?? '', fields['justification'] ?? '']
  if (typeof message !== 'string' || typeof justification !== 'string') return undefined
  const [subnet, height] = [fields['signing-subnet-id'], fields['pchain-height']]
  return {
    message,
    justification,
    signingSubnet: typeof subnet === 'string' && subnet !== '' ? subnet : undefined,
    // Go's greatest number stands for the proposed height, as 0 does; it comes as a bigint here.
    pChainHeight: typeof height === 'number' && height > 0 ? height : undefined,
  }
}

/** The message that a request asks for, which must decode and encode back to the same bytes. */
export function message(request: Request): UnsignedMessage.UnsignedMessage {
  const bytes = Hex.decodeAny(request.message)
  const decoded = UnsignedMessage.decode(bytes)
  Case.same('request message encoded again', bytes, UnsignedMessage.encode(decoded))
  return decoded
}
