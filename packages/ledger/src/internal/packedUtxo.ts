import { CHAIN_ALIASES, type ChainAlias, Codec, Hex } from '@firn/codec'
import { Nft, Property, Secp256k1, Stakeable, UtxoId } from '@firn/txs'
import type * as Records from '../Records.ts'

/**
 * A UTXO packed into a string with one byte per character. It uses a sixth of the memory of objects and typed
 * arrays.
 */
export type PackedUtxo = string

const ORIGINS = ['genesis', 'output', 'stake', 'reward', 'refund'] as const

const Output = Codec.union({
  MintOutput: [6, Secp256k1.MintOutput],
  TransferOutput: [7, Secp256k1.TransferOutput],
  NftMintOutput: [10, Nft.MintOutput],
  NftTransferOutput: [11, Nft.TransferOutput],
  PropertyMintOutput: [15, Property.MintOutput],
  PropertyOwnedOutput: [16, Property.OwnedOutput],
  LockOut: [22, Stakeable.LockOut],
})

/** Codec of all fields except the id, which is the key. */
const layout = Codec.struct({
  chain: Codec.u8,
  source: Codec.u8,
  origin: Codec.u8,
  rewardTxIDs: Codec.array(Codec.id),
  height: Codec.u64,
  ordinal: Codec.u32,
  ...UtxoId.UtxoId.fields,
  assetID: Codec.id,
  output: Output,
})

export function pack({ utxo, rewardTxId, ...record }: Records.Utxo): PackedUtxo {
  const bytes = layout.encode({
    ...utxo,
    chain: CHAIN_ALIASES.indexOf(record.chain),
    source: CHAIN_ALIASES.indexOf(record.source),
    origin: ORIGINS.indexOf(record.origin),
    rewardTxIDs: rewardTxId === undefined ? [] : [rewardTxId],
    height: record.height,
    ordinal: record.ordinal,
  })
  return textOf(bytes)
}

/** Unpacks a UTXO. `key` is its input id in hex digits. */
export function unpack(packed: PackedUtxo, key: string): Records.Utxo {
  const {
    chain,
    source,
    origin,
    rewardTxIDs: rewardTxIds,
    height,
    ordinal,
    ...utxo
  } = layout.decode(bytesOf(packed))
  return {
    id: Hex.decodeBare(key),
    chain: CHAIN_ALIASES[chain] as ChainAlias,
    source: CHAIN_ALIASES[source] as ChainAlias,
    utxo,
    origin: ORIGINS[origin] as Records.UtxoOrigin,
    rewardTxId: rewardTxIds[0],
    height,
    ordinal,
  }
}

/** Maximum number of bytes that one call of `String.fromCharCode` converts. */
const CHUNK = 8192

function textOf(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += CHUNK) {
    // The parameter type is widened because `apply` accepts any list of numbers. Spreading the bytes would
    // take seven times as long.
    const codes: ArrayLike<number> = bytes.subarray(i, i + CHUNK)
    text += String.fromCharCode.apply(undefined, codes as number[])
  }
  return text
}

function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}
