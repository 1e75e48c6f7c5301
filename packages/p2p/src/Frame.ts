import { P2pError } from './P2pError.ts'

/** Maximum length of a frame's body: 2 MiB. A connection that announces a longer one is closed. */
export const MAX_LENGTH = 2_097_152

/** Number of bytes before each body; they hold its length, big-endian. */
export const HEADER_LENGTH = 4

/**
 * Encodes the frame of `body`: its length (u32), then the body.
 * @throws P2pError `P2P_FRAME_LENGTH` if `body` is longer than {@link MAX_LENGTH}
 * @example
 * ```ts
 * import { Frame } from '@firn/p2p'
 *
 * Frame.encode(Uint8Array.of(7, 8)) // Uint8Array [0, 0, 0, 2, 7, 8]
 * ```
 */
export function encode(body: Uint8Array): Uint8Array {
  assertLength(body.length, MAX_LENGTH)
  const frame = new Uint8Array(HEADER_LENGTH + body.length)
  new DataView(frame.buffer).setUint32(0, body.length)
  frame.set(body, HEADER_LENGTH)
  return frame
}

/**
 * Returns the body length in the 4 bytes at `offset`.
 * @throws P2pError `P2P_FRAME_LENGTH` if it is above `maxLength`
 * @example
 * ```ts
 * import { Frame } from '@firn/p2p'
 *
 * Frame.decodeLength(Uint8Array.of(0, 0, 0, 2, 7, 8)) // 2
 * ```
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

/** Options of {@link createSplitter}. */
export interface SplitterOptions {
  /** Called with each complete body, in order. If it returns false, the splitter stops permanently. */
  readonly onBody: (body: Uint8Array) => boolean
  /** Called when a length has been read and when a body is complete. The idle timer restarts at both. */
  readonly onProgress?: () => void
  /** Maximum length of a body; default {@link MAX_LENGTH}. */
  readonly maxLength?: number
}

/** Splits a stream of chunks into frame bodies. */
export interface Splitter {
  /**
   * Processes the next chunk of the stream. A frame that lies within one chunk is not copied: its body is passed to
   * `onBody` as a view of the chunk.
   * @throws P2pError `P2P_FRAME_LENGTH`
   */
  push(chunk: Uint8Array): void
  /**
   * Number of bytes allocated for an unfinished frame: at most twice the bytes received of it, or 1,024 if that is
   * more.
   */
  readonly buffered: number
}

const FIRST_CAPACITY = 1024

/**
 * Creates a splitter. Its memory grows with the bytes received, not with the announced length. A peer that announces
 * 2 MiB and then sends nothing costs 1 KiB; a peer that sends byte by byte costs at most twice the bytes that it has
 * sent, or 1 KiB if that is more.
 *
 * @example
 * ```ts
 * import { Frame } from '@firn/p2p'
 *
 * const bodies: Uint8Array[] = []
 * const splitter = Frame.createSplitter({ onBody: (body) => bodies.push(body) > 0 })
 * splitter.push(Frame.encode(Uint8Array.of(7, 8)))
 * bodies.length // 1
 * ```
 */
export function createSplitter(options: SplitterOptions): Splitter {
  return new ChunkSplitter(options)
}

class ChunkSplitter implements Splitter {
  readonly #onBody: (body: Uint8Array) => boolean
  readonly #onProgress: () => void
  readonly #maxLength: number
  /** The start of an unfinished frame with its header. Only the first `#filled` bytes are valid. */
  #held: Uint8Array = new Uint8Array(0)
  #filled = 0
  /** Length of the unfinished frame with its header; 0 until the header is complete. */
  #frameLength = 0
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

  /** Returns the end of the frame at `offset` if the chunk contains all of it. */
  #endOfWhole(chunk: Uint8Array, offset: number): number | undefined {
    const start = offset + HEADER_LENGTH
    if (chunk.length < start) return undefined
    const end = start + decodeLength(chunk, offset, this.#maxLength)
    return chunk.length < end ? undefined : end
  }

  /** Completes the stored frame with bytes from the start of the chunk. Returns how many bytes it used. */
  #complete(chunk: Uint8Array): number {
    let used = 0
    if (this.#frameLength === 0) {
      used = Math.min(HEADER_LENGTH - this.#filled, chunk.length)
      this.#hold(chunk.subarray(0, used))
      if (this.#filled < HEADER_LENGTH) return used
      this.#frameLength = HEADER_LENGTH + decodeLength(this.#held, 0, this.#maxLength)
      this.#onProgress()
    }
    const rest = Math.min(this.#frameLength - this.#filled, chunk.length - used)
    this.#hold(chunk.subarray(used, used + rest))
    if (this.#filled === this.#frameLength) this.#release()
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
    const body = this.#held.subarray(HEADER_LENGTH, this.#frameLength)
    this.#held = new Uint8Array(0)
    this.#filled = 0
    this.#frameLength = 0
    this.#onProgress()
    this.#isStopped = !this.#onBody(body)
  }
}
