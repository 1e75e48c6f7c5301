import { silentLogger } from '@firn/runtime'
import { createFakeClock } from '@firn/runtime/testing'
import { expect, it } from 'vitest'
import type { AggregateRequest } from './AggregateRequest.ts'
import { createPaced } from './Paced.ts'
import type { Signed } from './Signatures.ts'

it('starts the requests of a burst in several turns of the event loop', async () => {
  const clock = createFakeClock()
  let started = 0
  const collect = async () => {
    started += 1
    return {} as Signed
  }
  const paced = createPaced({ collect }, clock)
  const limits = { deadlineMs: 1_000, signal: new AbortController().signal, log: silentLogger }
  const all = Array.from({ length: 20 }, () => paced.collect({} as AggregateRequest, limits))
  expect(started).toBe(8)
  await clock.run(Promise.all(all))
  expect(started).toBe(20)
})
