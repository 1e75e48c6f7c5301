import { P2pError } from './P2pError.ts'

/** Longest body of a frame: 2 MiB. A longer one ends the connection on its length alone. */
export const MAX_LENGTH = 2_097_152

/** Bytes in front of each body: its length, big-endian. */
export const HEADER_LENGTH = 4

/**
 * The bytes that announce and carry `body` (u32 length, then the body).
 * @throws P2pError `P2P_FRAME_LENGTH` above {@link MAX_LENGTH}
 */
export function encode(body: Uint8Array): Uint8Array {
  assertLength(body.length, MAX_LENGTH)
  const frame = new Uint8Array(HEADER_LENGTH + body.length)
  new DataView(frame.buffer).setUint32(0, body.length)
  frame.set(body, HEADER_LENGTH)
  return frame
}

/**
 * The body length announced by the 4 bytes at `offset`.
 * @throws P2pError `P2P_FRAME_LENGTH` above `maxLength`
 */
export function decodeLength(bytes: Uint8Array, offset = 0, maxLength = MAX_LENGTH): number {
  const length = new DataView(bytes.buffer, bytes.byteOffset + offset, HEADER_LENGTH).getUint32(0)
  assertLength(length, maxLength)
  return length
}

function assertLength(length: number, maxLength: number): void {
  if (length <= maxLength) return
  throw new P2pError('P2P_FRAME_LENGTH', `expected a frame of at most ${maxLength} bytes, got ${length}`, {
    details: { length, maxLength },
  })
}

/** What {@link createSplitter} takes. */
export interface SplitterOptions {
  /** Gets each whole body in order; returning false stops the splitter for good. */
  readonly onBody: (body: Uint8Array) => boolean
  /** Called when a length was read and when a body is whole: what an idle timer counts from. */
  readonly onProgress?: () => void
  /** Default {@link MAX_LENGTH}. */
  readonly maxLength?: number
}

/** Cuts a stream of chunks into frame bodies. */
export interface Splitter {
  /**
   * Takes the stream's next chunk. A body that lies in one chunk is passed on as a view of it, without a copy.
   * @throws P2pError `P2P_FRAME_LENGTH`
   */
  push(chunk: Uint8Array): void
  /** Bytes held of an unfinished frame: never more than twice what arrived of it. */
  readonly buffered: number
}

const FIRST_CAPACITY = 1024

/**
 * Creates a splitter. Memory follows the bytes that arrived, never the length announced: a peer that announces 2 MiB and
 * sends nothing costs nothing, and one that sends byte by byte costs twice its bytes.
 */
export function createSplitter(options: SplitterOptions): Splitter {
  const { onBody, onProgress, maxLength = MAX_LENGTH } = options
  let held: Uint8Array = new Uint8Array(0)
  let filled = 0
  let wanted = 0
  let isStopped = false

  const hold = (bytes: Uint8Array): void => {
    if (filled + bytes.length > held.length) {
      const grown = new Uint8Array(
        Math.max(FIRST_CAPACITY, Math.min(2 * (filled + bytes.length), maxLength + HEADER_LENGTH)),
      )
      grown.set(held.subarray(0, filled))
      held = grown
    }
    held.set(bytes, filled)
    filled += bytes.length
  }
  const release = (): void => {
    held = new Uint8Array(0)
    filled = 0
    wanted = 0
  }
  /** Completes the frame held, taking what it lacks from the chunk's front; returns how much that was. */
  const complete = (chunk: Uint8Array): number => {
    let used = 0
    if (wanted === 0) {
      used = Math.min(HEADER_LENGTH - filled, chunk.length)
      hold(chunk.subarray(0, used))
      if (filled < HEADER_LENGTH) return used
      wanted = HEADER_LENGTH + decodeLength(held, 0, maxLength)
      onProgress?.()
    }
    const rest = Math.min(wanted - filled, chunk.length - used)
    hold(chunk.subarray(used, used + rest))
    if (filled < wanted) return used + rest
    const body = held.subarray(HEADER_LENGTH, wanted)
    release()
    onProgress?.()
    isStopped = !onBody(body)
    return used + rest
  }
  const push = (chunk: Uint8Array): void => {
    let offset = 0
    while (offset < chunk.length && !isStopped) {
      if (filled > 0) {
        offset += complete(chunk.subarray(offset))
        continue
      }
      const left = chunk.length - offset
      const length = left < HEADER_LENGTH ? 0 : decodeLength(chunk, offset, maxLength)
      if (left < HEADER_LENGTH || left < HEADER_LENGTH + length) {
        offset += complete(chunk.subarray(offset))
        continue
      }
      const start = offset + HEADER_LENGTH
      offset = start + length
      onProgress?.()
      isStopped = !onBody(chunk.subarray(start, offset))
    }
  }
  return {
    push,
    get buffered() {
      return held.length
    },
  }
}
