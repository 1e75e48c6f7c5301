import { HandlerPrefix, MAX_REQUEST_BYTES } from '@firn/p2p'
import { Acp118 } from '@firn/warp'
import { AggregatorError } from '../errors/AggregatorError.ts'

const NO_BYTES: Uint8Array = new Uint8Array()

/**
 * Throws if a message and its justification are together too long for one request to a validator, which has to fit
 * into a frame of the peer protocol.
 * @throws AggregatorError `AGGREGATOR_BODY_TOO_LARGE`
 */
export function assertFits(message: Uint8Array, justification = NO_BYTES): void {
  const body = Acp118.encodeRequest({ message, justification })
  const { length } = HandlerPrefix.prepend(HandlerPrefix.SIGNATURE_REQUEST, body)
  if (length <= MAX_REQUEST_BYTES) return
  const excess = length - MAX_REQUEST_BYTES
  throw new AggregatorError(
    'AGGREGATOR_BODY_TOO_LARGE',
    `message and justification: ${message.length + justification.length} bytes together are ${excess} more than fit into a request to a validator`,
  )
}
