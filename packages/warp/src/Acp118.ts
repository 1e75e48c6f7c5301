import { Bytes } from '@firn/codec'
import { bytesField, read } from './internal/Protobuf.ts'

/** What a validator is asked: to sign `message` (unsigned Warp bytes), which `justification` may explain (empty when it needs none). */
export interface SignatureRequest {
  readonly message: Uint8Array
  readonly justification: Uint8Array
}

/** What it answers: a compressed BLS signature (96 bytes). No bytes at all historically mean that it has not seen the message. */
export interface SignatureResponse {
  readonly signature: Uint8Array
}

/** The protobuf body of a request, to stand behind the handler prefix (2). Source: ACP-118, package `sdk`. */
export function encodeRequest({ message, justification }: SignatureRequest): Uint8Array {
  return encode(message, justification)
}

/**
 * The request of a protobuf body, the handler prefix taken off.
 * @throws WarpError `WARP_PROTOBUF`
 */
export function decodeRequest(bytes: Uint8Array): SignatureRequest {
  const [message, justification] = decode(bytes)
  return { message, justification }
}

/** The protobuf body of an answer; answers carry no handler prefix. */
export function encodeResponse({ signature }: SignatureResponse): Uint8Array {
  return encode(signature, EMPTY)
}

/**
 * The answer of a protobuf body. Its signature may be of any length: what a validator says is judged by who asked.
 * @throws WarpError `WARP_PROTOBUF`
 */
export function decodeResponse(bytes: Uint8Array): SignatureResponse {
  return { signature: decode(bytes)[0] }
}

const EMPTY = new Uint8Array()

/** Both messages have bytes in fields 1 and, at most, 2; a field without bytes is left out. */
function encode(first: Uint8Array, second: Uint8Array): Uint8Array {
  return Bytes.concat(
    first.length === 0 ? first : bytesField(1, first),
    second.length === 0 ? second : bytesField(2, second),
  )
}

function decode(bytes: Uint8Array): [first: Uint8Array, second: Uint8Array] {
  const fields: [Uint8Array, Uint8Array] = [EMPTY, EMPTY]
  read(bytes, {
    bytes(field, value) {
      if (field === 1 || field === 2) fields[field - 1] = new Uint8Array(value)
    },
  })
  return fields
}
