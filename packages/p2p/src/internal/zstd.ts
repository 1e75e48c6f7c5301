import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { P2pError } from '../P2pError.ts'

const MAGIC = 0xfd2fb528
const MAX_BLOCK = 128 * 1024
/**
 * Size below which bodies are stored uncompressed. Compressing them costs more time than it saves, and most
 * of them are signatures that do not shrink.
 */
const STORED_BELOW = 512
/** The compression level that nodes use. */
const LEVEL = 5
const FCS_BYTES = [0, 2, 4, 8] as const

/**
 * Returns one zstd frame of `bytes`, with the same header as nodes write: single segment, content size
 * present, no checksum. Small bodies become stored blocks, as in nodes for content that does not shrink.
 */
export function compress(bytes: Uint8Array): Uint8Array {
  if (bytes.length < STORED_BELOW) return store(bytes)
  const shrunk = zstdCompressSync(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
    pledgedSrcSize: bytes.length,
  })
  return shrunk.length < bytes.length ? shrunk : store(bytes)
}

function store(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / MAX_BLOCK))
  const sizeBytes = bytes.length < 256 ? 1 : bytes.length < 65_792 ? 2 : 4
  const out = Buffer.allocUnsafe(5 + sizeBytes + 3 * blocks + bytes.length)
  out.writeUInt32LE(MAGIC, 0)
  out[4] = sizeBytes === 1 ? 0x20 : sizeBytes === 2 ? 0x60 : 0xa0
  // In the zstd header, a two-byte content size is stored minus 256.
  out.writeUIntLE(sizeBytes === 2 ? bytes.length - 256 : bytes.length, 5, sizeBytes)
  let at = 5 + sizeBytes
  for (let block = 0; block < blocks; block++) {
    const part = bytes.subarray(block * MAX_BLOCK, (block + 1) * MAX_BLOCK)
    out.writeUIntLE((part.length << 3) | (block === blocks - 1 ? 1 : 0), at, 3)
    out.set(part, at + 3)
    at += 3 + part.length
  }
  return out
}

/**
 * Decompresses a zstd frame to at most `maxLength` bytes. An announced size is checked before decoding.
 * @throws P2pError `P2P_MESSAGE`
 */
export function decompress(bytes: Uint8Array, maxLength: number): Uint8Array {
  const header = readHeader(bytes)
  if (header?.contentSize !== undefined && header.contentSize > maxLength) throw tooLong(maxLength)
  const stored =
    header?.contentSize === undefined ? undefined : readStored(bytes, header.end, header.contentSize)
  if (stored !== undefined) return stored
  try {
    const output = zstdDecompressSync(bytes, { maxOutputLength: maxLength })
    const content = new Uint8Array(output.buffer, output.byteOffset, output.length)
    // The library returns partial content for a truncated frame, so the size must be compared.
    if (header?.contentSize === undefined || header.contentSize === content.length) return content
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLong(maxLength, cause)
    throw undecodable(bytes, cause)
  }
  throw undecodable(bytes)
}

function undecodable(bytes: Uint8Array, cause?: unknown): P2pError {
  return new P2pError('P2P_MESSAGE', `not a valid zstd frame: cannot decode ${bytes.length} bytes`, {
    cause,
  })
}

function tooLong(maxLength: number, cause?: unknown): P2pError {
  return new P2pError('P2P_MESSAGE', `the message is larger than ${maxLength} bytes after decompression`, {
    cause,
  })
}

interface Header {
  readonly contentSize: number | undefined
  readonly end: number
}

/**
 * Returns the parsed header of a frame, or undefined if only the library can read the frame: dictionaries,
 * checksums, reserved bits, other magic numbers.
 */
function readHeader(bytes: Uint8Array): Header | undefined {
  if (bytes.length < 6) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const descriptor = view.getUint8(4)
  if (view.getUint32(0, true) !== MAGIC || (descriptor & 0x0f) !== 0) return undefined
  const isSingleSegment = (descriptor & 0x20) !== 0
  const flag = descriptor >> 6
  const start = isSingleSegment ? 5 : 6
  const size = flag === 0 && isSingleSegment ? 1 : (FCS_BYTES[flag] as number)
  if (bytes.length < start + size) return undefined
  if (size === 0) return { contentSize: undefined, end: start }
  return { contentSize: readSize(view, start, size), end: start + size }
}

function readSize(view: DataView, offset: number, size: number): number {
  if (size === 1) return view.getUint8(offset)
  if (size === 2) return view.getUint16(offset, true) + 256
  return size === 4 ? view.getUint32(offset, true) : Number(view.getBigUint64(offset, true))
}

/**
 * Returns the content if every block is stored uncompressed or repeats one byte, and if the size matches the
 * announced size. Otherwise returns undefined.
 */
function readStored(bytes: Uint8Array, start: number, contentSize: number): Uint8Array | undefined {
  const only = readOnlyBlock(bytes, start, contentSize)
  if (only !== undefined) return only
  const out = new Uint8Array(contentSize)
  let at = start
  let filled = 0
  for (;;) {
    if (at + 3 > bytes.length) return undefined
    const head = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16)
    const type = (head >> 1) & 3
    const size = head >> 3
    const length = type === 1 ? 1 : size
    at += 3
    if (type > 1 || size > MAX_BLOCK || at + length > bytes.length || filled + size > contentSize)
      return undefined
    if (type === 1) out.fill(bytes[at] as number, filled, filled + size)
    else out.set(bytes.subarray(at, at + size), filled)
    at += length
    filled += size
    if ((head & 1) === 1) break
  }
  return at === bytes.length && filled === contentSize ? out : undefined
}

/** Returns a view of the content if the frame consists of one stored block, as short answers do. */
function readOnlyBlock(bytes: Uint8Array, start: number, contentSize: number): Uint8Array | undefined {
  if (bytes.length !== start + 3 + contentSize || contentSize > MAX_BLOCK) return undefined
  const head =
    (bytes[start] as number) | ((bytes[start + 1] as number) << 8) | ((bytes[start + 2] as number) << 16)
  return head === ((contentSize << 3) | 1) ? bytes.subarray(start + 3) : undefined
}
