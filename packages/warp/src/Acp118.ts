import { Bytes } from '@firn/codec'
import { bytesField, read } from './internal/Protobuf.ts'

/**
 * A request to sign `message` (unsigned Warp bytes). `justification` explains it where the chain needs one,
 * and is empty otherwise.
 */
export interface SignatureRequest {
  readonly message: Uint8Array
  readonly justification: Uint8Array
}

/**
 * The response: a compressed BLS signature (96 bytes). Older nodes sent no bytes to say that they have not
 * seen the message.
 */
export interface SignatureResponse {
  readonly signature: Uint8Array
}

/**
 * Returns the protobuf body of a request, which follows the handler prefix (2). Source: ACP-118, package
 * `sdk`.
 */
export function encodeRequest({ message, justification }: SignatureRequest): Uint8Array {
  return encode(message, justification)
}

/**
 * Decodes a request from its protobuf body, without the handler prefix.
 * @throws WarpError `WARP_PROTOBUF`
 */
export function decodeRequest(bytes: Uint8Array): SignatureRequest {
  const [message, justification] = decode(bytes)
  return { message, justification }
}

/** Returns the protobuf body of a response. Responses have no handler prefix. */
export function encodeResponse({ signature }: SignatureResponse): Uint8Array {
  return encode(signature, EMPTY)
}

/**
 * Decodes a response from its protobuf body. The signature may have any length: the caller judges what the
 * validator sent.
 * @throws WarpError `WARP_PROTOBUF`
 */
export function decodeResponse(bytes: Uint8Array): SignatureResponse {
  return { signature: decode(bytes)[0] }
}

const EMPTY = new Uint8Array()

/** Both messages have bytes in field 1 and at most in field 2; an empty field is omitted. */
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
