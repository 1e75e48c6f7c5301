import { CHAIN_ALIASES, type ChainAlias, CheckedHex, Hex } from '@firn/codec'
import { type Signers, Signing } from '@firn/txs'
import { WalletError } from './WalletError.ts'

/** A fully or partly signed transaction as JSON, for signers in other processes. */
export interface DraftJson {
  readonly chain: ChainAlias
  /** The transaction in hex with a checksum, as nodes print it. Zeros replace missing signatures. */
  readonly hex: string
  /** The signers of each credential, with their addresses in hex. */
  readonly signers: readonly { readonly type: string; readonly addresses: readonly string[] }[]
}

/**
 * Returns a draft as plain JSON.
 *
 * @example
 * ```ts
 * import type { Signing } from '@firn/txs'
 * import { Drafts } from '@firn/wallet'
 *
 * declare const draft: Signing.Draft
 * const text = JSON.stringify(Drafts.toJson(draft)) // for the next signer
 * ```
 */
export function toJson(draft: Signing.Draft): DraftJson {
  return {
    chain: draft.chain,
    hex: CheckedHex.encode(Signing.encodePartial(draft)),
    signers: draft.signers.map(({ type, addresses }) => ({ type, addresses: addresses.map(Hex.encode) })),
  }
}

/**
 * Parses the JSON of {@link toJson}. Each signature in it is verified.
 *
 * @example
 * ```ts
 * import { Drafts, type Wallet } from '@firn/wallet'
 *
 * declare const text: string // from the first signer
 * declare const wallet: Wallet // of the second one
 * const signed = await wallet.sign(Drafts.fromJson(JSON.parse(text)))
 * const { txId } = await wallet.send(signed)
 * ```
 * @throws WalletError `WALLET_INPUT` if members are missing; CodecError, TxsError, KeysError if a member is malformed
 * or a signature is not by its signer
 */
export function fromJson(json: unknown): Signing.Draft {
  const { chain, hex, signers } = (json ?? {}) as Partial<Record<keyof DraftJson, unknown>>
  if (!isChain(chain) || typeof hex !== 'string' || !Array.isArray(signers) || !signers.every(isSigners))
    throw new WalletError('WALLET_INPUT', 'expected a draft with the members chain, hex and signers')
  const parsed = signers.map(({ type, addresses }) => ({
    type,
    addresses: addresses.map((address) => Hex.decodeAny(address)),
  }))
  return Signing.resume(chain, CheckedHex.decode(hex), parsed)
}

const isChain = (value: unknown): value is ChainAlias => CHAIN_ALIASES.some((alias) => alias === value)

const TYPES: readonly Signers.Signers['type'][] = ['Credential', 'NftCredential', 'PropertyCredential']

function isSigners(
  value: unknown,
): value is { readonly type: Signers.Signers['type']; readonly addresses: readonly string[] } {
  const { type, addresses } = (value ?? {}) as { readonly type?: unknown; readonly addresses?: unknown }
  return (
    TYPES.some((one) => one === type) &&
    Array.isArray(addresses) &&
    addresses.every((address) => typeof address === 'string')
  )
}
