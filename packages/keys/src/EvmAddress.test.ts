import { Hex } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import { EvmAddress } from './index.ts'
import { codeOf } from './testing/vectors.ts'

// These are the examples from ERC-55.
const CHECKSUMMED = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
]

describe('EvmAddress', () => {
  it.each(CHECKSUMMED)('formats and parses the address %s', (text) => {
    expect(EvmAddress.format(EvmAddress.parse(text))).toBe(text)
    expect(EvmAddress.parse(text.toLowerCase())).toEqual(Hex.decode(text.toLowerCase()))
    expect(EvmAddress.parse(`0x${text.slice(2).toUpperCase()}`)).toEqual(Hex.decode(text.toLowerCase()))
  })

  it.each([
    ['a changed letter case', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['no prefix', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['an uppercase prefix', '0X52908400098527886E0F7030069857D2E4169EE7'],
    ['39 digits', '0x52908400098527886E0F7030069857D2E4169EE'],
    ['41 digits', '0x52908400098527886E0F7030069857D2E4169EE7a'],
    ['a letter that is not a hex digit', '0x5290840009852788GE0F7030069857D2E4169EE7'],
    ['no characters', ''],
  ])('rejects an address with %s', (_name, text) => {
    expect(codeOf(() => EvmAddress.parse(text))).toBe('KEYS_EVM_ADDRESS')
  })

  it('refuses to format an address of 19 bytes', () => {
    expect(codeOf(() => EvmAddress.format(new Uint8Array(19)))).toBe('KEYS_EVM_ADDRESS')
  })
})
