import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { MAX_LENGTH } from './Frame.ts'
import { type Message as Envelope, MessageSchema } from './gen/p2p_pb.ts'
import * as wire from './internal/wire.ts'
import * as zstd from './internal/zstd.ts'
import { P2pError } from './P2pError.ts'

/** What a frame holds, told apart by `case`; `value` is the member's plain object. `compressedZstd` never appears: it is unwrapped. */
export type Body = Exclude<Envelope['message'], { case: undefined } | { case: 'compressedZstd' }>

/** The names of all messages. */
export type Case = Body['case']

/** What {@link encode} takes: members left out are zero, as on the wire. */
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

/** Tells whether nodes with default settings send this kind of message compressed, whatever its size. */
export function isCompressedByNodes(kind: Case): boolean {
  return COMPRESSED_BY_NODES.has(kind)
}

/** The bytes of a frame's body. With `compress` they are wrapped in zstd; every receiver takes either form of every message. */
export function encode(body: BodyInit, options: { readonly compress?: boolean } = {}): Uint8Array {
  const plain = toBinary(MessageSchema, create(MessageSchema, { message: body }))
  return options.compress === true ? wrap(zstd.compress(plain)) : plain
}

/** The envelope with its first member, field 2 of bytes: by hand, since most messages of a node pass here. */
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
 * What a frame's body says. Unknown members are skipped, the last member of the one-of counts, one level of zstd is unwrapped.
 * @throws P2pError `P2P_MESSAGE` when it is malformed, empty, of an unknown kind, compressed twice, or above 2 MiB decompressed
 */
export function decode(bytes: Uint8Array): Body {
  return decodePlain(unwrap(bytes))
}

/**
 * The encoded message without its compression: `bytes` itself when it has none.
 * @throws P2pError `P2P_MESSAGE`
 */
export function unwrap(bytes: Uint8Array): Uint8Array {
  const member = wire.findMember(bytes, MessageSchema)
  // An empty wrapper counts as an absent one.
  if (member?.field.localName !== 'compressedZstd' || member.start === member.end) return bytes
  return zstd.decompress(bytes.subarray(member.start, member.end), MAX_LENGTH)
}

/**
 * The kind of an uncompressed message, found without decoding it; undefined when it holds none that is known.
 * @throws P2pError `P2P_MESSAGE`
 */
export function peek(plain: Uint8Array): Case | undefined {
  const name = wire.findMember(plain, MessageSchema)?.field.localName
  return name === 'compressedZstd' ? undefined : (name as Case | undefined)
}

/**
 * As {@link decode}, of bytes that {@link unwrap} returned.
 * @throws P2pError `P2P_MESSAGE`
 */
export function decodePlain(plain: Uint8Array): Body {
  wire.check(plain, MessageSchema)
  let message: Envelope['message']
  try {
    message = fromBinary(MessageSchema, plain, { readUnknownFields: false }).message
  } catch (cause) {
    throw new P2pError('P2P_MESSAGE', `expected a message, got ${plain.length} bytes that do not decode`, {
      cause,
    })
  }
  if (message.case !== undefined && message.case !== 'compressedZstd') return message
  throw new P2pError('P2P_MESSAGE', `expected a message of a known kind, got ${message.case ?? 'none'}`)
}
