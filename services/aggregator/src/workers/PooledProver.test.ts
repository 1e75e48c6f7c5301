import { type BatchCheck, Prover } from '@firn/aggregation'
import { PublicKey, SecretKey, Signature } from '@firn/bls'
import { Bytes } from '@firn/codec'
import { silentLogger, systemClock } from '@firn/runtime'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createPublicKeys } from '../p-chain/PublicKeys.ts'
import { createPooledProver } from './PooledProver.ts'
import { createThreads } from './Threads.ts'

const threads = createThreads({ count: 1, clock: systemClock, log: silentLogger })
const pooled = createPooledProver(threads)
const inThread = Prover.create(systemClock)
afterAll(() => threads.close())

const message = Uint8Array.of(1, 2, 3)
const signers = Array.from({ length: 40 }, (_, seed) => {
  const secretKey = SecretKey.generate(new Uint8Array(32).fill(seed))
  return {
    publicKey: SecretKey.publicKey(secretKey),
    good: Signature.sign(secretKey, message).compressed,
    wrong: Signature.sign(secretKey, Uint8Array.of(9)).compressed,
  }
})

type Flaw = 'none' | 'wrong' | 'off-curve' | 'infinity' | 'short'

function received(signer: number, flaw: Flaw): Prover.Received {
  const { publicKey, good, wrong } = signers[signer] as (typeof signers)[0]
  const bytes = {
    none: good,
    wrong,
    'off-curve': good.map((byte, i) => (i === 95 ? byte ^ 1 : byte)),
    infinity: Uint8Array.of(0xc0, ...new Uint8Array(95)),
    short: good.subarray(1),
  }
  return { publicKey, signature: bytes[flaw] }
}

/** Returns the verdicts, with the compressed signature in place of a verified one. */
async function verdicts(prover: Prover.Prover, list: readonly Prover.Received[]) {
  const all = await prover.check(message, list)
  return all.map((verdict) => (typeof verdict === 'string' ? verdict : verdict.signature.compressed))
}

describe('a prover that works in threads', () => {
  it('gives the same verdicts as a prover in the calling thread', async () => {
    const flaw = fc.oneof(
      { weight: 4, arbitrary: fc.constant<Flaw>('none') },
      fc.constantFrom<Flaw>('wrong', 'off-curve', 'infinity', 'short'),
    )
    const batch = fc.array(fc.tuple(fc.nat(signers.length - 1), flaw), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(batch, async (pairs) => {
        const list = pairs.map(([signer, kind]) => received(signer, kind))
        expect(await verdicts(pooled, list)).toEqual(await verdicts(inThread, list))
      }),
      { numRuns: 20 },
    )
  })

  it('blames exactly the wrong signature in each of several concurrent batches', async () => {
    const batches = [3, 0, 7].map((bad) =>
      Array.from({ length: 8 }, (_, signer) => received(signer, signer === bad ? 'wrong' : 'none')),
    )
    const results = await Promise.all(batches.map((batch) => pooled.check(message, batch)))
    const blamed = results.map((all) => all.flatMap((verdict, place) => (verdict === 'wrong' ? [place] : [])))
    expect(blamed).toEqual([[3], [0], [7]])
  })

  it('adds verified signatures, and rejects a sum that is not valid', async () => {
    const all = await pooled.check(
      message,
      [0, 1, 2].map((signer) => received(signer, 'none')),
    )
    const proved = all.filter((verdict) => typeof verdict === 'object')
    const sum = (await pooled.aggregate(message, proved)) as Uint8Array
    const publicKey = PublicKey.aggregate(proved.map((one) => one.publicKey))
    expect(Signature.verify(publicKey, message, Signature.decode(sum))).toBe(true)
    const [first, second] = proved as [BatchCheck.Proved, BatchCheck.Proved]
    const swapped = [{ publicKey: first.publicKey, signature: second.signature }]
    expect(await pooled.aggregate(message, swapped)).toBeUndefined()
  })
})

describe('createPublicKeys', () => {
  it('decodes many keys in a thread, skips those that are not valid, and caches the others', async () => {
    const run = vi.fn(threads.run.bind(threads)) as typeof threads.run
    const keys = createPublicKeys({ run })
    const compressed = signers.map(({ publicKey }) => publicKey.compressed)
    const bad = Bytes.concat(compressed[0] as Uint8Array).fill(0xff)
    await keys.prepare([...compressed, bad])
    await keys.prepare(compressed)
    expect(run).toHaveBeenCalledTimes(1)
    for (const { publicKey } of signers) {
      expect(PublicKey.compare(keys.decode(publicKey.compressed), publicKey)).toBe(0)
    }
    expect(() => keys.decode(bad)).toThrow(expect.objectContaining({ code: 'BLS_PUBLIC_KEY' }))
  })
})
