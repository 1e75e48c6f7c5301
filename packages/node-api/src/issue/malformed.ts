import type { CodecErrorCode, FirnError } from '@firn/codec'
import { type GoTypes, interfaceAt } from './goTypes.ts'

type Malformed = FirnError & { readonly path?: string; readonly offset?: number }
type Text = (error: Malformed, types: GoTypes, bytes: Uint8Array) => string

/** What the node's codec was unmarshalling when the bytes ended. Plain bytes have no prefix. */
const READING: Readonly<Record<string, string>> = {
  u8: 'uint8',
  u16: 'uint16',
  u32: 'uint32',
  u64: 'uint64',
  length: 'slice',
  string: 'string',
  'type id': 'interface',
}

/** Types that hold a value of an interface that they implement themselves, so that they could be nested. */
const NESTABLE: readonly string[] = ['*stakeable.LockIn', '*stakeable.LockOut']

const TEXTS: { readonly [C in CodecErrorCode]?: Text } = {
  CODEC_TRAILING: ({ offset }, _types, bytes) =>
    `trailing buffer space: read ${offset} provided ${bytes.length}`,
  CODEC_VERSION: () => 'unknown codec version',
  CODEC_SIZE: ({ details }) =>
    `byte array exceeds maximum length: ${details['actual']} > ${details['maximum']}`,
  CODEC_LENGTH: ({ details }) =>
    `max slice length exceeded; array length, ${details['actual']}, exceeds maximum length, ${details['maximum']}`,
  CODEC_TRUNCATED({ details, offset }) {
    if (offset === 0) return "couldn't unpack codec version"
    const what = READING[String(details['reading'])]
    const prefix = what === undefined ? '' : `couldn't unmarshal ${what}: `
    return `${prefix}packer has insufficient length for input`
  },
  CODEC_TYPE_ID({ details, path = '' }, types) {
    const type = types.types[Number(details['typeId'])]
    if (type === undefined) return `couldn't unmarshal interface: unknown type ID ${details['typeId']}`
    const required = interfaceAt(types, path)
    if (NESTABLE.includes(type) && required.startsWith('avax.Transferable')) return recursive(type)
    return `couldn't unmarshal interface: ${type} does not implement interface ${required}`
  },
  CODEC_RECURSIVE: ({ details }, { types }) => recursive(types[Number(details['typeId'])] ?? ''),
}

function recursive(type: string): string {
  return `recursive interface types: ${type}`
}

/** Returns the text of the node's codec for bytes that are not a transaction. */
export function malformed(error: Malformed, types: GoTypes, bytes: Uint8Array): string {
  return TEXTS[error.code as CodecErrorCode]?.(error, types, bytes) ?? error.message
}
