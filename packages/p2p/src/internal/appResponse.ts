import type { AppResponse } from '../gen/p2p_pb.ts'

/** The tag of an AppResponse in the envelope: field 31 with a length. */
const ENVELOPE_TAG = [0xfa, 0x01] as const
const CHAIN_ID_TAG = 0x0a
const CHAIN_ID_LENGTH = 32
const REQUEST_ID_TAG = 0x10
const APP_BYTES_TAG = 0x1a

/**
 * Returns the AppResponse in an uncompressed message if it is encoded like nodes encode it: all fields once, in order,
 * and nothing else. Returns undefined for any other message, which the general decoder must decode. Most messages that
 * a client reads are responses, and the general decoder takes ten times as long.
 */
export function readAppResponse(plain: Uint8Array): AppResponse | undefined {
  if (plain[0] !== ENVELOPE_TAG[0] || plain[1] !== ENVELOPE_TAG[1]) return undefined
  const envelope = readVarint(plain, 2)
  if (envelope === undefined || envelope.end + envelope.value !== plain.length) return undefined
  const chainStart = envelope.end + 2
  const chainEnd = chainStart + CHAIN_ID_LENGTH
  if (plain[envelope.end] !== CHAIN_ID_TAG || plain[envelope.end + 1] !== CHAIN_ID_LENGTH) return undefined
  if (plain[chainEnd] !== REQUEST_ID_TAG) return undefined
  const requestId = readVarint(plain, chainEnd + 1)
  if (requestId === undefined || plain[requestId.end] !== APP_BYTES_TAG) return undefined
  const length = readVarint(plain, requestId.end + 1)
  if (length === undefined || length.end + length.value !== plain.length) return undefined
  return {
    $typeName: 'p2p.AppResponse',
    chainId: plain.subarray(chainStart, chainEnd),
    requestId: requestId.value,
    appBytes: plain.subarray(length.end),
  }
}

/** Reads a varint of at most 32 bits. Returns its value and its end. */
function readVarint(bytes: Uint8Array, start: number): { value: number; end: number } | undefined {
  let value = 0
  for (let at = start, factor = 1; at < start + 5; at++, factor *= 128) {
    const byte = bytes[at]
    if (byte === undefined) return undefined
    value += (byte & 0x7f) * factor
    if (byte < 0x80) return value > 0xffff_ffff ? undefined : { value, end: at + 1 }
  }
  return undefined
}
