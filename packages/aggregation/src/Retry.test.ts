import { expect, it } from 'vitest'
import { chainKind, delay, isLag, lagCodes } from './Retry.ts'

it('classifies the error codes of the P-chain that mean “not yet”', () => {
  const lag = [6, 11, 12, 16, 17]
  for (let code = 1; code <= 30; code += 1) expect(isLag('p-chain', code), `${code}`).toBe(lag.includes(code))
})

it('classifies the error codes of EVM chains that mean “not yet”', () => {
  const lag = [1, 2, 3, 4]
  for (let code = 1; code <= 30; code += 1) expect(isLag('evm', code), `${code}`).toBe(lag.includes(code))
})

it('retries after throttling and internal errors, but never after errors of the handler itself', () => {
  for (const kind of Object.keys(lagCodes) as (keyof typeof lagCodes)[]) {
    expect([-4, 0].map((code) => isLag(kind, code))).toEqual([true, true])
    expect([-1, -2, -3].map((code) => isLag(kind, code))).toEqual([false, false, false])
  }
})

it('recognizes the P-chain by the all-zero chain id', () => {
  expect(chainKind(new Uint8Array(32))).toBe('p-chain')
  expect(chainKind(new Uint8Array(32).fill(1, 31))).toBe('evm')
})

it('doubles the retry delay from 0.5 to 2 seconds', () => {
  expect([0, 1, 2, 3, 50].map((attempt) => delay(attempt, 0, 500, 2_000))).toEqual([
    500, 1_000, 2_000, 2_000, 2_000,
  ])
  expect(delay(0, 0.999, 500, 2_000)).toBeCloseTo(749.75)
  expect(delay(9, 0.999, 500, 2_000)).toBe(2_000)
})
