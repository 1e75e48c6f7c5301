import { Hex, Json } from '@firn/codec'
import { UnsignedMessage } from '@firn/warp'
import * as Case from '../Case.ts'

/** The contents of a recorded signature request. */
export interface Request {
  /** The message and justification as they were sent; empty when absent or null. */
  readonly message: string
  readonly justification: string
  readonly signingSubnet: string | undefined
  /** P-chain height of the validator set; undefined for the height that the node proposes. */
  readonly pChainHeight: number | undefined
}

/** The contents of a request without a readable body. */
export const NOTHING: Request = {
  message: '',
  justification: '',
  signingSubnet: undefined,
  pChainHeight: undefined,
}

const ENDPOINT = '/aggregate-signatures'

/**
 * Returns whether the exchange is with the aggregation endpoint, and not with health, metrics or unknown
 * paths.
 */
export function isAggregation(exchange: Case.Case): boolean {
  return Case.text(exchange, 'path') === ENDPOINT
}

/**
 * Returns the request in an exchange's body; undefined if it is not a JSON object of strings, which is for
 * the service to judge.
 */
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
    // Go's maximum integer means the proposed height, as 0 does; here it is parsed as a bigint.
    pChainHeight: typeof height === 'number' && height > 0 ? height : undefined,
  }
}

/** Returns the message that a request contains, which must decode and encode to the same bytes. */
export function message(request: Request): UnsignedMessage.UnsignedMessage {
  const bytes = Hex.decodeAny(request.message)
  const decoded = UnsignedMessage.decode(bytes)
  Case.same('re-encoded request message', bytes, UnsignedMessage.encode(decoded))
  return decoded
}
