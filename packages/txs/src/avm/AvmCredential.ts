import { Bytes, CodecError, type Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { formatFx } from '../avax/TransferableOutput.ts'
import * as Nft from '../fx/Nft.ts'
import * as Property from '../fx/Property.ts'
import * as Secp256k1 from '../fx/Secp256k1.ts'
import * as AvmFx from './AvmFx.ts'

const secp256k1 = {
  TransferInput: [5, Secp256k1.TransferInput],
  MintOutput: [6, Secp256k1.MintOutput],
  TransferOutput: [7, Secp256k1.TransferOutput],
  MintOperation: [8, Secp256k1.MintOperation],
  Credential: [9, Secp256k1.Credential],
} as const

const nft = {
  NftMintOutput: [10, Nft.MintOutput],
  NftTransferOutput: [11, Nft.TransferOutput],
  NftMintOperation: [12, Nft.MintOperation],
  NftTransferOperation: [13, Nft.TransferOperation],
  NftCredential: [14, Nft.Credential],
} as const

const property = {
  PropertyMintOutput: [15, Property.MintOutput],
  PropertyOwnedOutput: [16, Property.OwnedOutput],
  PropertyMintOperation: [17, Property.MintOperation],
  PropertyBurnOperation: [18, Property.BurnOperation],
  PropertyCredential: [19, Property.Credential],
} as const

const union = Codec.union({ ...secp256k1, ...nft, ...property })

/**
 * Codecs by feature extension, in the order of `AvmFx.IDS`. The JSON of a credential names the extension. Each codec
 * accepts every type of its extension.
 */
const byFx: readonly Codec.Codec<AvmCredential>[] = [
  Codec.union(secp256k1) as Codec.Codec<AvmCredential>,
  Codec.union(nft) as Codec.Codec<AvmCredential>,
  Codec.union(property) as Codec.Codec<AvmCredential>,
]

/**
 * The proof for an input or operation. Valid transactions have `Credential`, `NftCredential` and
 * `PropertyCredential` here, but the node's parser accepts every type of the feature extensions.
 */
export type AvmCredential = Codec.Infer<typeof union>

/** Codec of credentials. JSON is `{fxID, credential}`. */
export const codec: Codec.Codec<AvmCredential> = Codec.withJson(union, {
  // The node does not set the chain of a credential, so addresses in unusual credentials print as cb58.
  json: (value, context) => ({ fxID: formatFx(AvmFx.idOf(value), context), credential: union.toJSON(value) }),
  unjson(json) {
    const { fxID: fxId, credential } = (json ?? {}) as {
      readonly fxID?: Json.Json
      readonly credential?: Json.Json
    }
    const id = Codec.id.fromJSON(fxId ?? null)
    const index = Bytes.isZero(id) ? 0 : AvmFx.IDS.findIndex((known) => Bytes.equals(known, id))
    const types = byFx[index]
    if (types === undefined) {
      throw new CodecError('CODEC_VALUE', `expected the id of a known fx, got ${fxId}`, { path: 'fxID' })
    }
    return types.fromJSON(credential ?? null)
  },
})
