import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as Frame from './Frame.ts'
import { codeOf, readVectors } from './testing/vectors.ts'

interface FrameLength {
  readonly length: number
  readonly bytes: `0x${string}`
  readonly ok: boolean
}

function collect(chunks: readonly Uint8Array[], options: { maxLength?: number; stopAfter?: number } = {}) {
  const bodies: Uint8Array[] = []
  let progress = 0
  const splitter = Frame.createSplitter({
    onBody: (body) => bodies.push(body) !== options.stopAfter,
    onProgress: () => progress++,
    ...(options.maxLength === undefined ? {} : { maxLength: options.maxLength }),
  })
  for (const chunk of chunks) splitter.push(chunk)
  return { bodies, splitter, progress }
}

describe('length', () => {
  test.each(readVectors<FrameLength>('frameLength'))(
    'matches the reference vector $name',
    ({ length, bytes, ok }) => {
      const header = Hex.decode(bytes)
      if (ok) expect(Frame.decodeLength(header)).toBe(length)
      else expect(codeOf(() => Frame.decodeLength(header))).toBe('P2P_FRAME_LENGTH')
    },
  )
  test('accepts a body of 2 MiB, but rejects one more byte', () => {
    expect(Frame.encode(new Uint8Array(Frame.MAX_LENGTH))).toHaveLength(Frame.MAX_LENGTH + 4)
    expect(codeOf(() => Frame.encode(new Uint8Array(Frame.MAX_LENGTH + 1)))).toBe('P2P_FRAME_LENGTH')
  })
})

describe('splitter', () => {
  const bodies = [Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(1, 2, 3), new Uint8Array(5_000).fill(7)]
  const stream = Buffer.concat(bodies.map(Frame.encode))

  test.each([1, 2, 3, 4, 5, 7, 64, 1_000, stream.length])(
    'returns the same bodies when the stream arrives in chunks of %i bytes',
    (size) => {
      const chunks: Uint8Array[] = []
      for (let at = 0; at < stream.length; at += size) chunks.push(stream.subarray(at, at + size))
      expect(collect(chunks).bodies.map((body) => Uint8Array.from(body))).toEqual(bodies)
    },
  )
  test('returns a view without a copy when one chunk contains the whole body', () => {
    const [body] = collect([stream]).bodies
    expect(body?.buffer).toBe(stream.buffer)
  })
  test('rejects a length above the limit as soon as it is read, in one chunk or in two', () => {
    const header = Uint8Array.of(0, 0x20, 0, 1)
    expect(codeOf(() => collect([header]))).toBe('P2P_FRAME_LENGTH')
    expect(codeOf(() => collect([header.subarray(0, 3), header.subarray(3)]))).toBe('P2P_FRAME_LENGTH')
  })
  test('allocates no memory for an announced length before the bytes arrive', () => {
    const { splitter } = collect([Uint8Array.of(0, 0x20, 0, 0), new Uint8Array(10)])
    expect(splitter.buffered).toBeLessThanOrEqual(1_024)
  })
  test('uses at most twice the memory of the bytes received', () => {
    const { splitter } = collect([
      Uint8Array.of(0, 0x20, 0, 0),
      ...Array.from({ length: 100 }, () => new Uint8Array(1_000)),
    ])
    expect(splitter.buffered).toBeLessThanOrEqual(2 * 100_004)
  })
  test('stops when the callback returns false', () => {
    expect(collect([stream], { stopAfter: 2 }).bodies).toHaveLength(2)
  })
  test('reports progress once per length and once per body, not per byte', () => {
    const frame = Frame.encode(new Uint8Array(10))
    expect(collect([...frame].map((byte) => Uint8Array.of(byte))).progress).toBe(2)
  })
})
