import { FirnError, type FirnErrorOptions } from './FirnError.ts'

/**
 * Codes of {@link CodecError}:
 * - `CODEC_HEX`, `CODEC_CB58`, `CODEC_BECH32`, `CODEC_ADDRESS`, `CODEC_ID`, `CODEC_JSON`, `CODEC_NETWORK`: a text is not of its form.
 * - `CODEC_CHECKSUM`: a text's checksum does not fit its bytes.
 * - `CODEC_TRUNCATED`: bytes end before the structure does.
 * - `CODEC_TRAILING`: bytes go on after the structure's end.
 * - `CODEC_LENGTH`: a length or count is over its bound.
 * - `CODEC_SIZE`: the whole is over the codec's size cap.
 * - `CODEC_VERSION`: the codec version is not the expected one.
 * - `CODEC_TYPE_ID`: a union's type id is not registered.
 * - `CODEC_RECURSIVE`: a union's type occurs inside itself.
 * - `CODEC_UTF8`: a text is not UTF-8.
 * - `CODEC_ORDER`: a map's keys are not strictly ascending.
 * - `CODEC_VALUE`: a value does not fit its type (out of range, wrong kind).
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

/** Thrown by everything in this package. */
export class CodecError extends FirnError<CodecErrorCode> {
  override readonly name = 'CodecError'
  /** Field path inside the structure, like `unsignedTx.outputs[3].output.addresses`; empty at the root. */
  readonly path: string
  /** Byte offset at which decoding stopped; undefined for texts and values. */
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
