import { Hex, isJsonObject, Json } from '@firn/codec'
import { UnsignedMessage } from '@firn/warp'
import * as Case from '../Case.ts'

/** The contents of a recorded signature request. */
export interface Request {
  /** Message and justification as they were sent; empty if absent or null. */
  readonly message: string
  readonly justification: string
  readonly signingSubnet: string | undefined
  /** P-chain height of the validator set; undefined for the height that the node proposes. */
  readonly pChainHeight: number | undefined
}

/** A request without a readable body. */
export const NOTHING: Request = {
  message: '',
  justification: '',
  signingSubnet: undefined,
  pChainHeight: undefined,
}

const ENDPOINT = '/aggregate-signatures'

/**
 * Returns whether the exchange is with the aggregation endpoint, instead of health, metrics or unknown paths.
 */
export function isAggregation(exchange: Case.Case): boolean {
  return Case.text(exchange, 'path') === ENDPOINT
}

/**
 * Returns the request in an exchange's body. Returns undefined if the body is not a JSON object of strings;
 * only the service can check such a body.
 */
export function read(exchange: Case.Case): Request | undefined {
  const body = Case.given(exchange, 'requestBody')
  const parsed = Case.attempt(() => Json.parse(String(body)))?.value
  if (!isJsonObject(parsed)) return undefined
  const fields = parsed as Readonly<Record<string, unknown>>
  const [message, justification] = [fields['message'] ?? '', fields['justification'] ?? '']
  if (typeof message !== 'string' || typeof justification !== 'string') return undefined
  const [subnet, height] = [fields['signing-subnet-id'], fields['pchain-height']]
  return {
    message,
    justification,
    signingSubnet: typeof subnet === 'string' && subnet !== '' ? subnet : undefined,
    // Go's maximum integer and 0 both stand for the proposed height. The maximum is parsed as a bigint here.
    pChainHeight: typeof height === 'number' && height > 0 ? height : undefined,
  }
}

/** Returns the message in a request. It must decode and encode to the same bytes. */
export function message(request: Request): UnsignedMessage.UnsignedMessage {
  const bytes = Hex.decodeAny(request.message)
  const decoded = UnsignedMessage.decode(bytes)
  Case.same('request message after re-encoding', bytes, UnsignedMessage.encode(decoded))
  return decoded
}
