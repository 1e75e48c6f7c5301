import { type ChainAlias, isFirnError } from '@firn/codec'
import * as AtomicTx from '../atomic/AtomicTx.ts'
import * as AvmTx from '../avm/AvmTx.ts'
import * as PlatformTx from '../platform/PlatformTx.ts'
import type * as Signers from './Signers.ts'

interface Layout {
  readonly encodeUnsigned: (tx: never) => Uint8Array
  readonly encode: (tx: never) => Uint8Array
  readonly decodeUnsigned: (bytes: Uint8Array) => unknown
  readonly decode: (bytes: Uint8Array) => {
    readonly unsignedTx: unknown
    readonly credentials: readonly unknown[]
  }
}

/** The content of a transaction, and the signatures of each of its credentials. */
export interface Parts<C extends ChainAlias = ChainAlias> {
  readonly unsignedTx: Signers.UnsignedTxs[C]
  /** Signatures of 65 bytes. Zeros replace missing ones. */
  readonly signatures: readonly (readonly Uint8Array[])[]
}

/** How the transactions of each chain are encoded, with and without credentials. */
export const LAYOUTS: { readonly [C in ChainAlias]: Layout } = { P: PlatformTx, X: AvmTx, C: AtomicTx }

/**
 * Decodes a transaction with or without credentials. Hardware wallets and custodians pass on the bytes to sign, which have
 * none.
 * @example
 * ```ts
 * import { Signing } from '@firn/txs'
 *
 * declare const bytes: Uint8Array // from a custodian
 * const { unsignedTx, signatures } = Signing.split('P', bytes)
 * console.log(unsignedTx.type, signatures.length)
 * ```
 * @throws CodecError if the bytes are neither
 */
export function split<C extends ChainAlias>(chain: C, bytes: Uint8Array): Parts<C> {
  const { decode, decodeUnsigned } = LAYOUTS[chain]
  const { unsignedTx, credentials } = decodeEither(
    () => decode(bytes),
    () => ({ unsignedTx: decodeUnsigned(bytes), credentials: [] }),
  )
  const signatures = (credentials as readonly { readonly signatures?: readonly Uint8Array[] }[]).map(
    (credential) => credential.signatures ?? [],
  )
  return { unsignedTx: unsignedTx as Signers.UnsignedTxs[C], signatures }
}

/** Returns the first result, or the second one if the first one rejects the bytes. Throws the first error if both do. */
function decodeEither<T>(first: () => T, second: () => T): T {
  try {
    return first()
  } catch (error) {
    if (!isFirnError(error)) throw error
    try {
      return second()
    } catch (other) {
      throw isFirnError(other) ? error : other
    }
  }
}
