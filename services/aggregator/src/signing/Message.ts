import { excerpt, Hex, Id } from '@firn/codec'
import { Justification, L1Message, Payload, UnsignedMessage, WarpEvent } from '@firn/warp'
import { AggregatorError } from '../errors/AggregatorError.ts'
import type { Subnets } from '../p-chain/Subnets.ts'
import type { AggregateRequest } from './AggregateRequest.ts'

const NO_SOURCE = new Uint8Array()

/** The message to sign, decoded and as the bytes that validators sign. */
export interface Message {
  readonly bytes: Uint8Array
  readonly unsigned: UnsignedMessage.UnsignedMessage
}

/** The network data that {@link resolve} needs. */
export interface MessageContext {
  readonly networkId: number
  readonly subnets: Pick<Subnets, 'find'>
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns the message that a request contains or, if it contains only a justification, the P-chain message
 * that follows from the justification.
 * @throws AggregatorError `AGGREGATOR_MESSAGE`, `AGGREGATOR_NETWORK_ID`, `AGGREGATOR_SUBNET_UNKNOWN`,
 * `AGGREGATOR_UPSTREAM`
 */
export async function resolve(
  request: Pick<AggregateRequest, 'message' | 'justification'>,
  context: MessageContext,
): Promise<Message> {
  if (request.message === undefined) return justified(request.justification ?? NO_SOURCE, context)
  const message = decode(request.message)
  const { networkID: networkId } = message.unsigned
  if (networkId !== context.networkId) {
    throw new AggregatorError(
      'AGGREGATOR_NETWORK_ID',
      `message: expected network id ${context.networkId}, got ${networkId}`,
      {
        details: { field: 'message', expected: context.networkId, got: networkId },
      },
    )
  }
  return message
}

/**
 * Decodes bytes that are an unsigned message or the data of a SendWarpMessage event. No bytes are valid in
 * both formats: event data starts with the word 32 and would decode to a message of network 0 with trailing
 * bytes.
 * @throws AggregatorError `AGGREGATOR_MESSAGE`
 */
export function decode(bytes: Uint8Array): Message {
  try {
    return { bytes, unsigned: UnsignedMessage.decode(bytes) }
  } catch (asMessage) {
    try {
      const inner = WarpEvent.decodeData(bytes)
      return { bytes: inner, unsigned: UnsignedMessage.decode(inner) }
    } catch (asEvent) {
      throw undecodable(bytes, asMessage as Error, asEvent as Error)
    }
  }
}

function undecodable(bytes: Uint8Array, asMessage: Error, asEvent: Error): AggregatorError {
  const looksLikeEvent = bytes.length >= 64 && bytes.subarray(0, 31).every((byte) => byte === 0)
  const reason = looksLikeEvent ? `as event data: ${asEvent.message}` : asMessage.message
  return new AggregatorError(
    'AGGREGATOR_MESSAGE',
    `message: expected an unsigned Warp message or the data of a SendWarpMessage event, got ${excerpt(Hex.encode(bytes.subarray(0, 64)))}; ${reason}`,
    { details: { field: 'message' }, cause: looksLikeEvent ? asEvent : asMessage },
  )
}

/**
 * Returns the P-chain message that follows from a justification. A justification that is only a subnet id
 * proves that the subnet was converted; any other justification proves that a validation does not exist.
 * Validators require a justification only for these two messages.
 */
async function justified(
  justification: Uint8Array,
  { networkId, subnets, signal }: MessageContext,
): Promise<Message> {
  const content =
    justification.length === Id.LENGTH
      ? await conversionOf(justification, subnets, signal)
      : ({
          type: 'L1ValidatorRegistration',
          validationID: validationOf(justification),
          registered: false,
        } as const)
  const payload = Payload.encode({
    type: 'AddressedCall',
    sourceAddress: NO_SOURCE,
    payload: L1Message.encode(content),
  })
  const unsigned = { networkID: networkId, sourceChainID: Id.EMPTY, payload }
  return { bytes: UnsignedMessage.encode(unsigned), unsigned }
}

async function conversionOf(
  subnetId: Uint8Array,
  subnets: MessageContext['subnets'],
  signal: AbortSignal | undefined,
) {
  const subnet = await subnets.find(subnetId, signal)
  if (subnet?.isL1) return { type: 'SubnetToL1Conversion', id: subnet.conversionId } as const
  const why = subnet === undefined ? 'is unknown on this network' : 'has not been converted to an L1'
  throw new AggregatorError(
    'AGGREGATOR_SUBNET_UNKNOWN',
    `justification: the subnet ${Id.format(subnetId)} ${why}, so there is no message to sign`,
    {
      details: { field: 'justification' },
    },
  )
}

function validationOf(bytes: Uint8Array): Uint8Array {
  const expected =
    'justification: expected a 32-byte subnet id or an L1ValidatorRegistrationJustification, because the request has no message'
  try {
    const justification = Justification.decode(bytes)
    if (justification !== null) return Justification.validationId(justification)
  } catch (cause) {
    throw new AggregatorError('AGGREGATOR_MESSAGE', `${expected}; ${(cause as Error).message}`, {
      details: { field: 'justification' },
      cause,
    })
  }
  throw new AggregatorError(
    'AGGREGATOR_MESSAGE',
    `${expected}, got ${excerpt(Hex.encode(bytes.subarray(0, 64)))}`,
    {
      details: { field: 'justification' },
    },
  )
}
