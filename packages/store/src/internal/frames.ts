import { StoreError } from '@firn/sql'

/**
 * A frame of a snapshot file: a JSON header and a body. Each is preceded by its length in bytes, a big-endian 32-bit
 * number.
 */
export interface Frame {
  readonly header: unknown
  readonly body: Uint8Array
  /** The whole frame as it is in the file. */
  readonly bytes: Uint8Array
}

const LENGTH = 4
/** Longest header: the rules of a network have some kilobytes. */
const MAX_HEADER = 1 << 20
/** Longest body. A row with a container of the largest possible size fits. */
const MAX_BODY = 1 << 28

/** Returns the bytes of a frame. */
export function encode(header: unknown, body: Uint8Array = new Uint8Array()): Uint8Array {
  const text = Buffer.from(JSON.stringify(header))
  const bytes = Buffer.allocUnsafe(2 * LENGTH + text.length + body.length)
  bytes.writeUInt32BE(text.length, 0)
  text.copy(bytes, LENGTH)
  bytes.writeUInt32BE(body.length, LENGTH + text.length)
  bytes.set(body, 2 * LENGTH + text.length)
  return bytes
}

/**
 * Reads frames from chunks of any sizes.
 * @throws StoreError `STORE_SNAPSHOT` if a length is above its limit, a header is not JSON, or the last frame is not whole
 */
export async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Frame> {
  let parts: Uint8Array[] = []
  let length = 0
  let needed = LENGTH
  for await (const chunk of chunks) {
    parts.push(chunk)
    length += chunk.length
    if (length < needed) continue
    let bytes = Buffer.concat(parts)
    for (;;) {
      const read = tryRead(bytes)
      if (typeof read === 'number') {
        needed = read
        break
      }
      yield read
      bytes = bytes.subarray(read.bytes.length)
    }
    parts = [bytes]
    length = bytes.length
  }
  if (length > 0) throw damaged('it ends in the middle of a frame')
}

/** Returns the first frame, or the number of bytes that are needed to continue. */
function tryRead(bytes: Buffer): Frame | number {
  if (bytes.length < LENGTH) return LENGTH
  const headerEnd = LENGTH + limited(bytes.readUInt32BE(0), MAX_HEADER)
  const bodyStart = headerEnd + LENGTH
  if (bytes.length < bodyStart) return bodyStart
  const end = bodyStart + limited(bytes.readUInt32BE(headerEnd), MAX_BODY)
  if (bytes.length < end) return end
  return {
    header: parse(bytes.toString('utf8', LENGTH, headerEnd)),
    body: bytes.subarray(bodyStart, end),
    bytes: bytes.subarray(0, end),
  }
}

function limited(length: number, limit: number): number {
  if (length > limit) throw damaged(`a part of ${length} bytes is longer than ${limit}`)
  return length
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw damaged('a header is not JSON', cause)
  }
}

/** Returns the error for a file that is not a whole snapshot. */
export function damaged(reason: string, cause?: unknown): StoreError {
  return new StoreError('STORE_SNAPSHOT', `the snapshot file is damaged: ${reason}`, { cause })
}
