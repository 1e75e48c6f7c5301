import { expect, it } from 'vitest'
import { chainKind, isLag, lagCodes } from './Retry.ts'

it('classifies the error codes of the P-chain that mean “not yet”', () => {
  const lag = [6, 11, 12, 14, 16, 17]
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
