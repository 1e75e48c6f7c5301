import { Batch, PublicKey, Signature } from '@firn/bls'
import { createFakeClock } from '@firn/runtime/testing'
import { Acp118 } from '@firn/warp'
import { describe, expect, it } from 'vitest'
import * as BatchCheck from './BatchCheck.ts'
import { answer, type Behaviour } from './testing/Behaviour.ts'
import * as Keys from './testing/Keys.ts'
import { messageOf } from './testing/Simulation.ts'

const message = messageOf(0)

function candidate(key: number, behaviour: Behaviour = { kind: 'honest' }): BatchCheck.Candidate {
  const reply = answer(behaviour, key, message, 0)
  if (reply?.kind !== 'response') throw new RangeError('expected a behaviour that responds')
  const signature = Signature.decode(Acp118.decodeResponse(reply.bytes).signature)
  return { publicKey: PublicKey.decode(Keys.publicKey(key)), signature }
}

async function check(candidates: readonly BatchCheck.Candidate[]) {
  const clock = createFakeClock()
  return clock.run(BatchCheck.check(message, candidates, clock))
}

describe('check', () => {
  it('accepts all candidates when all are valid, and returns an empty result for an empty batch', async () => {
    const results = await check([0, 1, 2].map((key) => candidate(key)))
    expect(results.every((proved) => proved !== undefined)).toBe(true)
    expect(await check([])).toEqual([])
  })

  it.each(['wrong-signature', 'other-message', 'infinity'] as const)(
    'finds each invalid signature of the kind %s',
    async (kind) => {
      const results = await check(
        [0, 1, 2, 3, 4].map((key) => candidate(key, { kind: key % 2 ? kind : 'honest' })),
      )
      expect(results.map((proved) => proved === undefined)).toEqual([false, true, false, true, false])
    },
  )

  it('detects invalid signatures whose errors cancel in the aggregate', async () => {
    const pair = [
      candidate(0, { kind: 'cancelling', sign: 1 }),
      candidate(1, { kind: 'cancelling', sign: -1 }),
    ]
    expect(Batch.verify(message, pair, 'none')).toBe(true)
    expect(await check([...pair, candidate(2)])).toEqual([undefined, undefined, expect.anything()])
  })

  it('finds the invalid signatures in every group of a long list', async () => {
    const bad = [0, 1, 63, 64, 99]
    const results = await check(
      Array.from({ length: 100 }, (_, key) =>
        candidate(key, { kind: bad.includes(key) ? 'other-message' : 'honest' }),
      ),
    )
    expect(results.flatMap((proved, place) => (proved === undefined ? [place] : []))).toEqual(bad)
  })
})
