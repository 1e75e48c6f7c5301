/**
 * Private keys from a mnemonic (BIP-39), as wallets such as Core derive them (BIP-32 and BIP-44).
 *
 * @packageDocumentation
 */
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { platformRandom, type RandomBytes } from './internal/random.ts'
import { KeysError } from './KeysError.ts'

/** Options of {@link privateKeys}. */
export interface Options {
  /** Secret in addition to the words (BIP-39); empty by default. */
  readonly passphrase?: string
}

const ENTROPY_BYTES = 32
/** The largest index of a child, without the bit of hardened children. */
const MAX_INDEX = 2 ** 31 - 1

/**
 * Creates a mnemonic of 24 English words. `randomBytes` defaults to the platform's random number generator.
 * @example
 * ```ts
 * import * as Mnemonic from '@firn/keys/Mnemonic'
 *
 * Mnemonic.random().split(' ').length // 24
 * ```
 */
export function random(randomBytes: RandomBytes = platformRandom): string {
  return entropyToMnemonic(randomBytes(ENTROPY_BYTES), wordlist)
}

/**
 * Returns the path of an address on the P- and X-chain: `m/44'/9000'/0'/0/index`.
 * @throws KeysError `KEYS_PATH`
 * @example
 * ```ts
 * import * as Mnemonic from '@firn/keys/Mnemonic'
 *
 * Mnemonic.avalanchePath(3) // m/44'/9000'/0'/0/3
 * ```
 */
export function avalanchePath(index = 0): string {
  return `m/44'/9000'/0'/0/${checkIndex(index)}`
}

/**
 * Returns the path of an account on the C-chain and other EVM chains: `m/44'/60'/0'/0/index`.
 * @throws KeysError `KEYS_PATH`
 * @example
 * ```ts
 * import * as Mnemonic from '@firn/keys/Mnemonic'
 *
 * Mnemonic.evmPath() // m/44'/60'/0'/0/0
 * ```
 */
export function evmPath(index = 0): string {
  return `m/44'/60'/0'/0/${checkIndex(index)}`
}

function checkIndex(index: number): number {
  if (Number.isInteger(index) && index >= 0 && index <= MAX_INDEX) return index
  throw new KeysError('KEYS_PATH', `index: expected a whole number from 0 to ${MAX_INDEX}, got ${index}`)
}

/**
 * Derives the private keys (32 bytes each) at the given paths from a mnemonic of English words, in any case. Takes some
 * tens of milliseconds, whatever the number of paths.
 *
 * @throws KeysError `KEYS_MNEMONIC`, `KEYS_PATH`
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 * import { PrivateKey, PublicKey } from '@firn/keys'
 * import * as Mnemonic from '@firn/keys/Mnemonic'
 *
 * const words = `${'test '.repeat(11)}junk`
 * const [key] = Mnemonic.privateKeys(words, [Mnemonic.avalanchePath()]) as [Uint8Array]
 * const payload = PublicKey.address(PrivateKey.publicKey(key))
 * Address.format({ chain: 'P', hrp: 'avax', payload }) // P-avax1yljhuvjkmtu0y5ls6kf4exsdd8gea9mp8jd32r
 * ```
 */
export function privateKeys(
  mnemonic: string,
  paths: readonly string[],
  { passphrase = '' }: Options = {},
): readonly Uint8Array[] {
  // Words that were engraved or stamped are in upper case.
  const words = mnemonic.trim().toLowerCase().split(/\s+/).join(' ')
  // The words are secret, so the error does not contain them.
  if (!validateMnemonic(words, wordlist))
    throw new KeysError(
      'KEYS_MNEMONIC',
      'mnemonic: expected 12 to 24 English words of BIP-39 with a correct checksum; check the words and their order',
    )
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(words, passphrase))
  return paths.map((path) => derive(root, path))
}

function derive(root: HDKey, path: string): Uint8Array {
  const indices = /^m(\/\d{1,10}'?)+$/.test(path) ? path.match(/\d+/g) : null
  const isValid = indices?.every((index) => Number(index) <= MAX_INDEX) ?? false
  const key = isValid ? root.derive(path).privateKey : null
  if (key !== null) return key
  throw new KeysError('KEYS_PATH', `expected a path such as m/44'/9000'/0'/0/0, got ${JSON.stringify(path)}`)
}
