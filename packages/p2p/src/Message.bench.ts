import assert from 'node:assert/strict'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import * as zstd from './internal/zstd.ts'
import * as Message from './Message.ts'

const ROUNDS = 1_000
const chainId = new Uint8Array(32).fill(1)
const appBytes = crypto.getRandomValues(new Uint8Array(98))
const answer: Message.BodyInit = { case: 'appResponse', value: { chainId, requestId: 12_345, appBytes } }
const request: Message.BodyInit = {
  case: 'appRequest',
  value: { chainId, requestId: 12_345, deadline: 10_000_000_000n, appBytes },
}
const plain = Message.encode(answer)
const wrapped = Message.encode(answer, { compress: true })
const stored = zstd.compress(plain)
assert.deepEqual(Message.decode(wrapped), Message.decode(plain))
assert.deepEqual(Uint8Array.from(zstdDecompressSync(stored)), plain)

const times = (run: () => unknown) => () => {
  for (let i = 0; i < ROUNDS; i++) run()
}

export const benchmarks = {
  [`${ROUNDS} signature responses, decoded`]: {
    'compressed as nodes do': times(() => Message.decode(wrapped)),
    plain: times(() => Message.decode(plain)),
  },
  [`${ROUNDS} messages, encoded`]: {
    request: times(() => Message.encode(request)),
    'answer, compressed': times(() => Message.encode(answer, { compress: true })),
  },
  [`${ROUNDS} short zstd frames, decompressed`]: {
    'stored block': times(() => zstd.decompress(stored, 2_097_152)),
    'node:zlib': times(() => zstdDecompressSync(stored, { maxOutputLength: 2_097_152 })),
  },
  [`${ROUNDS} short zstd frames, compressed`]: {
    'stored block': times(() => zstd.compress(plain)),
    'node:zlib': times(() => zstdCompressSync(plain)),
  },
}
