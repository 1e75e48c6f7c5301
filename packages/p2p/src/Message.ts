import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { MAX_LENGTH } from './Frame.ts'
import { type Message as Envelope, MessageSchema } from './gen/p2p_pb.ts'
import { readAppResponse } from './internal/appResponse.ts'
import * as wire from './internal/wire.ts'
import * as zstd from './internal/zstd.ts'
import { P2pError } from './P2pError.ts'

/**
 * A decoded message: `case` is the name of its kind, `value` is the message as a plain object. `compressedZstd` never
 * appears, because it is decompressed.
 */
export type Body = Exclude<Envelope['message'], { case: undefined } | { case: 'compressedZstd' }>

/** The name of a message kind. */
export type Case = Body['case']

/** Input of {@link encode}. Omitted fields are zero, as on the wire. */
export type BodyInit = Extract<
  NonNullable<Exclude<MessageInitShape<typeof MessageSchema>['message'], undefined>>,
  { case: Case }
>

const COMPRESSED_FIELD = 2

const COMPRESSED_BY_NODES: ReadonlySet<Case> = new Set<Case>([
  'peerList',
  'stateSummaryFrontier',
  'getAcceptedStateSummary',
  'acceptedStateSummary',
  'ancestors',
  'put',
  'pushQuery',
  'appRequest',
  'appResponse',
  'appGossip',
  'appError',
  'getPeerList',
  'simplex',
])

/**
 * Returns whether nodes with default settings compress this kind of message. The size does not matter.
 *
 * @example
 * ```ts
 * import { Message } from '@firn/p2p'
 *
 * Message.isCompressedByNodes('peerList') // true
 * Message.isCompressedByNodes('ping') // false
 * ```
 */
export function isCompressedByNodes(kind: Case): boolean {
  return COMPRESSED_BY_NODES.has(kind)
}

/**
 * Encodes the body of a frame. `compress` wraps it in zstd; receivers accept every message in both forms.
 * @throws P2pError `P2P_FRAME_LENGTH` if the message is longer than 2 MiB before compression
 * @example
 * ```ts
 * import { Frame, Message } from '@firn/p2p'
 *
 * const frame = Frame.encode(Message.encode({ case: 'ping', value: { uptime: 100 } }))
 * ```
 */
export function encode(body: BodyInit, options: { readonly compress?: boolean } = {}): Uint8Array {
  const plain = toBinary(MessageSchema, create(MessageSchema, { message: body }))
  // Receivers reject a message that is too long after decompression.
  if (plain.length > MAX_LENGTH) {
    throw new P2pError(
      'P2P_FRAME_LENGTH',
      `expected a message of at most ${MAX_LENGTH} bytes, got ${plain.length}`,
    )
  }
  return options.compress === true ? wrap(zstd.compress(plain)) : plain
}

/**
 * Encodes the envelope, whose field 2 holds the compressed bytes. Most messages of a node take this path, so it
 * avoids the slower `toBinary`.
 */
function wrap(compressed: Uint8Array): Uint8Array {
  const head: number[] = [(COMPRESSED_FIELD << 3) | 2]
  for (let rest = compressed.length; ; rest >>>= 7) {
    if (rest < 0x80) {
      head.push(rest)
      break
    }
    head.push((rest & 0x7f) | 0x80)
  }
  const bytes = new Uint8Array(head.length + compressed.length)
  bytes.set(head)
  bytes.set(compressed, head.length)
  return bytes
}

/**
 * Decodes the body of a frame. Unknown fields are skipped, the last member of the one-of counts, and one
 * level of zstd is decompressed.
 * @throws P2pError `P2P_MESSAGE` if the body is malformed, empty, of an unknown kind, compressed twice, or
 * above 2 MiB decompressed
 * @example
 * ```ts
 * import { Message } from '@firn/p2p'
 *
 * const body = Message.decode(Message.encode({ case: 'ping', value: { uptime: 100 } }))
 * body.case // 'ping'
 * ```
 */
export function decode(bytes: Uint8Array): Body {
  return decodePlain(unwrap(bytes))
}

/**
 * Returns the encoded message without compression. Returns `bytes` itself if it is not compressed.
 * @throws P2pError `P2P_MESSAGE`
 * @example
 * ```ts
 * import { Message } from '@firn/p2p'
 *
 * const plain = Message.unwrap(Message.encode({ case: 'ping', value: {} }, { compress: true }))
 * Message.peek(plain) // 'ping'
 * ```
 */
export function unwrap(bytes: Uint8Array): Uint8Array {
  const member = wire.findMember(bytes, MessageSchema)
  // A compressed field without content counts as absent.
  if (member?.field.localName !== 'compressedZstd' || member.start === member.end) return bytes
  return zstd.decompress(bytes.subarray(member.start, member.end), MAX_LENGTH)
}

/**
 * Returns the kind of an uncompressed message without decoding it, or undefined if the kind is unknown.
 * @throws P2pError `P2P_MESSAGE`
 * @example
 * ```ts
 * import { Message } from '@firn/p2p'
 *
 * Message.peek(Message.encode({ case: 'pong', value: {} })) // 'pong'
 * ```
 */
export function peek(plain: Uint8Array): Case | undefined {
  const name = wire.findMember(plain, MessageSchema)?.field.localName
  return name === 'compressedZstd' ? undefined : (name as Case | undefined)
}

/**
 * Like {@link decode}, for the result of {@link unwrap}.
 * @throws P2pError `P2P_MESSAGE`
 * @example
 * ```ts
 * import { Message } from '@firn/p2p'
 *
 * declare const bytes: Uint8Array
 * const plain = Message.unwrap(bytes)
 * if (Message.peek(plain) === 'appRequest') console.log(Message.decodePlain(plain).value)
 * ```
 */
export function decodePlain(plain: Uint8Array): Body {
  const response = readAppResponse(plain)
  if (response !== undefined) return { case: 'appResponse', value: response }
  wire.check(plain, MessageSchema)
  let message: Envelope['message']
  try {
    message = fromBinary(MessageSchema, plain, { readUnknownFields: false }).message
  } catch (cause) {
    throw new P2pError('P2P_MESSAGE', `not a valid message: cannot decode ${plain.length} bytes`, {
      cause,
    })
  }
  if (message.case !== undefined && message.case !== 'compressedZstd') return message
  throw new P2pError('P2P_MESSAGE', `expected a message of a known kind, got ${message.case ?? 'none'}`)
}
