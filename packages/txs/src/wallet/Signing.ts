import { Bytes, type ChainAlias, Hex, Id } from '@firn/codec'
import { PrivateKey, PublicKey, Signature } from '@firn/keys'
import { TxsError } from '../TxsError.ts'
import * as Signers from './Signers.ts'
import { LAYOUTS, split } from './split.ts'

export { type Parts, split } from './split.ts'

/** A built transaction with its signers and the signatures so far. */
export interface Draft<C extends ChainAlias = ChainAlias> {
  readonly chain: C
  readonly unsignedTx: Signers.UnsignedTxs[C]
  /** The signers of each credential. */
  readonly signers: readonly Signers.Signers[]
  /**
   * The signatures of each credential, parallel to its signers' addresses; `null` marks a missing signature.
   */
  readonly signatures: readonly (readonly (Uint8Array | null)[])[]
}

/** Placeholder for a missing signature in encoded bytes. */
const NONE = new Uint8Array(Signature.LENGTH)

/**
 * Creates the draft of a transaction without signatures.
 * @example
 * ```ts
 * import { type PlatformUtxo, Signing, type UnsignedTx } from '@firn/txs'
 *
 * declare const tx: UnsignedTx.UnsignedTx
 * declare const utxos: readonly PlatformUtxo.PlatformUtxo[]
 * declare const key: Uint8Array // 32 bytes
 * const draft = Signing.create('P', tx, { utxos })
 * const signed = Signing.sign(draft, [key])
 * ```
 * @throws TxsError the errors of {@link Signers.of}
 */
export function create<C extends ChainAlias>(
  chain: C,
  unsignedTx: Signers.UnsignedTxs[C],
  known: Signers.Known,
): Draft<C> {
  const signers = Signers.of(chain, unsignedTx, known)
  return { chain, unsignedTx, signers, signatures: signers.map(({ addresses }) => addresses.map(() => null)) }
}

/**
 * Returns the bytes to sign; signatures are over their SHA-256.
 * @example
 * ```ts
 * import { Signing } from '@firn/txs'
 *
 * declare const draft: Signing.Draft
 * const bytes = Signing.unsignedBytes(draft) // a device may show and hash them itself
 * ```
 */
export function unsignedBytes({ chain, unsignedTx }: Draft): Uint8Array {
  return LAYOUTS[chain].encodeUnsigned(unsignedTx as never)
}

/**
 * Returns the hash (32 bytes) that signers sign: the SHA-256 of {@link unsignedBytes}.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { Signing } from '@firn/txs'
 *
 * declare const draft: Signing.Draft
 * console.log(Hex.encode(Signing.hash(draft))) // to sign on another device
 * ```
 */
export function hash(draft: Draft): Uint8Array {
  return Id.hash(unsignedBytes(draft))
}

/**
 * Returns the draft with a signature (65 bytes: r, s and v) that was made elsewhere, at every place where its signer is
 * needed. The signer is recovered from the signature.
 * @example
 * ```ts
 * import { Signing } from '@firn/txs'
 *
 * declare const draft: Signing.Draft
 * declare const signature: Uint8Array // of Signing.hash(draft), by another device
 * const signed = Signing.attach(draft, signature)
 * ```
 * @throws TxsError `TXS_SIGNATURE` if the draft needs no signature of the signer; KeysError if the signature is malformed
 */
export function attach<C extends ChainAlias>(draft: Draft<C>, signature: Uint8Array): Draft<C> {
  const publicKey = Signature.recover(hash(draft), signature)
  const own = [PublicKey.address(publicKey), PublicKey.evmAddress(publicKey)]
  const isOwn = (address: Uint8Array) => own.some((one) => Bytes.equals(one, address))
  if (!draft.signers.some(({ addresses }) => addresses.some(isOwn))) {
    const actual = Hex.encode(PublicKey.address(publicKey))
    throw new TxsError('TXS_SIGNATURE', `the transaction needs no signature by ${actual}`, {
      details: { actual },
    })
  }
  const signatures = draft.signers.map(({ addresses }, i) =>
    addresses.map((address, j) => draft.signatures[i]?.[j] ?? (isOwn(address) ? signature : null)),
  )
  return { ...draft, signatures }
}

/**
 * Returns the draft with the signatures that private keys (32 bytes each) can add. Keeps existing signatures,
 * and ignores keys that are not needed.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { Signing } from '@firn/txs'
 *
 * declare const draft: Signing.Draft
 * declare const key: Uint8Array // 32 bytes
 * const signed = Signing.sign(draft, [key])
 * if (Signing.missing(signed).length === 0) console.log(Hex.encode(Signing.encode(signed)))
 * ```
 * @throws KeysError `KEYS_PRIVATE_KEY`
 */
export function sign<C extends ChainAlias>(draft: Draft<C>, keys: readonly Uint8Array[]): Draft<C> {
  const byAddress = new Map<string, Uint8Array>()
  for (const key of keys) {
    const publicKey = PrivateKey.publicKey(key)
    byAddress.set(Hex.encodeBare(PublicKey.address(publicKey)), key)
    byAddress.set(Hex.encodeBare(PublicKey.evmAddress(publicKey)), key)
  }
  const signed = hash(draft)
  const made = new Map<Uint8Array, Uint8Array>()
  const signatureOf = (address: Uint8Array): Uint8Array | null => {
    const key = byAddress.get(Hex.encodeBare(address))
    if (key === undefined) return null
    const signature = made.get(key) ?? Signature.sign(signed, key)
    made.set(key, signature)
    return signature
  }
  const signatures = draft.signers.map(({ addresses }, i) =>
    addresses.map((address, j) => draft.signatures[i]?.[j] ?? signatureOf(address)),
  )
  return { ...draft, signatures }
}

/**
 * Merges the signatures of several drafts of one transaction, which different signers signed in parallel.
 * @example
 * ```ts
 * import { Signing } from '@firn/txs'
 *
 * declare const draft: Signing.Draft<'P'>
 * declare const alice: Uint8Array, bob: Uint8Array // private keys
 * const merged = Signing.merge(Signing.sign(draft, [alice]), Signing.sign(draft, [bob]))
 * ```
 * @throws TxsError `TXS_SIGNATURE` if the drafts are not of the same transaction
 */
export function merge<C extends ChainAlias>(first: Draft<C>, ...others: readonly Draft<C>[]): Draft<C> {
  const bytes = unsignedBytes(first)
  for (const other of others) {
    if (other.chain === first.chain && Bytes.equals(bytes, unsignedBytes(other))) continue
    throw new TxsError('TXS_SIGNATURE', 'expected drafts of the same transaction, got different transactions')
  }
  const signatures = first.signatures.map((list, i) =>
    list.map((there, j) =>
      others.reduce((found, { signatures: more }) => found ?? more[i]?.[j] ?? null, there),
    ),
  )
  return { ...first, signatures }
}

/**
 * Returns the addresses (20 bytes each, ascending) whose signatures are missing.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { Signing } from '@firn/txs'
 *
 * declare const draft: Signing.Draft
 * const addresses = Signing.missing(draft).map(Hex.encode)
 * ```
 */
export function missing({ signers, signatures }: Draft): Uint8Array[] {
  const found = new Map<string, Uint8Array>()
  signers.forEach(({ addresses }, i) => {
    addresses.forEach((address, j) => {
      if (!signatures[i]?.[j]) found.set(Hex.encodeBare(address), address)
    })
  })
  return [...found.values()].sort(Bytes.compare)
}

/**
 * Encodes a fully or partly signed draft. Zeros replace missing signatures.
 * @example
 * ```ts
 * import { CheckedHex } from '@firn/codec'
 * import { Signing } from '@firn/txs'
 *
 * declare const draft: Signing.Draft
 * const hex = CheckedHex.encode(Signing.encodePartial(draft)) // for the next signer
 * ```
 */
export function encodePartial(draft: Draft): Uint8Array {
  const credentials = draft.signers.map(({ type }, i) => ({
    type,
    signatures: draft.signatures[i]?.map((signature) => signature ?? NONE) ?? [],
  }))
  return LAYOUTS[draft.chain].encode({ unsignedTx: draft.unsignedTx, credentials } as never)
}

/**
 * Encodes a fully signed transaction in the form that a node accepts.
 * @example
 * ```ts
 * import { CheckedHex } from '@firn/codec'
 * import { Signing } from '@firn/txs'
 *
 * declare const draft: Signing.Draft
 * const tx = CheckedHex.encode(Signing.encode(draft)) // for platform.issueTx
 * ```
 * @throws TxsError `TXS_SIGNERS`: `missing` lists the addresses whose signatures are missing
 */
export function encode(draft: Draft): Uint8Array {
  const left = missing(draft)
  if (left.length === 0) return encodePartial(draft)
  const addresses = left.map(Hex.encode)
  throw new TxsError(
    'TXS_SIGNERS',
    `signatures of ${left.length} addresses are missing: ${addresses.join(', ')}`,
    { details: { missing: addresses } },
  )
}

/**
 * Returns the id of a fully signed transaction: SHA-256 of its bytes.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Signing } from '@firn/txs'
 *
 * declare const draft: Signing.Draft
 * const txId = Id.format(Signing.id(draft))
 * ```
 * @throws TxsError `TXS_SIGNERS` if a signature is missing
 */
export function id(draft: Draft): Uint8Array {
  return Id.hash(encode(draft))
}

/**
 * Decodes a draft from the result of {@link encodePartial} or {@link unsignedBytes}, to continue signing.
 * @example
 * ```ts
 * import { CheckedHex } from '@firn/codec'
 * import { type PlatformUtxo, Signing } from '@firn/txs'
 *
 * declare const hex: string // from the previous signer
 * declare const utxos: readonly PlatformUtxo.PlatformUtxo[]
 * const draft = Signing.decode('P', CheckedHex.decode(hex), { utxos })
 * ```
 * @throws CodecError if the bytes are malformed; TxsError the errors of {@link Signers.of} and {@link resume}
 */
export function decode<C extends ChainAlias>(chain: C, bytes: Uint8Array, known: Signers.Known): Draft<C> {
  return resume(chain, bytes, Signers.of(chain, split(chain, bytes).unsignedTx, known))
}

/**
 * Decodes a draft like {@link decode}, with the signers of each credential already known.
 * @example
 * ```ts
 * import { PlatformTx, Signers, Signing } from '@firn/txs'
 *
 * declare const bytes: Uint8Array // from the previous signer
 * declare const address: Uint8Array // 20 bytes
 * const signers = Signers.byOne('P', PlatformTx.decode(bytes).unsignedTx, address)
 * const draft = Signing.resume('P', bytes, signers)
 * ```
 * @throws CodecError if the bytes are malformed; TxsError `TXS_SIGNATURE` if a signature was not made by its
 * address; KeysError if a signature is malformed
 */
export function resume<C extends ChainAlias>(
  chain: C,
  bytes: Uint8Array,
  signers: readonly Signers.Signers[],
): Draft<C> {
  const { unsignedTx, signatures: there } = split(chain, bytes)
  const signed = Id.hash(LAYOUTS[chain].encodeUnsigned(unsignedTx as never))
  const formatted = Signers.formatted(chain, unsignedTx)
  const signatures = signers.map(({ addresses }, i) =>
    addresses.map((address, j) => {
      const signature = there[i]?.[j]
      if (signature === undefined || Bytes.isZero(signature)) return null
      assertSigner(signed, signature, address, formatted)
      return signature
    }),
  )
  return { chain, unsignedTx, signers, signatures }
}

function assertSigner(
  hash: Uint8Array,
  signature: Uint8Array,
  address: Uint8Array,
  formatted: Signers.Formatted,
): void {
  const publicKey = Signature.recover(hash, signature)
  if (Bytes.equals(PublicKey.address(publicKey), address)) return
  if (Bytes.equals(PublicKey.evmAddress(publicKey), address)) return
  const other = formatted.addressOf(publicKey)
  throw new TxsError(
    'TXS_SIGNATURE',
    `expected a signature by ${formatted.format(address)}, got one by ${formatted.format(other)}`,
    { details: { expected: Hex.encode(address), actual: Hex.encode(other) } },
  )
}
