import { PublicKey, Signature } from '@firn/bls'
import {
  Address,
  Bech32,
  Cb58,
  CheckedHex,
  excerpt,
  Hex,
  Id,
  isFirnError,
  Json,
  NodeId,
  ShortId,
} from '@firn/codec'
import { EvmAddress, PrivateKey, PublicKey as WalletKey } from '@firn/keys'
import { Describe } from '@firn/txs'
import { ProofBundle } from '@firn/warp'
import { CliError } from '../CliError.ts'
import * as DecodeBytes from './DecodeBytes.ts'
import * as DecodeGenesis from './DecodeGenesis.ts'

/** A decoded value as a tree of plain values. */
export type Found = { readonly kind: string; readonly [name: string]: Json.Json }

/** The decoded tree, with the node's JSON if it has one. */
export type Decoded = { readonly tree: Found; readonly json?: Json.Json }

type Options = Describe.Options
type Reader = (text: string, options: Options) => Decoded | undefined

/** Returns the result of `work`, or undefined if it rejects its input. */
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}

/** Describes bytes that are identified by their length alone. */
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

/** Bytes without a codec version and a type are no incomplete structure. */
const LEAST = 6

const closest = (bytes: Uint8Array): { readonly closestMatch?: string } => {
  const found = bytes.length < LEAST ? undefined : Describe.closest(bytes)
  return found === undefined ? {} : { closestMatch: found }
}

const tree = (found: Found | undefined): Decoded | undefined => found && { tree: found }

/**
 * Decodes hex from the node's API, which ends with a checksum of four bytes, or returns undefined for other
 * hex.
 */
const withoutChecksum = (text: string, options: Options): Decoded | undefined => {
  const bytes = attempt(() => CheckedHex.decode(text.startsWith('0x') ? text : `0x${text}`))
  if (bytes === undefined || bytes.length === 0) return undefined
  const inner: Decoded = DecodeBytes.decode(bytes, options) ?? {
    tree: bySize(bytes) ?? { kind: 'bytes', hex: Hex.encode(bytes), ...closest(bytes) },
  }
  return { ...inner, tree: { kind: 'hex with a checksum', content: inner.tree } }
}

const hex: Reader = (text, options) => {
  const bytes = attempt(() => Hex.decodeAny(text))
  if (bytes === undefined) return undefined
  const unknown = {
    kind: `${bytes.length} bytes of no known structure`,
    hex: Hex.encode(bytes),
    ...closest(bytes),
  }
  return (
    DecodeBytes.decode(bytes, options) ?? withoutChecksum(text, options) ?? { tree: bySize(bytes) ?? unknown }
  )
}

const cb58: Reader = (text, options) => {
  const bytes = attempt(() => Cb58.decode(text))
  if (bytes === undefined) return undefined
  const content = tree(bySize(bytes)) ??
    DecodeBytes.decode(bytes, options) ?? {
      tree: { kind: `${bytes.length} bytes`, hex: Hex.encode(bytes), ...closest(bytes) },
    }
  return { ...content, tree: { ...content.tree, kind: `cb58 of ${content.tree.kind}` } }
}

const nodeId: Reader = (text) => {
  if (!text.startsWith('NodeID-')) return undefined
  return { tree: { kind: 'NodeID', hex: Hex.encode(NodeId.parse(text)) } }
}

const address: Reader = (text) => {
  const parsed = text.includes('-')
    ? attempt(() => Address.parse(text))
    : attempt(() => ({ chain: '', ...Bech32.decode(text) }))
  if (parsed === undefined) return undefined
  const chain = parsed.chain === '' ? {} : { chain: parsed.chain }
  return { tree: { kind: 'address', ...chain, hrp: parsed.hrp, hex: Hex.encode(parsed.payload) } }
}

/** Describes a private key by its address, without printing the key. */
const privateKey: Reader = (text) => {
  if (!text.startsWith(PrivateKey.PREFIX)) return undefined
  const publicKey = PrivateKey.publicKey(PrivateKey.parse(text))
  return {
    tree: {
      kind: 'private key (not shown)',
      publicKey: Hex.encode(publicKey),
      shortID: ShortId.format(WalletKey.address(publicKey)),
      evmAddress: EvmAddress.format(WalletKey.evmAddress(publicKey)),
    },
  }
}

/**
 * Identifies JSON by its members: a genesis file, the genesis of an EVM chain, an aggregator's response, a
 * proof bundle.
 */
const json: Reader = (text, options) => {
  if (!text.startsWith('{')) return undefined
  const value = Json.parse(text)
  if (DecodeGenesis.isFile(value)) return DecodeGenesis.file(text)
  if (DecodeGenesis.isEvm(value)) return DecodeGenesis.evmFile(text)
  const members = value as Describe.Members
  const signed = members['signedMessage'] ?? members['signed-message']
  if (typeof signed === 'string') return hex(signed, options)
  if (members['validators'] === undefined) return undefined
  const found = ProofBundle.toJSON(ProofBundle.fromJSON(value)) as Describe.Members
  return { tree: { kind: 'proof bundle', ...found } }
}

/**
 * Readers in the order in which they are tried. cb58 comes before hex, because its checksum is stronger
 * evidence than valid hex digits.
 */
const READERS: readonly Reader[] = [nodeId, privateKey, json, address, cb58, hex]

/**
 * Decodes a text: a NodeID, an address, a private key, cb58 or hex of any known structure (Warp, P-, X- and
 * C-chain, genesis), or JSON such as a proof bundle.
 * @throws CliError `CLI_UNRECOGNIZED` if the text has no known format; the typed error of a format if the
 * text clearly has this format but violates it
 */
export const decode = (text: string, options: Options = {}): Decoded => {
  for (const read of READERS) {
    const found = read(text, options)
    if (found !== undefined) return found
  }
  throw new CliError(
    'CLI_UNRECOGNIZED',
    `expected cb58, hex of a structure, an address, a NodeID, a genesis, a proof bundle or an aggregator’s response, got ${excerpt(text)}`,
  )
}
