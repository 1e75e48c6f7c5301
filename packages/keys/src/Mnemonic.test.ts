import { Address } from '@firn/codec'
import { describe, expect, it, test } from 'vitest'
import * as EvmAddress from './EvmAddress.ts'
import { KeysError } from './KeysError.ts'
import * as Mnemonic from './Mnemonic.ts'
import * as PrivateKey from './PrivateKey.ts'
import * as PublicKey from './PublicKey.ts'

/** The mnemonic of the tests of ava-labs/avalanche-wallet-sdk, and addresses that its tests expect. */
const WORDS =
  'chimney noodle canyon tunnel sample stuff scan symbol sight club net own arrive cause suffer purity manage squirrel boost diesel bring cement father slide'
const EXTERNAL = [
  [0, 'X-avax19v8flm9qt2gv2tctztjjerlgs4k3vgjsfw8udh'],
  [1, 'X-avax1vu6mxvgjc5yxevfm0hkz7gldaakeatw5qnuwtw'],
  [31, 'X-avax17xx3j0sy32lvn4jlrzqmam2djp4ykp8uvgk3c6'],
] as const
const INTERNAL = 'X-avax1fp5jw95s3s0sgylt5yvegpu03k5aggtypgpe02'
/** The mnemonic of Hardhat's accounts, whose first account is well known. */
const JUNK = `${'test '.repeat(11)}junk`

const publicKeyAt = (words: string, path: string, options?: Mnemonic.Options) => {
  const [key] = Mnemonic.privateKeys(words, [path], options) as [Uint8Array]
  return PrivateKey.publicKey(key)
}

const addressAt = (words: string, path: string, options?: Mnemonic.Options) =>
  Address.format({ chain: 'X', hrp: 'avax', payload: PublicKey.address(publicKeyAt(words, path, options)) })

const codeOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error instanceof KeysError ? [error.code, error.message] : error
  }
  return undefined
}

describe('privateKeys', () => {
  test.each(EXTERNAL)('derives address %i of a wallet', (index, address) => {
    expect(addressAt(WORDS, Mnemonic.avalanchePath(index))).toBe(address)
  })

  it('derives change addresses, whose path differs', () => {
    expect(addressAt(WORDS, "m/44'/9000'/0'/1/0")).toBe(INTERNAL)
  })

  it('derives the accounts of EVM wallets', () => {
    const account = EvmAddress.format(PublicKey.evmAddress(publicKeyAt(JUNK, Mnemonic.evmPath())))
    expect(account).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(addressAt(JUNK, Mnemonic.avalanchePath())).toBe('X-avax1yljhuvjkmtu0y5ls6kf4exsdd8gea9mp8jd32r')
  })

  it('returns one key for each path', () => {
    const paths = [Mnemonic.avalanchePath(1), Mnemonic.evmPath(), Mnemonic.avalanchePath(1)]
    const [first, second, third] = Mnemonic.privateKeys(JUNK, paths)
    expect(first).toEqual(third)
    expect(first).not.toEqual(second)
  })

  it('ignores additional white space between words', () => {
    const path = Mnemonic.avalanchePath()
    expect(addressAt(` ${WORDS.replaceAll(' ', '\n ')}\n`, path)).toBe(EXTERNAL[0][1])
  })

  it('accepts words in upper case', () => {
    const words = `${'test '.repeat(11)}junk`
    const paths = [Mnemonic.avalanchePath()]
    expect(Mnemonic.privateKeys(words.toUpperCase(), paths)).toEqual(Mnemonic.privateKeys(words, paths))
  })

  it('derives other keys with a passphrase', () => {
    const path = Mnemonic.avalanchePath()
    expect(addressAt(WORDS, path, { passphrase: 'secret' })).not.toBe(EXTERNAL[0][1])
    expect(addressAt(WORDS, path, { passphrase: '' })).toBe(EXTERNAL[0][1])
  })

  test.each([
    ['a wrong checksum', WORDS.replace('slide', 'club')],
    ['an unknown word', WORDS.replace('slide', 'avalanche')],
    ['a missing word', WORDS.replace(' slide', '')],
    ['no words', ''],
  ])('rejects %s, without the words in the error', (_name, words) => {
    const [code, message] = codeOf(() => Mnemonic.privateKeys(words, [])) as string[]
    expect(code).toBe('KEYS_MNEMONIC')
    expect(message).not.toMatch(/chimney|avalanche/)
  })

  test.each(['', 'm', "44'/9000'", "m/44'/x", 'm/2147483648', 'm//0', "m/44''", 'm/-1'])(
    'rejects the path %j',
    (path) => {
      expect(codeOf(() => Mnemonic.privateKeys(JUNK, [path]))).toEqual(['KEYS_PATH', expect.any(String)])
    },
  )
})

test.each([-1, 1.5, 2 ** 31, Number.NaN])('rejects the index %d', (index) => {
  expect(codeOf(() => Mnemonic.avalanchePath(index))).toEqual(['KEYS_PATH', expect.any(String)])
  expect(codeOf(() => Mnemonic.evmPath(index))).toEqual(['KEYS_PATH', expect.any(String)])
})

describe('random', () => {
  it('creates 24 words from 32 random bytes', () => {
    const words = Mnemonic.random(() => new Uint8Array(32))
    expect(words).toBe(`${'abandon '.repeat(23)}art`)
    expect(Mnemonic.privateKeys(Mnemonic.random(), [Mnemonic.evmPath()])).toHaveLength(1)
  })
})
