import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { readBytes } from '@firn/rpc'
import type { FetchFailure } from './FetchFailure.ts'

/** Decoder for each content encoding; undefined for an encoding that needs no decoder. */
const UNPACKER: ReadonlyMap<string, (() => Transform) | undefined> = new Map([
  ['', undefined],
  ['identity', undefined],
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
])

/**
 * Reads and decompresses the body. Stops when the signal is aborted, or when the announced, compressed or
 * decompressed size exceeds `limit`. The bytes of each chunk are copied immediately, so a body of a million small
 * chunks takes no more memory than another body of the same size.
 */
export function readBody(
  response: IncomingMessage,
  limit: number,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array } | { readonly failure: FetchFailure }> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? ''
  const unpack = UNPACKER.get(encoding)?.()
  return new Promise((settle) => {
    const end = (outcome: { readonly bytes: Uint8Array } | { readonly failure: FetchFailure }) => {
      signal.removeEventListener('abort', late)
      response.destroy()
      unpack?.destroy()
      settle(outcome)
    }
    const late = () => end({ failure: 'timeout' })
    signal.addEventListener('abort', late, { once: true })
    if (!UNPACKER.has(encoding)) return end({ failure: 'encoding' })
    if (Number(response.headers['content-length'] ?? 0) > limit) return end({ failure: 'too-large' })
    let sent = 0
    response.on('error', () => end({ failure: 'connection' }))
    response.on('data', (chunk: Uint8Array) => {
      sent += chunk.length
      if (sent > limit) end({ failure: 'too-large' })
    })
    unpack?.on('error', () => end({ failure: 'encoding' }))
    const unpacked = unpack === undefined ? response : response.pipe(unpack)
    const onPart = (_part: Uint8Array, length: number) => {
      if (length > limit) end({ failure: 'too-large' })
    }
    readBytes(unpacked, onPart).then(
      (bytes) => end({ bytes }),
      // If the listeners above have reported the error, this has no effect.
      () => end({ failure: 'connection' }),
    )
  })
}
