import { CodecError } from './CodecError.ts'
import { quoted } from './internal/quoted.ts'
import * as ShortId from './ShortId.ts'

const PREFIX = 'NodeID-'

/** Length of a node id in bytes. A node id is the RIPEMD-160 of the SHA-256 of the staking certificate. */
export const LENGTH = ShortId.LENGTH

/** The all-zero node id, under which the weight of inactive L1 validators is summed. */
export const EMPTY: Uint8Array = ShortId.EMPTY

/**
 * Formats a 20-byte node id as `NodeID-<cb58>`.
 * @throws CodecError `CODEC_ID`
 * @example
 * ```ts
 * import { NodeId } from '@firn/codec'
 *
 * NodeId.format(NodeId.EMPTY) // 'NodeID-111111111111111111116DBWJs'
 * ```
 */
export function format(nodeId: Uint8Array): string {
  return PREFIX + ShortId.format(nodeId)
}

/**
 * Parses `NodeID-<cb58>` into its 20 bytes.
 * @throws CodecError `CODEC_ID` (no prefix, or not 20 bytes), `CODEC_CB58`, `CODEC_CHECKSUM`
 * @example
 * ```ts
 * import { NodeId } from '@firn/codec'
 *
 * NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg').length // 20
 * ```
 */
export function parse(text: string): Uint8Array {
  if (!text.startsWith(PREFIX)) {
    throw new CodecError('CODEC_ID', `expected a node id with the prefix ${PREFIX}, got ${quoted(text)}`)
  }
  return ShortId.parse(text.slice(PREFIX.length))
}
