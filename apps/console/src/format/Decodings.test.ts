import { expect, test } from 'vitest'
import { sourceText, valueText } from './Decodings.ts'

const contract = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'

test.each([
  [{ kind: 'standard' }, 'A guess from common standards: the source of the contract is not verified.'],
  [{ kind: 'selectors' }, 'A guess from a list of signatures: the source of the contract is not verified.'],
  [
    { kind: 'exact', contract, contractName: 'Coin' },
    `Decoded by the verified source of ${contract} (Coin).`,
  ],
  [
    { kind: 'partial', contract },
    `Decoded by the source that is verified except for its metadata, of ${contract}.`,
  ],
  [
    {
      kind: 'exact',
      contract,
      proxy: { kind: 'EIP-1967', implementation: contract, basis: 'event', blockNumber: '7' },
    },
    `Decoded by the verified source of ${contract}, the implementation of the proxy since its upgrade in block 7.`,
  ],
  [
    { kind: 'exact', contract, proxy: { kind: 'EIP-1822', implementation: contract, basis: 'reading' } },
    `Decoded by the verified source of ${contract}, the implementation of the proxy, as first read from it.`,
  ],
] as const)('tells the source %o in words', (source, text) => {
  expect(sourceText(source)).toBe(text)
})

test('writes values as they are, and texts in lists with quotes', () => {
  expect(valueText('115792089237316195423570985008687907853269984665640564039457584007913129639935')).toMatch(
    /^\d{78}$/,
  )
  expect(valueText(true)).toBe('true')
  expect(valueText([])).toBe('[]')
  expect(valueText([['1', '0xAb'], 'a",\n  "b', true])).toBe(
    '[\n  [\n    1,\n    0xAb\n  ],\n  "a\\",\\n  \\"b",\n  true\n]',
  )
})
