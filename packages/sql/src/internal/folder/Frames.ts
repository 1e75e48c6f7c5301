import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'
import { StoreError } from '../../StoreError.ts'

/** Size in bytes of a frame's length prefix. */
const HEAD = 4
/** Maximum length of an accepted frame in bytes, without its prefix. Pages of blocks take several megabytes. */
const MOST = 1 << 30

/** Sends a value to the other process. Bytes, bigints and dates keep their types. */
export function send(socket: Socket, value: unknown): void {
  const body = serialize(value)
  const head = Buffer.alloc(HEAD)
  head.writeUInt32BE(body.length)
  socket.cork()
  socket.write(head)
  socket.write(body)
  socket.uncork()
}

/**
 * Yields the values that the other process sends, until the connection ends or is lost.
 * @throws StoreError `STORE_UNAVAILABLE` if a frame is too long
 */
export async function* receive(socket: Socket): AsyncGenerator<unknown, void, undefined> {
  let chunks: Buffer[] = []
  let length = 0
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    while (length >= needed(chunks)) {
      const bytes = Buffer.concat(chunks)
      const end = needed([bytes])
      yield deserialize(bytes.subarray(HEAD, end))
      const rest = bytes.subarray(end)
      chunks = rest.length === 0 ? [] : [rest]
      length = rest.length
    }
  }
}

/**
 * Returns the number of bytes needed: the length of the first frame with its prefix, or the length of the prefix
 * until the prefix has been read.
 */
function needed(chunks: readonly Buffer[]): number {
  const [first] = chunks
  if (first === undefined) return HEAD
  const head = first.length >= HEAD ? first : Buffer.concat(chunks)
  if (head.length < HEAD) return HEAD
  const length = head.readUInt32BE()
  if (length > MOST) {
    throw new StoreError(
      'STORE_UNAVAILABLE',
      `the other process sent a frame of ${length} bytes, more than the maximum of ${MOST}`,
    )
  }
  return HEAD + length
}
