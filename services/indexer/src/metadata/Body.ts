import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import type { Failure } from './Failure.ts'

const FIRST_BYTES = 16_384

/** Decoder for each content encoding; undefined for an encoding that needs no decoder. */
const UNPACKER: ReadonlyMap<string, (() => Transform) | undefined> = new Map([
  ['', undefined],
  ['identity', undefined],
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
])

/**
 * Reads and decompresses the body. Stops when the signal is aborted, or when the compressed or decompressed
 * size exceeds `limit`; sizes in headers are ignored. The bytes of each chunk are copied immediately, so a
 * body of a million small chunks takes no more memory than another body of the same size.
 */
export function readBody(
  response: IncomingMessage,
  limit: number,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array } | { readonly failure: Failure }> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? ''
  const unpack = UNPACKER.get(encoding)?.()
  return new Promise((settle) => {
    const end = (outcome: { readonly bytes: Uint8Array } | { readonly failure: Failure }) => {
      signal.removeEventListener('abort', late)
      response.destroy()
      unpack?.destroy()
      settle(outcome)
    }
    const late = () => end({ failure: 'timeout' })
    signal.addEventListener('abort', late, { once: true })
    if (!UNPACKER.has(encoding)) return end({ failure: 'encoding' })
    if (Number(response.headers['content-length'] ?? 0) > limit) return end({ failure: 'too-large' })
    const body = createGrowing(limit)
    let sent = 0
    response.on('error', () => end({ failure: 'connection' }))
    response.on('data', (chunk: Uint8Array) => {
      sent += chunk.length
      if (sent > limit) end({ failure: 'too-large' })
    })
    unpack?.on('error', () => end({ failure: 'encoding' }))
    const unpacked = unpack === undefined ? response : response.pipe(unpack)
    unpacked.on('data', (chunk: Uint8Array) => {
      if (!body.add(chunk)) end({ failure: 'too-large' })
    })
    unpacked.on('end', () => end({ bytes: body.bytes() }))
  })
}

/** Creates a byte buffer that grows. `add` returns false and adds nothing if the limit would be exceeded. */
function createGrowing(limit: number): { add(chunk: Uint8Array): boolean; bytes(): Uint8Array } {
  let held = new Uint8Array(Math.min(FIRST_BYTES, limit))
  let length = 0
  return {
    add(chunk) {
      const total = length + chunk.length
      if (total > limit) return false
      if (total > held.length) {
        const grown = new Uint8Array(Math.min(Math.max(total, held.length * 2), limit))
        grown.set(held.subarray(0, length))
        held = grown
      }
      held.set(chunk, length)
      length = total
      return true
    },
    bytes: () => held.subarray(0, length),
  }
}
