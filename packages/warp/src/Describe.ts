import { Bytes, CodecError, Hex, Id, type Json, NodeId } from '@firn/codec'
import * as Acp118 from './Acp118.ts'
import * as BitSet from './BitSet.ts'
import * as ConversionData from './ConversionData.ts'
import * as Justification from './Justification.ts'
import * as L1Message from './L1Message.ts'
import * as Payload from './Payload.ts'
import * as SignedMessage from './SignedMessage.ts'
import * as UnsignedMessage from './UnsignedMessage.ts'
import * as ValidationId from './ValidationId.ts'
import * as ValidatorUptime from './ValidatorUptime.ts'
import { WarpError } from './WarpError.ts'
import * as WarpEvent from './WarpEvent.ts'

/**
 * A structure as plain data. Ids are in cb58, other bytes in `0x` hex, and 64-bit numbers are `bigint`
 * (`Json.stringify` prints them).
 */
export type Tree = Readonly<Record<string, Json.Json>> & {
  /** Kind of the structure that the bytes encode. */
  readonly kind: Kind
  /** Other structures that the same bytes encode; absent if there are none. */
  readonly alsoReadsAs?: readonly Kind[]
}

/** Kind of a structure that {@link tree} recognizes. */
export type Kind =
  | 'SignedMessage'
  | 'UnsignedMessage'
  | Payload.Payload['type']
  | L1Message.L1Message['type']
  | 'ValidatorUptime'
  | 'ConversionData'
  | 'SendWarpMessage'
  | 'SignatureRequest'
  | 'SignatureResponse'
  | 'Justification'

type Reader = (bytes: Uint8Array) => Tree

/** Readers from the outermost structure to the innermost. If several accept the bytes, the first one wins. */
const READERS: Readonly<Record<string, Reader>> = {
  'signed message': (bytes) => signed(SignedMessage.decode(bytes)),
  'unsigned message': (bytes) => unsigned(UnsignedMessage.decode(bytes)),
  payload: (bytes) => payload(Payload.decode(bytes)),
  'L1 message': (bytes) => l1Message(bytes, L1Message.decode(bytes)),
  'uptime message': (bytes) => uptime(ValidatorUptime.decode(bytes)),
  'conversion data': (bytes) => conversion(ConversionData.decode(bytes)),
  'SendWarpMessage data': (bytes) => event(WarpEvent.decodeData(bytes)),
  'signature request': request,
  'signature response': response,
  justification: justification,
}

/**
 * Describes the structure in `bytes` and its nested structures: message, payload, and the message in an
 * AddressedCall. All bytes must belong to the structure.
 * @throws WarpError `WARP_UNRECOGNIZED`: `details.attempts` says for each structure why the bytes do not
 * match
 * @example
 * ```ts
 * import { Describe, L1Message } from '@firn/warp'
 *
 * const validationID = new Uint8Array(32).fill(7)
 * const bytes = L1Message.encode({ type: 'L1ValidatorWeight', validationID, nonce: 1n, weight: 100n })
 * Describe.tree(bytes).kind // 'L1ValidatorWeight'
 * ```
 */
export function tree(bytes: Uint8Array): Tree {
  const { found, attempts } = attempt(bytes, Object.entries(READERS))
  const [first, ...others] = found
  if (first === undefined) {
    const nearest = attempts.reduce((a, b) => (b.depth > a.depth ? b : a))
    throw new WarpError(
      'WARP_UNRECOGNIZED',
      `not a Warp structure (${bytes.length} bytes); the closest match is ${nearest.as}: ${nearest.message}`,
      {
        details: { attempts: Object.fromEntries(attempts.map(({ as, message }) => [as, message])) },
      },
    )
  }
  return others.length === 0 ? first : { ...first, alsoReadsAs: others.map(({ kind }) => kind) }
}

interface Attempt {
  readonly as: string
  readonly message: string
  /**
   * Offset at which decoding stopped. The attempt with the greatest offset is reported. If two are equal, trailing
   * bytes count as further than a truncation.
   */
  readonly depth: number
}

function attempt(
  bytes: Uint8Array,
  readers: readonly (readonly [string, Reader])[],
): { found: Tree[]; attempts: Attempt[] } {
  const found: Tree[] = []
  const attempts: Attempt[] = []
  for (const [as, read] of readers) {
    try {
      found.push(read(bytes))
    } catch (error) {
      if (!(error instanceof CodecError || error instanceof WarpError)) throw error
      attempts.push({ as, message: error.message, depth: depthOf(error) })
    }
  }
  return { found, attempts }
}

function depthOf(error: CodecError | WarpError): number {
  if (!(error instanceof CodecError)) return 0
  return (error.offset ?? 0) + (error.code === 'CODEC_TRAILING' ? 0.5 : 0)
}

function signed({ unsigned: message, signature }: SignedMessage.SignedMessage): Tree {
  const { signers } = signature
  return {
    kind: 'SignedMessage',
    unsigned: unsigned(message),
    signature: {
      signers: Hex.encode(signers),
      indices: BitSet.isCanonical(signers) ? BitSet.decode(signers) : 'not canonical: leading zero bytes',
      signature: Hex.encode(signature.signature),
    },
  }
}

function unsigned(message: UnsignedMessage.UnsignedMessage): Tree {
  return {
    kind: 'UnsignedMessage',
    id: Id.format(UnsignedMessage.id(message)),
    networkID: message.networkID,
    sourceChainID: Id.format(message.sourceChainID),
    payload: inner(message.payload, [['payload', (bytes) => payload(Payload.decode(bytes))]]),
  }
}

function payload(value: Payload.Payload): Tree {
  if (value.type === 'Hash') return { kind: 'Hash', hash: Hex.encode(value.hash) }
  return {
    kind: 'AddressedCall',
    sourceAddress: Hex.encode(value.sourceAddress),
    payload: inner(value.payload, [
      ['L1 message', (bytes) => l1Message(bytes, L1Message.decode(bytes))],
      ['uptime message', (bytes) => uptime(ValidatorUptime.decode(bytes))],
    ]),
  }
}

/**
 * Describes the bytes of a payload, or returns them as hex if they are no known structure, since a payload
 * may contain anything.
 */
function inner(bytes: Uint8Array, readers: readonly (readonly [string, Reader])[]): Json.Json {
  return attempt(bytes, readers).found[0] ?? Hex.encode(bytes)
}

function l1Message(bytes: Uint8Array, message: L1Message.L1Message): Tree {
  const fields = L1Message.codec.toJSON(message) as { readonly [member: string]: Json.Json }
  if (message.type !== 'RegisterL1Validator') return { ...fields, kind: message.type }
  return {
    ...fields,
    kind: message.type,
    nodeID: message.nodeID.length === 20 ? NodeId.format(message.nodeID) : Hex.encode(message.nodeID),
    blsPublicKey: Hex.encode(message.blsPublicKey),
    validationID: Id.format(ValidationId.registered(bytes)),
  }
}

function uptime(message: ValidatorUptime.ValidatorUptime): Tree {
  return {
    kind: 'ValidatorUptime',
    validationID: Id.format(message.validationID),
    totalUptime: message.totalUptime,
  }
}

function conversion(data: ConversionData.ConversionData): Tree {
  const fields = ConversionData.codec.toJSON(data) as { readonly [member: string]: Json.Json }
  return { ...fields, kind: 'ConversionData', conversionID: Id.format(ConversionData.id(data)) }
}

function event(bytes: Uint8Array): Tree {
  return { kind: 'SendWarpMessage', message: unsigned(UnsignedMessage.decode(bytes)) }
}

function request(bytes: Uint8Array): Tree {
  const value = Acp118.decodeRequest(bytes)
  assertExact(bytes, Acp118.encodeRequest(value))
  return {
    kind: 'SignatureRequest',
    message: unsigned(UnsignedMessage.decode(value.message)),
    justification: inner(value.justification, [['justification', justification]]),
  }
}

function response(bytes: Uint8Array): Tree {
  const { signature } = Acp118.decodeResponse(bytes)
  assertExact(bytes, Acp118.encodeResponse({ signature }))
  if (signature.length !== 96)
    throw new WarpError('WARP_PROTOBUF', `expected a signature of 96 bytes, got ${signature.length}`)
  return { kind: 'SignatureResponse', signature: Hex.encode(signature) }
}

function justification(bytes: Uint8Array): Tree {
  const value = Justification.decode(bytes)
  if (value === null)
    throw new WarpError(
      'WARP_PROTOBUF',
      'expected a justification in protobuf field 1 or 2, got neither field',
    )
  assertExact(bytes, Justification.encode(value))
  const validationId = Id.format(Justification.validationId(value))
  if (value.type === 'RegisterL1ValidatorMessage') {
    const message = L1Message.decodeAs(value.message, 'RegisterL1Validator')
    return {
      kind: 'Justification',
      type: value.type,
      message: l1Message(value.message, message),
      validationID: validationId,
    }
  }
  return {
    kind: 'Justification',
    type: value.type,
    subnetID: Id.format(value.subnetId),
    index: value.index,
    validationID: validationId,
  }
}

/**
 * Checks that bytes are the canonical encoding. Otherwise almost any bytes would decode as some message,
 * because protobuf skips unknown fields.
 */
function assertExact(bytes: Uint8Array, encoded: Uint8Array): void {
  if (!Bytes.equals(bytes, encoded))
    throw new WarpError(
      'WARP_PROTOBUF',
      'expected only known protobuf fields in ascending order, got another encoding',
    )
}
