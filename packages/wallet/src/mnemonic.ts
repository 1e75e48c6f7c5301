/**
 * A signer with the keys of a mnemonic. It is apart from the wallet, because the list of words is large.
 *
 * @packageDocumentation
 */
import { PrivateKey } from '@firn/keys'
import * as Mnemonic from '@firn/keys/Mnemonic'
import { keySigner, type Signer } from './Signer.ts'

/** Options of {@link mnemonicSigner}. */
export interface MnemonicOptions extends Mnemonic.Options {
  /** Number of addresses on the P- and X-chain; default 1. */
  readonly addresses?: number
}

/**
 * Returns a signer with the keys that wallets such as Core derive from a mnemonic: the first addresses on the P- and
 * X-chain (`m/44'/9000'/0'/0/i`), and the first account on the C-chain (`m/44'/60'/0'/0/0`).
 *
 * @example
 * ```ts
 * import { createWallet } from '@firn/wallet'
 * import { mnemonicSigner } from '@firn/wallet/mnemonic'
 *
 * declare const words: string // of a wallet
 * const wallet = createWallet({ network: 'fuji', signer: mnemonicSigner(words) })
 * ```
 * @throws KeysError `KEYS_MNEMONIC`, `KEYS_PATH`
 */
export function mnemonicSigner(
  mnemonic: string,
  { addresses = 1, ...options }: MnemonicOptions = {},
): Signer {
  const indices = Array.from({ length: addresses }, (_, index) => index)
  const paths = [...indices.map(Mnemonic.avalanchePath), Mnemonic.evmPath()]
  const keys = Mnemonic.privateKeys(mnemonic, paths, options)
  return { ...keySigner(keys), accountKeys: keys.slice(-1).map(PrivateKey.publicKey) }
}
