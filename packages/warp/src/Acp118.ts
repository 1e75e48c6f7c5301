import { Bytes } from '@firn/codec'
import { bytesField, read } from './internal/Protobuf.ts'

/**
 * A request to sign `message` (the bytes of an unsigned Warp message). `justification` explains the message
 * if the chain requires that, and is otherwise empty.
 */
export interface SignatureRequest {
  readonly message: Uint8Array
  readonly justification: Uint8Array
}

/**
 * A response with a compressed BLS signature (96 bytes). Older nodes send an empty signature for a message
 * that they have not seen.
 */
export interface SignatureResponse {
  readonly signature: Uint8Array
}

/**
 * Encodes the protobuf body of a request, which is sent after the handler prefix (2). Source: ACP-118, protobuf
 * package `sdk`.
 *
 * @example
 * ```ts
 * import { Acp118 } from '@firn/warp'
 *
 * declare const unsigned: Uint8Array // an encoded unsigned message
 * const body = Acp118.encodeRequest({ message: unsigned, justification: new Uint8Array() })
 * ```
 */
export function encodeRequest({ message, justification }: SignatureRequest): Uint8Array {
  return encode(message, justification)
}

/**
 * Decodes a request from its protobuf body, without the handler prefix.
 * @throws WarpError `WARP_PROTOBUF`
 * @example
 * ```ts
 * import { Acp118 } from '@firn/warp'
 *
 * declare const body: Uint8Array
 * const { message, justification } = Acp118.decodeRequest(body)
 * ```
 */
export function decodeRequest(bytes: Uint8Array): SignatureRequest {
  const [message, justification] = decode(bytes)
  return { message, justification }
}

/**
 * Encodes the protobuf body of a response. Responses have no handler prefix.
 *
 * @example
 * ```ts
 * import { SecretKey, Signature } from '@firn/bls'
 * import { Acp118 } from '@firn/warp'
 *
 * declare const secretKey: SecretKey.SecretKey
 * declare const unsigned: Uint8Array
 * const signature = Signature.encode(Signature.sign(secretKey, unsigned))
 * const body = Acp118.encodeResponse({ signature })
 * ```
 */
export function encodeResponse({ signature }: SignatureResponse): Uint8Array {
  return encode(signature, EMPTY)
}

/**
 * Decodes a response from its protobuf body. Accepts a signature of any length; the caller must check it.
 * @throws WarpError `WARP_PROTOBUF`
 * @example
 * ```ts
 * import { Signature } from '@firn/bls'
 * import { Acp118 } from '@firn/warp'
 *
 * declare const body: Uint8Array
 * const signature = Signature.decode(Acp118.decodeResponse(body).signature)
 * ```
 */
export function decodeResponse(bytes: Uint8Array): SignatureResponse {
  return { signature: decode(bytes)[0] }
}

const EMPTY = new Uint8Array()

/** Encodes a message of two `bytes` fields, numbered 1 and 2. An empty field is omitted. */
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
