import { Bytes, Hex } from '@firn/codec'
import { PrivateKey, PublicKey, Signature } from '@firn/keys'
import { Signing } from '@firn/txs'
import { WalletError } from './WalletError.ts'

/** Signs transactions. Its keys may be in this process, on a device or in another program. */
export interface Signer {
  /** Compressed public keys (33 bytes each). The wallet's addresses are derived from them. */
  readonly publicKeys: readonly Uint8Array[]
  /** Compressed public keys of the accounts on the C-chain. Default: `publicKeys`. */
  readonly accountKeys?: readonly Uint8Array[]
  /** Returns the draft with the signatures that the keys can add. */
  sign(draft: Signing.Draft, signal?: AbortSignal): Promise<Signing.Draft>
  /**
   * Returns the signature (65 bytes: r, s and v as 0 or 1) of a hash by an account of the C-chain (20 bytes). Only
   * transfers on the C-chain need it.
   */
  signHash?(hash: Uint8Array, account: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>
}

/** An account that signs hashes, such as a local account of viem. */
export interface HashAccount {
  /** Uncompressed or compressed public key in hex. */
  readonly publicKey: `0x${string}`
  /** Returns the recoverable signature of a hash: r, s and v, in hex. */
  sign(request: { readonly hash: `0x${string}` }): Promise<`0x${string}`>
}

/**
 * Returns a signer with private keys in this process: `PrivateKey-…`, or 32 bytes.
 *
 * @example
 * ```ts
 * import { createWallet, keySigner } from '@firn/wallet'
 *
 * declare const key: string // PrivateKey-…
 * const wallet = createWallet({ url: 'http://127.0.0.1:9650', signer: keySigner([key]) })
 * ```
 * @throws KeysError `KEYS_PRIVATE_KEY`
 */
export function keySigner(keys: readonly (string | Uint8Array)[]): Signer {
  const parsed = keys.map((key) => (typeof key === 'string' ? PrivateKey.parse(key) : PrivateKey.decode(key)))
  return {
    publicKeys: parsed.map((key) => PrivateKey.publicKey(key)),
    sign: async (draft) => Signing.sign(draft, parsed),
    async signHash(hash, account) {
      const key = parsed.find((one) => Bytes.equals(PublicKey.evmAddress(PrivateKey.publicKey(one)), account))
      if (key === undefined) throw new WalletError('WALLET_INPUT', 'expected an account of the signer')
      return Signature.sign(hash, key)
    },
  }
}

/**
 * Returns a signer with the key of an account that signs hashes, such as viem's `privateKeyToAccount`.
 *
 * @example
 * ```ts
 * import { accountSigner, createWallet, type HashAccount } from '@firn/wallet'
 *
 * declare const account: HashAccount // viem's privateKeyToAccount(…)
 * const wallet = createWallet({ url: 'http://127.0.0.1:9650', signer: accountSigner(account) })
 * ```
 * @throws WalletError `WALLET_INPUT` if the public key is malformed
 */
export function accountSigner(account: HashAccount): Signer {
  const publicKey = compressed(Hex.decode(account.publicKey))
  const addresses = [PublicKey.address(publicKey), PublicKey.evmAddress(publicKey)]
  const signHash = async (hash: Uint8Array) =>
    recoverable(Hex.decode(await account.sign({ hash: Hex.encode(hash) })))
  return {
    publicKeys: [publicKey],
    async sign(draft) {
      const isNeeded = Signing.missing(draft).some((missing) =>
        addresses.some((address) => Bytes.equals(address, missing)),
      )
      if (!isNeeded) return draft
      return Signing.attach(draft, await signHash(Signing.hash(draft)))
    },
    signHash,
  }
}

/** A provider of a browser wallet (EIP-1193), such as `window.avalanche` of Core. */
export interface Provider {
  request(args: { readonly method: string; readonly params?: unknown }): Promise<unknown>
}

/**
 * Returns a signer with the active account of a browser wallet. The wallet must have Core's methods
 * `avalanche_getAccountPubKey` and `avalanche_signTransaction`; it shows each transaction to its user.
 *
 * @example
 * ```ts
 * import { createWallet, type Provider, providerSigner } from '@firn/wallet'
 *
 * declare const provider: Provider // window.avalanche
 * const wallet = createWallet({ network: 'fuji', signer: await providerSigner(provider) })
 * ```
 * @throws WalletError `WALLET_INPUT` if the wallet returns no public keys; the provider's errors, such as the rejection
 * by its user
 */
export async function providerSigner(provider: Provider): Promise<Signer> {
  const keys = await provider.request({ method: 'avalanche_getAccountPubKey', params: [] })
  const { xp, evm } = (keys ?? {}) as { readonly xp?: unknown; readonly evm?: unknown }
  if (typeof xp !== 'string' || typeof evm !== 'string')
    throw new WalletError('WALLET_INPUT', 'expected the public keys xp and evm from the provider')
  const [own, account] = [xp, evm].map((key) => compressed(Hex.decodeAny(key))) as [Uint8Array, Uint8Array]
  return {
    publicKeys: Bytes.equals(own, account) ? [own] : [own, account],
    accountKeys: [account],
    async sign(draft) {
      const isSigned = draft.signatures.some((list) => list.some((signature) => signature !== null))
      // Core accepts transactions with and without credentials, and fetches their UTXOs.
      const bytes = isSigned ? Signing.encodePartial(draft) : Signing.unsignedBytes(draft)
      const params = { transactionHex: Hex.encode(bytes), chainAlias: draft.chain }
      const answer = await provider.request({ method: 'avalanche_signTransaction', params })
      const { signatures } = (answer ?? {}) as { readonly signatures?: unknown }
      if (!Array.isArray(signatures))
        throw new WalletError('WALLET_INPUT', 'expected a list of signatures from the provider')
      return signatures.reduce<Signing.Draft>(
        (signed, { signature }) => Signing.attach(signed, recoverable(Hex.decodeAny(String(signature)))),
        draft,
      )
    },
  }
}

/** Returns a signature with v as 0 or 1, which Ethereum's accounts write as 27 or 28. */
function recoverable(signature: Uint8Array): Uint8Array {
  const made = Uint8Array.from(signature)
  const v = made[64] ?? 0
  made[64] = v >= 27 ? v - 27 : v
  return made
}

const COMPRESSED = 33
const UNCOMPRESSED = 65

function compressed(publicKey: Uint8Array): Uint8Array {
  if (publicKey.length === COMPRESSED) return publicKey
  if (publicKey.length === UNCOMPRESSED) {
    const isOdd = ((publicKey[UNCOMPRESSED - 1] ?? 0) & 1) === 1
    return Bytes.concat(Uint8Array.of(isOdd ? 3 : 2), publicKey.subarray(1, COMPRESSED))
  }
  throw new WalletError(
    'WALLET_INPUT',
    `publicKey: expected 33 or 65 bytes in hex, got ${publicKey.length} bytes`,
  )
}
