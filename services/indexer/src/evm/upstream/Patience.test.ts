import { expect, it } from 'vitest'
import { createPatience } from './Patience.ts'

const trace = (height: number) => ({ method: 'debug_traceBlockByNumber', params: [`0x${height}`] })
const header = { method: 'eth_getBlockByNumber', params: ['0x1', false] }

const setUp = (mostMs = 240_000) => {
  let now = 0
  const patience = createPatience({ now: () => now, firstMs: 15_000, mostMs })
  return { patience, advance: (ms: number) => (now += ms) }
}

it('gives a single request for traces 15 seconds, then a minute, then four', () => {
  const { patience } = setUp()
  const limits = [0, 1, 2, 3].map(() => {
    const limit = patience.limitMs([trace(1)])
    patience.late([trace(1)])
    return limit
  })
  expect(limits).toEqual([15_000, 60_000, 240_000, 240_000])
  expect(patience.limitMs([header])).toBeUndefined()
})

it('never exceeds the given maximum', () => {
  const { patience } = setUp(20_000)
  patience.late([trace(1)])
  expect(patience.limitMs([trace(1)])).toBe(20_000)
  expect(setUp(5_000).patience.limitMs([trace(1)])).toBe(5_000)
})

it('requests the traces of each block alone after a request for several came too late', () => {
  const { patience } = setUp()
  const calls = [header, header, trace(1), trace(2)]
  expect(patience.fitting(calls)).toBe(4)
  patience.late(calls)
  expect([calls, calls.slice(2), calls.slice(3)].map((rest) => patience.fitting(rest))).toEqual([2, 1, 1])
})

it('says how long traces that were given up may still run', () => {
  const { patience, advance } = setUp()
  patience.late([trace(1)])
  expect(patience.runningMs([trace(1), header])).toBe(45_000)
  expect(patience.runningMs([trace(2), header])).toBe(0)
  advance(40_000)
  expect(patience.runningMs([trace(1)])).toBe(5_000)
  advance(10_000)
  expect(patience.runningMs([trace(1)])).toBe(0)
  for (let i = 0; i < 2; i++) patience.late([trace(1)])
  expect(patience.runningMs([trace(1)])).toBe(240_000)
})

it('returns to the first limit after many quick answers', () => {
  const { patience } = setUp()
  patience.late([trace(1)])
  patience.answered([trace(1)], 20_000)
  expect([patience.runningMs([trace(1)]), patience.limitMs([trace(1)])]).toEqual([0, 60_000])
  for (let i = 0; i < 128; i++) patience.answered([trace(i)], 100)
  expect(patience.limitMs([trace(1)])).toBe(15_000)
  expect(patience.fitting([trace(1), trace(2)])).toBe(2)
})

it('gives traces up after the last limit, and after the first one while traces of another block are missing', () => {
  const { patience } = setUp()
  for (const isLast of [false, false, true]) {
    patience.late([trace(1)])
    expect(patience.isGivenUp(trace(1))).toBe(isLast)
  }
  expect(patience.limitMs([trace(2)], 'first')).toBe(15_000)
  patience.late([trace(2), trace(3)], 'first')
  expect(patience.isGivenUp(trace(2))).toBe(false)
  patience.late([trace(2)], 'first')
  expect([trace(2), trace(3)].map(patience.isGivenUp)).toEqual([true, false])
  expect(patience.runningMs([trace(2)])).toBe(240_000)
  patience.answered([trace(2)], 200_000)
  expect(patience.isGivenUp(trace(2))).toBe(false)
})

it('gives traces that are filled in later the longest limit, alone, and leaves the limit of others as it is', () => {
  const { patience } = setUp()
  expect(patience.limitMs([trace(1)], 'longest')).toBe(240_000)
  expect(patience.fitting([header, trace(1)], 'longest')).toBe(1)
  patience.late([trace(1)], 'longest')
  expect(patience.isGivenUp(trace(1))).toBe(true)
  expect(patience.runningMs([trace(1)])).toBe(240_000)
  expect(patience.limitMs([trace(2)])).toBe(15_000)
})
