import { PublicKey, Signature } from '@firn/bls'
import {
  Address,
  Bech32,
  Cb58,
  CheckedHex,
  Hex,
  Id,
  isFirnError,
  type Json,
  NodeId,
  ShortId,
} from '@firn/codec'
import { EvmAddress, PrivateKey, PublicKey as WalletKey } from '@firn/keys'
import { Describe, ProofBundle } from '@firn/warp'
import { CliError } from '../CliError.ts'

/** What a text is, as a tree of plain values. */
export type Found = { readonly kind: string; readonly [name: string]: Json.Json }

type Reader = (text: string) => Found | undefined

/** The result, or undefined when the work refuses its input. */
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}

const described = (bytes: Uint8Array): Found | undefined => attempt(() => Describe.tree(bytes))

/** What bytes of a telling length can be. */
const bySize = (bytes: Uint8Array): Found | undefined => {
  const hex = Hex.encode(bytes)
  if (bytes.length === 20) {
    const names = {
      nodeID: NodeId.format(bytes),
      shortID: ShortId.format(bytes),
      evmAddress: EvmAddress.format(bytes),
    }
    return { kind: '20 bytes: a NodeID, a short id or an address', hex, ...names }
  }
  if (bytes.length === Id.LENGTH) return { kind: '32 bytes: an id', hex, id: Id.format(bytes) }
  const isKey = bytes.length === PublicKey.SIZE && attempt(() => PublicKey.decode(bytes)) !== undefined
  if (isKey) return { kind: 'BLS public key', hex }
  const isSignature = bytes.length === Signature.SIZE && attempt(() => Signature.decode(bytes)) !== undefined
  return isSignature ? { kind: 'BLS signature', hex } : undefined
}

/** Hex of the node's API ends in four bytes of checksum; what stands before them is what was meant. */
const withoutChecksum = (text: string): Found | undefined => {
  const bytes = attempt(() => CheckedHex.decode(text.startsWith('0x') ? text : `0x${text}`))
  if (bytes === undefined || bytes.length === 0) return undefined
  const inner = described(bytes) ?? bySize(bytes) ?? { kind: 'bytes', hex: Hex.encode(bytes) }
  return { kind: 'hex with a checksum', content: inner }
}

const hex: Reader = (text) => {
  const bytes = attempt(() => Hex.decodeAny(text))
  if (bytes === undefined) return undefined
  return (
    described(bytes) ??
    withoutChecksum(text) ??
    bySize(bytes) ?? { kind: `${bytes.length} bytes that are no known structure`, hex: Hex.encode(bytes) }
  )
}

const cb58: Reader = (text) => {
  const bytes = attempt(() => Cb58.decode(text))
  if (bytes === undefined) return undefined
  const content = bySize(bytes) ??
    described(bytes) ?? { kind: `${bytes.length} bytes`, hex: Hex.encode(bytes) }
  return { ...content, kind: `cb58 of ${content.kind}` }
}

const nodeId: Reader = (text) => {
  if (!text.startsWith('NodeID-')) return undefined
  return { kind: 'NodeID', hex: Hex.encode(NodeId.parse(text)) }
}

const address: Reader = (text) => {
  const parsed = text.includes('-')
    ? attempt(() => Address.parse(text))
    : attempt(() => ({ chain: '', ...Bech32.decode(text) }))
  if (parsed === undefined) return undefined
  const chain = parsed.chain === '' ? {} : { chain: parsed.chain }
  return { kind: 'address', ...chain, hrp: parsed.hrp, hex: Hex.encode(parsed.payload) }
}

/** A private key is told by what it opens; the key itself is not printed again. */
const privateKey: Reader = (text) => {
  if (!text.startsWith(PrivateKey.PREFIX)) return undefined
  const publicKey = PrivateKey.publicKey(PrivateKey.parse(text))
  return {
    kind: 'private key (not shown)',
    publicKey: Hex.encode(publicKey),
    shortID: ShortId.format(WalletKey.address(publicKey)),
    evmAddress: EvmAddress.format(WalletKey.evmAddress(publicKey)),
  }
}

const bundle: Reader = (text) => {
  if (!text.startsWith('{')) return undefined
  const found = ProofBundle.parse(text)
  return { kind: 'proof bundle', ...(ProofBundle.toJSON(found) as { readonly [name: string]: Json.Json }) }
}

/** In this order, because cb58 carries a checksum and so is better evidence than digits that could be hex. */
const READERS: readonly Reader[] = [nodeId, privateKey, bundle, address, cb58, hex]

/**
 * What a text is and what is inside: NodeID, address, cb58, hex, Warp structures, proof bundle.
 * @throws CliError `CLI_UNRECOGNIZED`; the typed error of a form that the text surely has but breaks
 */
export const decode = (text: string): Found => {
  for (const read of READERS) {
    const found = read(text)
    if (found !== undefined) return found
  }
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text
  throw new CliError(
    'CLI_UNRECOGNIZED',
    `expected cb58, hex, an address, a NodeID, a Warp message or a proof bundle, got ${JSON.stringify(shown)}`,
  )
}
