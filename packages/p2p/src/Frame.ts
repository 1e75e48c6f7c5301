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
  return new ChunkSplitter(options)
}

class ChunkSplitter implements Splitter {
  readonly #onBody: (body: Uint8Array) => boolean
  readonly #onProgress: () => void
  readonly #maxLength: number
  /** The front of an unfinished frame, header included; its first `#filled` bytes count. */
  #held: Uint8Array = new Uint8Array(0)
  #filled = 0
  /** Length of the unfinished frame with its header; 0 until the header is whole. */
  #wanted = 0
  #isStopped = false

  constructor({ onBody, onProgress = () => undefined, maxLength = MAX_LENGTH }: SplitterOptions) {
    this.#onBody = onBody
    this.#onProgress = onProgress
    this.#maxLength = maxLength
  }

  get buffered(): number {
    return this.#held.length
  }

  push(chunk: Uint8Array): void {
    let offset = 0
    while (offset < chunk.length && !this.#isStopped) {
      const end = this.#filled > 0 ? undefined : this.#endOfWhole(chunk, offset)
      if (end === undefined) {
        offset += this.#complete(chunk.subarray(offset))
        continue
      }
      this.#onProgress()
      this.#isStopped = !this.#onBody(chunk.subarray(offset + HEADER_LENGTH, end))
      offset = end
    }
  }

  /** Where the frame at `offset` ends, if it lies in the chunk as a whole. */
  #endOfWhole(chunk: Uint8Array, offset: number): number | undefined {
    const start = offset + HEADER_LENGTH
    if (chunk.length < start) return undefined
    const end = start + decodeLength(chunk, offset, this.#maxLength)
    return chunk.length < end ? undefined : end
  }

  /** Completes the frame held, taking what it lacks from the chunk's front; returns how much that was. */
  #complete(chunk: Uint8Array): number {
    let used = 0
    if (this.#wanted === 0) {
      used = Math.min(HEADER_LENGTH - this.#filled, chunk.length)
      this.#hold(chunk.subarray(0, used))
      if (this.#filled < HEADER_LENGTH) return used
      this.#wanted = HEADER_LENGTH + decodeLength(this.#held, 0, this.#maxLength)
      this.#onProgress()
    }
    const rest = Math.min(this.#wanted - this.#filled, chunk.length - used)
    this.#hold(chunk.subarray(used, used + rest))
    if (this.#filled === this.#wanted) this.#release()
    return used + rest
  }

  #hold(bytes: Uint8Array): void {
    const length = this.#filled + bytes.length
    if (length > this.#held.length) {
      const capacity = Math.min(2 * length, this.#maxLength + HEADER_LENGTH)
      const grown = new Uint8Array(Math.max(FIRST_CAPACITY, capacity))
      grown.set(this.#held.subarray(0, this.#filled))
      this.#held = grown
    }
    this.#held.set(bytes, this.#filled)
    this.#filled = length
  }

  #release(): void {
    const body = this.#held.subarray(HEADER_LENGTH, this.#wanted)
    this.#held = new Uint8Array(0)
    this.#filled = 0
    this.#wanted = 0
    this.#onProgress()
    this.#isStopped = !this.#onBody(body)
  }
}
