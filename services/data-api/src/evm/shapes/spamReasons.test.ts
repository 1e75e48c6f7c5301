import { describe, expect, test } from 'vitest'
import { type Suspect, spamReasons } from './spamReasons.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const NATIVE = { name: 'Avalanche', symbol: 'AVAX' }

function reasons(name: string, symbol: string, more: Partial<Suspect> & { readonly standard?: number } = {}) {
  const { standard = 20, ...rest } = more
  const contract = { standard, name: bytes(name), symbol: bytes(symbol) }
  return spamReasons({ contract, native: NATIVE, reach: undefined, reputation: undefined, ...rest })
}

describe('spamReasons', () => {
  test.each([
    ['USD Coin', 'USDC'],
    ['Wrapped AVAX', 'WAVAX'],
    ['TetherToken', 'USDt'],
    ['USD₮0', 'USD₮0'],
    ['Bitcoin', 'BTC.b'],
    ['Dai Stablecoin', 'DAI.e'],
    ['yearn.finance', 'YFI'],
    ['DALmatian', 'DAL'],
    ['Ether.fi', 'ETHFI'],
    ['Joe Token', 'JOE'],
    ['Φ Network', 'ΦΩ'],
    ['日本円', '円'],
    ['👩‍👩‍👧‍👦 Family', '❤️‍🔥'],
    ['', ''],
    ['Version 1.2.3 of e.g. this', 'V1.0'],
  ])('finds nothing wrong with %s (%s)', (name, symbol) => {
    expect(reasons(name, symbol)).toEqual([])
  })

  test.each([
    ['Avalanche', 'XYZ', 'NATIVE_NAME'],
    ['Snow', ' avax ', 'NATIVE_NAME'],
    ['USD Coin', 'USDС', 'LOOKALIKE_NAME'],
    ['Snow', 'АVАХ', 'LOOKALIKE_NAME'],
    ['Snow', 'U5DC', 'LOOKALIKE_NAME'],
    ['Snow', 'USD\u0301C', 'LOOKALIKE_NAME'],
    ['Snow', 'ＵＳＤＣ', 'LOOKALIKE_NAME'],
    ['Snow', 'LlNK', 'LOOKALIKE_NAME'],
    ['Visit https://example.org', 'X', 'URL_IN_NAME'],
    ['Snow', 'claim-usdc.com', 'URL_IN_NAME'],
    ['$ 1000 at www.snow', 'X', 'URL_IN_NAME'],
    ['t.me/snow', 'X', 'URL_IN_NAME'],
    ['Snow', 'X\u200B', 'HIDDEN_CHARACTERS'],
    ['\u202ESnow', 'X', 'HIDDEN_CHARACTERS'],
    ['Snow\u3164', 'X', 'HIDDEN_CHARACTERS'],
  ])('says of %s (%s): %s', (name, symbol, reason) => {
    expect(reasons(name, symbol)).toEqual([reason])
  })

  test('takes NFTs with the name of the native token as they are', () => {
    expect(reasons('Avalanche', 'AVAX', { standard: 721 })).toEqual([])
  })

  test('finds airdrops by the share of transfers that nobody requested', () => {
    const of = (airdropped: bigint, others: bigint) =>
      reasons('Snow', 'SNOW', { reach: { airdropped, others } })
    expect(of(99n, 0n)).toEqual([])
    expect(of(100n, 0n)).toEqual(['UNREQUESTED_AIRDROP'])
    expect(of(900n, 100n)).toEqual(['UNREQUESTED_AIRDROP'])
    expect(of(900n, 101n)).toEqual([])
  })

  test('believes the operator', () => {
    expect(reasons('Snow', 'U5DC', { reputation: 'Benign' })).toEqual([])
    expect(reasons('Snow', 'SNOW', { reputation: 'Malicious' })).toEqual(['REPORTED'])
  })

  test.each([
    ['a'.repeat(100_000)],
    ['a-'.repeat(50_000)],
    [`${'a.'.repeat(50_000)}com`],
    ['👩‍'.repeat(20_000)],
    ['\u0301'.repeat(100_000)],
    ['\uFDFA'.repeat(50_000)],
  ])('reads a limited part of long hostile names', (text) => {
    expect(reasons(text, text)).toBeInstanceOf(Array)
  })
})
