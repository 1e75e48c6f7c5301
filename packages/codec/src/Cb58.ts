import { CodecError } from './CodecError.ts'
import * as Base58 from './internal/base58.ts'
import * as Checksum from './internal/Checksum.ts'
import { quoted } from './internal/quoted.ts'

/**
 * Maximum length in characters of a string that {@link decode} accepts, because decoding base58 takes
 * quadratic time.
 */
export const MAX_TEXT_LENGTH = 8192

/**
 * Maximum number of bytes that {@link encode} accepts. The result always fits within {@link MAX_TEXT_LENGTH}.
 */
export const MAX_BYTES_LENGTH = 5900

/**
 * Encodes `bytes` as CB58: base58 of the bytes followed by the last 4 bytes of their SHA-256. Source:
 * avalanchego `utils/cb58`.
 * @throws CodecError `CODEC_LENGTH` for more than {@link MAX_BYTES_LENGTH} bytes
 * @example
 * ```ts
 * import { Cb58 } from '@firn/codec'
 *
 * Cb58.encode(new Uint8Array(20)) // '111111111111111111116DBWJs'
 * ```
 */
export function encode(bytes: Uint8Array): string {
  if (bytes.length > MAX_BYTES_LENGTH) {
    throw new CodecError(
      'CODEC_LENGTH',
      `expected at most ${MAX_BYTES_LENGTH} bytes for cb58, got ${bytes.length}`,
    )
  }
  return Base58.encode(Checksum.append(bytes))
}

/**
 * Decodes a CB58 string and verifies its checksum.
 * @throws CodecError `CODEC_CB58` (characters outside base58, or shorter than the checksum),
 * `CODEC_CHECKSUM`, `CODEC_LENGTH`
 * @example
 * ```ts
 * import { Cb58 } from '@firn/codec'
 *
 * Cb58.decode('111111111111111111116DBWJs').length // 20
 * ```
 */
export function decode(text: string): Uint8Array {
  if (text.length > MAX_TEXT_LENGTH) {
    throw new CodecError(
      'CODEC_LENGTH',
      `expected a cb58 string of at most ${MAX_TEXT_LENGTH} characters, got ${text.length}`,
    )
  }
  const bytes = Base58.decode(text, given)
  if (bytes === undefined) {
    throw new CodecError(
      'CODEC_CB58',
      `expected a base58 string of at least ${Checksum.LENGTH} bytes, got ${quoted(text)}`,
    )
  }
  if (Checksum.matches(bytes, given)) return bytes
  throw new CodecError(
    'CODEC_CHECKSUM',
    `the checksum of the cb58 string ${quoted(text)} does not match its bytes`,
  )
}

/** The checksum of the text that is being decoded. Lists of ids are long, so it is not created for each. */
const given = /* @__PURE__ */ new Uint8Array(Checksum.LENGTH)
