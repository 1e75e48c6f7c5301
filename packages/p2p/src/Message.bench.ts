import assert from 'node:assert/strict'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { limitAncestors, MAX_CONTAINERS } from './ChainRequests.ts'
import { createChainEncoder } from './internal/chainMessages.ts'
import { createIds } from './internal/request.ts'
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

/** A full answer of blocks as on Mainnet: 1,671 of 1,000 bytes. */
const containers = limitAncestors(
  Array.from({ length: MAX_CONTAINERS }, (_, i) => new Uint8Array(1_000).fill(i)),
)
const ancestors: Message.BodyInit = { case: 'ancestors', value: { chainId, requestId: 12_345, containers } }
const plainAncestors = Message.encode(ancestors)
const wrappedAncestors = Message.encode(ancestors, { compress: true })
const nextId = createIds(1)
const ask = createChainEncoder(nextId)
const ancestorsRequest = { chainId, containerId: chainId, engine: 'chain', deadlineMs: 10_000 } as const
const question = ask('ancestors', ancestorsRequest)
/** Decodes an answer and copies its containers, as a client does. */
const read = (bytes: Uint8Array): void => {
  const body = Message.decode(bytes)
  assert.equal(body.case === 'ancestors' && question.readers.ancestors?.(body.value).kind, 'answer')
}

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
  [`one answer with ${containers.length} ancestors of 1,000 bytes`]: {
    'decoded, compressed as nodes do': () => read(wrappedAncestors),
    'decoded, plain': () => read(plainAncestors),
    'encoded, compressed': () => Message.encode(ancestors, { compress: true }),
    'encoded, plain': () => Message.encode(ancestors),
  },
  [`${ROUNDS} chain requests, encoded`]: {
    GetAncestors: times(() => ask('ancestors', ancestorsRequest)),
    GetAcceptedFrontier: times(() => ask('acceptedFrontier', ancestorsRequest)),
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
