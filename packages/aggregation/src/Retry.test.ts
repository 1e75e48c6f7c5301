import { expect, it } from 'vitest'
import { chainKind, delay, isLag, lagCodes } from './Retry.ts'

it('knows which refusals of the P-chain mean “not yet”', () => {
  const lag = [6, 11, 12, 16, 17]
  for (let code = 1; code <= 30; code += 1) expect(isLag('p-chain', code), `${code}`).toBe(lag.includes(code))
})

it('knows which refusals of an EVM chain mean “not yet”', () => {
  const lag = [1, 2, 3, 4]
  for (let code = 1; code <= 30; code += 1) expect(isLag('evm', code), `${code}`).toBe(lag.includes(code))
})

it('retries after throttling and internal failures, never after errors of the handler', () => {
  for (const kind of Object.keys(lagCodes) as (keyof typeof lagCodes)[]) {
    expect([-4, 0].map((code) => isLag(kind, code))).toEqual([true, true])
    expect([-1, -2, -3].map((code) => isLag(kind, code))).toEqual([false, false, false])
  }
})

it('recognizes the P-chain by its zero id', () => {
  expect(chainKind(new Uint8Array(32))).toBe('p-chain')
  expect(chainKind(new Uint8Array(32).fill(1, 31))).toBe('evm')
})

it('waits between 0.5 and 2 seconds, longer each time', () => {
  expect([0, 1, 2, 3, 50].map((attempt) => delay(attempt, 0, 500, 2_000))).toEqual([
    500, 1_000, 2_000, 2_000, 2_000,
  ])
  expect(delay(0, 0.999, 500, 2_000)).toBeCloseTo(749.75)
  expect(delay(9, 0.999, 500, 2_000)).toBe(2_000)
})
