import { PublicKey } from '@firn/bls'
import { Id } from '@firn/codec'
import { createFakeClock } from '@firn/runtime/testing'
import { describe, expect, it } from 'vitest'
import * as BatchCheck from './BatchCheck.ts'
import * as SignatureCache from './SignatureCache.ts'
import * as Keys from './testing/Keys.ts'
import { messageOf } from './testing/Simulation.ts'

const { SIGNATURE_BYTES } = SignatureCache
/** Upper limit of the memory for a message, without its signatures. */
const MESSAGE_BYTES = 512
const key = (number: number) => PublicKey.decode(Keys.publicKey(number))

async function prove(message: Uint8Array, ...keys: number[]) {
  const candidates = keys.map((number) => ({ publicKey: key(number), signature: Keys.sign(number, message) }))
  const proved = await BatchCheck.check(message, candidates, createFakeClock())
  return proved.filter((one) => one !== undefined)
}

const idOf = (number: number) => Id.hash(messageOf(number))

async function fill(cache: SignatureCache.SignatureCache, message: number, ...keys: number[]) {
  for (const proved of await prove(messageOf(message), ...keys)) cache.add(idOf(message), proved)
}

describe('a signature cache', () => {
  it('returns the signature added for a message and a key, and undefined for any other message or key', async () => {
    const cache = SignatureCache.create({ maxBytes: 1_000_000 })
    await fill(cache, 1, 1, 2)
    const known = cache.get(idOf(1), key(1))
    expect(known?.signature.compressed).toEqual(Keys.sign(1, messageOf(1)).compressed)
    expect(cache.get(idOf(1), key(3))).toBeUndefined()
    expect(cache.get(idOf(2), key(1))).toBeUndefined()
  })

  it('distinguishes a key from the negative of that key', async () => {
    const cache = SignatureCache.create({ maxBytes: 1_000_000 })
    await fill(cache, 1, 1)
    const negative = Keys.publicKey(1).map((byte, i) => (i === 0 ? byte ^ 0x20 : byte))
    expect(cache.get(idOf(1), PublicKey.decode(negative))).toBeUndefined()
  })

  it('evicts the least recently used messages first to stay below the size limit', async () => {
    const maxBytes = 3 * (MESSAGE_BYTES + 2 * SIGNATURE_BYTES)
    const cache = SignatureCache.create({ maxBytes })
    for (const message of [1, 2, 3]) await fill(cache, message, 1, 2)
    expect(cache.messages).toBe(3)
    cache.get(idOf(1), key(1))
    await fill(cache, 4, 1, 2)
    expect(cache.bytes).toBeLessThanOrEqual(maxBytes)
    const known = [1, 2, 3, 4].filter((message) => cache.get(idOf(message), key(1)) !== undefined)
    expect(known).toEqual([1, 3, 4])
  })

  it('limits bytes instead of messages, so that one message with many signers fills the cache', async () => {
    const maxBytes = MESSAGE_BYTES + 3 * SIGNATURE_BYTES
    const cache = SignatureCache.create({ maxBytes })
    await fill(cache, 1, ...Array(20).keys())
    expect(cache.bytes).toBeLessThanOrEqual(maxBytes)
    expect(cache.signatures).toBe(3)
  })

  it('updates its counts when signatures are added twice or removed', async () => {
    const cache = SignatureCache.create({ maxBytes: 1_000_000 })
    await fill(cache, 1, 1, 2)
    const { bytes } = cache
    await fill(cache, 1, 1, 2)
    expect(cache.bytes).toBe(bytes)
    cache.remove(idOf(1), key(1))
    cache.remove(idOf(1), key(1))
    cache.remove(idOf(9), key(1))
    expect(cache.signatures).toBe(1)
    cache.remove(idOf(1), key(2))
    expect([cache.bytes, cache.messages, cache.signatures]).toEqual([0, 0, 0])
  })

  it('stores nothing when the size is 0', async () => {
    const cache = SignatureCache.create({ maxBytes: 0 })
    await fill(cache, 1, 1)
    expect([cache.bytes, cache.signatures]).toEqual([0, 0])
  })
})
