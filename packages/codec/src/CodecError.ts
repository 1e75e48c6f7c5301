import { FirnError, type FirnErrorOptions } from './FirnError.ts'

/**
 * Codes of {@link CodecError}:
 * - `CODEC_HEX`, `CODEC_CB58`, `CODEC_BECH32`, `CODEC_ADDRESS`, `CODEC_ID`, `CODEC_JSON`, `CODEC_NETWORK`: a
 * string is malformed.
 * - `CODEC_CHECKSUM`: a string's checksum does not match its bytes.
 * - `CODEC_TRUNCATED`: the bytes end before the structure does. `details.reading` names what was being read.
 * - `CODEC_TRAILING`: bytes are left after the end of the structure.
 * - `CODEC_LENGTH`: a length or count exceeds its limit; see `details.actual` and `details.maximum`.
 * - `CODEC_SIZE`: the whole structure exceeds the codec's maximum size.
 * - `CODEC_VERSION`: the codec version is not the expected one.
 * - `CODEC_TYPE_ID`: a union's type id is not registered; see `details.typeId`.
 * - `CODEC_RECURSIVE`: a union type is nested in itself.
 * - `CODEC_UTF8`: a string is not valid UTF-8.
 * - `CODEC_ORDER`: a map's keys are not strictly ascending.
 * - `CODEC_VALUE`: a value does not match its type (out of range, wrong kind).
 */
export type CodecErrorCode =
  | 'CODEC_HEX'
  | 'CODEC_CB58'
  | 'CODEC_BECH32'
  | 'CODEC_ADDRESS'
  | 'CODEC_ID'
  | 'CODEC_JSON'
  | 'CODEC_NETWORK'
  | 'CODEC_CHECKSUM'
  | 'CODEC_TRUNCATED'
  | 'CODEC_TRAILING'
  | 'CODEC_LENGTH'
  | 'CODEC_SIZE'
  | 'CODEC_VERSION'
  | 'CODEC_TYPE_ID'
  | 'CODEC_RECURSIVE'
  | 'CODEC_UTF8'
  | 'CODEC_ORDER'
  | 'CODEC_VALUE'

/** The error that this package throws for invalid input. */
export class CodecError extends FirnError<CodecErrorCode> {
  override readonly name = 'CodecError'
  /**
   * Field path inside the structure, for example `unsignedTx.outputs[3].output.addresses`. Empty at the root.
   */
  readonly path: string
  /** Byte offset at which decoding stopped. Undefined for errors in strings and values. */
  readonly offset: number | undefined

  constructor(
    code: CodecErrorCode,
    message: string,
    options: FirnErrorOptions & { readonly path?: string; readonly offset?: number } = {},
  ) {
    super(code, message, options)
    this.path = options.path ?? ''
    this.offset = options.offset
  }
}
