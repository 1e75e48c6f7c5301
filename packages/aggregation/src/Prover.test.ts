import { PublicKey, Signature } from '@firn/bls'
import { createFakeClock } from '@firn/runtime/testing'
import { Acp118 } from '@firn/warp'
import { describe, expect, it } from 'vitest'
import type { Proved } from './BatchCheck.ts'
import * as Prover from './Prover.ts'
import { answer, type Behaviour } from './testing/Behaviour.ts'
import * as Keys from './testing/Keys.ts'
import { messageOf } from './testing/Simulation.ts'

const message = messageOf(0)

function received(key: number, kind: 'honest' | 'wrong-signature' | 'off-curve' | 'short' = 'honest') {
  const reply = answer({ kind } as Behaviour, key, message, 0)
  if (reply?.kind !== 'response') throw new RangeError('expected a behaviour that responds')
  const { signature } = Acp118.decodeResponse(reply.bytes)
  return { publicKey: PublicKey.decode(Keys.publicKey(key)), signature }
}

const check = (list: readonly Prover.Received[]) => {
  const clock = createFakeClock()
  return clock.run(Prover.create(clock).check(message, list))
}

describe('a prover in the calling thread', () => {
  it('distinguishes valid, wrong and malformed signatures', async () => {
    const list = [received(0), received(1, 'wrong-signature'), received(2, 'off-curve'), received(3, 'short')]
    expect(await check(list)).toEqual([expect.any(Object), 'wrong', 'malformed', 'malformed'])
    expect(await check([])).toEqual([])
  })

  it('lets the event loop run other work while it decodes many signatures', async () => {
    const sleeps: number[] = []
    const clock = { now: () => 0, sleep: async (ms: number) => void sleeps.push(ms) }
    const list = Array.from({ length: 130 }, (_, key) => received(key % 5))
    expect(await Prover.create(clock).check(message, list)).toHaveLength(130)
    expect(sleeps).toEqual([0, 0])
  })

  it('returns the sum of signatures if it is valid, and undefined otherwise', async () => {
    const prover = Prover.create(createFakeClock())
    const proved = (await check([received(0), received(1)])) as Proved[]
    const sum = (await prover.aggregate(message, proved)) as Uint8Array
    expect(sum).toEqual(Signature.aggregate([0, 1].map((key) => Keys.sign(key, message))).compressed)
    expect(await prover.aggregate(messageOf(1), proved)).toBeUndefined()
  })
})
