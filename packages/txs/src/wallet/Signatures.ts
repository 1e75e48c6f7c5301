import { Bytes, type ChainAlias, Hex, isFirnError } from '@firn/codec'
import { PublicKey, Signature } from '@firn/keys'
import * as Signers from './Signers.ts'
import * as Signing from './Signing.ts'

/** A signature that a transaction needs, or has without need. */
export interface Place {
  /** Address (20 bytes) that must sign; undefined if it is not known or no signature is needed. */
  readonly expected: Uint8Array | undefined
  /** Address (20 bytes) that has signed; undefined if the signature is missing or malformed. */
  readonly actual: Uint8Array | undefined
  /** `stranger`: the signature is not by the address that must sign, or is not needed. */
  readonly state: 'signed' | 'missing' | 'stranger' | 'malformed'
}

/** Who has signed a transaction. Addresses are text, each of them once. */
export interface Signatures {
  readonly signedBy: readonly string[]
  /** Addresses that have not signed, as far as they are known. */
  readonly missing: readonly string[]
  /** Number of missing signatures whose signers are not known, because the UTXOs or the authority are not. */
  readonly missingUnknown: number
  /** Addresses that have signed, although their signatures are not needed where they are. */
  readonly strangers: readonly string[]
  /** Number of values that are no signatures. */
  readonly malformed: number
}

/** The signers as far as they are known: by the UTXOs and the authority, or for each signature of each credential. */
export type Known =
  | Partial<Signers.Known>
  | { readonly expected: readonly (readonly (Uint8Array | undefined)[])[] }

/**
 * Returns the signatures that a transaction needs and has, by credential. Their signers are recovered from the signatures.
 * @param bytes the transaction with or without credentials
 * @example
 * ```ts
 * import { Signatures } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * const missing = Signatures.places('P', bytes).flat().filter(({ state }) => state === 'missing').length
 * ```
 * @throws CodecError if the bytes are malformed; TxsError `TXS_EMPTY` if an operation spends no UTXO
 */
export function places<C extends ChainAlias>(
  chain: C,
  bytes: Uint8Array,
  known: Known = {},
): (readonly Place[])[] {
  const { unsignedTx, signatures } = Signing.split(chain, bytes)
  const expected =
    'expected' in known ? known.expected : Signers.find(chain, unsignedTx, { utxos: [], ...known })
  const hash = Signing.hash({ chain, unsignedTx, signers: [], signatures: [] })
  const { addressOf } = Signers.formatted(chain, unsignedTx)
  const recovered = new Map<string, Uint8Array | undefined>()
  const recover = (signature: Uint8Array): Uint8Array | undefined => {
    const key = Hex.encodeBare(signature)
    if (!recovered.has(key)) recovered.set(key, publicKeyOf(hash, signature))
    return recovered.get(key)
  }
  const place = (must: Uint8Array | undefined, isNeeded: boolean, signature?: Uint8Array): Place => {
    if (signature === undefined || Bytes.isZero(signature))
      return { expected: must, actual: undefined, state: 'missing' }
    const publicKey = recover(signature)
    if (publicKey === undefined) return { expected: must, actual: undefined, state: 'malformed' }
    if (must !== undefined && isOf(publicKey, must)) return { expected: must, actual: must, state: 'signed' }
    const isUnknown = must === undefined && isNeeded
    return { expected: must, actual: addressOf(publicKey), state: isUnknown ? 'signed' : 'stranger' }
  }
  return Array.from({ length: Math.max(expected.length, signatures.length) }, (_, i) => {
    const [needed, given] = [expected[i] ?? [], signatures[i] ?? []]
    return Array.from({ length: Math.max(needed.length, given.length) }, (_place, j) =>
      place(needed[j], j < needed.length, given[j]),
    )
  })
}

/**
 * Returns who has signed a transaction, whose signatures are missing, and whose are not needed.
 * @param bytes the transaction with or without credentials
 * @example
 * ```ts
 * import { type PlatformUtxo, Signatures } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * declare const utxos: readonly PlatformUtxo.PlatformUtxo[] // that the transaction spends
 * const { signedBy, missing } = Signatures.of('P', bytes, { utxos })
 * console.log(`signed by ${signedBy.join()}, not by ${missing.join()}`)
 * ```
 * @throws CodecError if the bytes are malformed; TxsError `TXS_EMPTY` if an operation spends no UTXO
 */
export function of<C extends ChainAlias>(chain: C, bytes: Uint8Array, known: Known = {}): Signatures {
  const { format } = Signers.formatted(chain, Signing.split(chain, bytes).unsignedTx)
  const all = places(chain, bytes, known).flat()
  const names = (state: Place['state'], which: 'expected' | 'actual') => {
    const found = all.flatMap((one) => (one.state === state && one[which] !== undefined ? [one[which]] : []))
    return [...new Set(found.map(format))]
  }
  return {
    signedBy: names('signed', 'actual'),
    missing: names('missing', 'expected'),
    missingUnknown: all.filter((one) => one.state === 'missing' && one.expected === undefined).length,
    strangers: names('stranger', 'actual'),
    malformed: all.filter(({ state }) => state === 'malformed').length,
  }
}

function publicKeyOf(hash: Uint8Array, signature: Uint8Array): Uint8Array | undefined {
  try {
    return Signature.recover(hash, signature)
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}

function isOf(publicKey: Uint8Array, address: Uint8Array): boolean {
  return [PublicKey.address(publicKey), PublicKey.evmAddress(publicKey)].some((one) =>
    Bytes.equals(one, address),
  )
}
