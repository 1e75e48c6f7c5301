import type { Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { formatFx } from '../avax/TransferableOutput.ts'
import * as Nft from '../fx/Nft.ts'
import * as Property from '../fx/Property.ts'
import * as Secp256k1 from '../fx/Secp256k1.ts'

/**
 * Ids of the chain's feature extensions. An asset's initial state names an extension by its index in this
 * list.
 */
export const IDS: readonly Uint8Array[] = [Secp256k1.ID, Nft.ID, Property.ID]

/**
 * Returns the id (32 bytes) of the feature extension to which a type belongs.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { AvmFx } from '@firn/txs'
 *
 * Hex.encode(AvmFx.idOf({ type: 'NftTransferOutput' }).subarray(0, 5)) // '0x6e66746678'
 * ```
 */
export function idOf({ type }: { readonly type: string }): Uint8Array {
  if (type.startsWith('Nft')) return Nft.ID
  return type.startsWith('Property') ? Property.ID : Secp256k1.ID
}

/** Codec of the content of a transaction's input. */
export const Input = Codec.union({ TransferInput: [5, Secp256k1.TransferInput] })
export type Input = Codec.Infer<typeof Input>

/** Codec of the content of a transaction's output. */
export const Output = Codec.union({ TransferOutput: [7, Secp256k1.TransferOutput] })
export type Output = Codec.Infer<typeof Output>

const PROPERTY_INDEX = 2

/**
 * Codec of the content of a UTXO or an initial state. JSON does not name the type: an object that has only owners is
 * read as a `PropertyMintOutput` if the context's `fxIndex` names the property extension, otherwise as a
 * `MintOutput`. A `PropertyOwnedOutput` therefore does not round-trip through JSON, and a `PropertyMintOutput` does
 * only with this `fxIndex`.
 */
export const State = Codec.union(
  {
    MintOutput: [6, Secp256k1.MintOutput],
    TransferOutput: [7, Secp256k1.TransferOutput],
    NftMintOutput: [10, Nft.MintOutput],
    NftTransferOutput: [11, Nft.TransferOutput],
    PropertyMintOutput: [15, Property.MintOutput],
    PropertyOwnedOutput: [16, Property.OwnedOutput],
  },
  {
    variantOf: (json, { fxIndex }) => {
      if ('payload' in json) return 'NftTransferOutput'
      if ('groupID' in json) return 'NftMintOutput'
      if ('amount' in json) return 'TransferOutput'
      return fxIndex === PROPERTY_INDEX ? 'PropertyMintOutput' : 'MintOutput'
    },
  },
)
export type State = Codec.Infer<typeof State>

/** Codec of an operation's action on the UTXOs that it spends. */
export const Action = Codec.union({
  MintOperation: [8, Secp256k1.MintOperation],
  NftMintOperation: [12, Nft.MintOperation],
  NftTransferOperation: [13, Nft.TransferOperation],
  PropertyMintOperation: [17, Property.MintOperation],
  PropertyBurnOperation: [18, Property.BurnOperation],
})
export type Action = Codec.Infer<typeof Action>

/**
 * Returns the struct's codec with a member `fxID` inserted before the member `before` in JSON.
 * @example
 * ```ts
 * import { Codec, Id } from '@firn/codec'
 * import { AvmFx } from '@firn/txs'
 *
 * const layout = Codec.struct({ assetID: Codec.id, amount: Codec.u64 })
 * const codec = AvmFx.withFxId(layout, 'amount', () => AvmFx.idOf({ type: 'TransferOutput' }))
 * codec.toJSON({ assetID: Id.EMPTY, amount: 5n }) // an object with the members assetID, fxID and amount
 * ```
 */
export function withFxId<F extends Codec.Fields>(
  struct: Codec.StructCodec<F>,
  before: keyof F & string,
  idOfValue: (value: Codec.InferFields<F>) => Uint8Array,
): Codec.StructCodec<F> {
  return Codec.withJson(struct, {
    json: (value, context, plain) => {
      const fxId = formatFx(idOfValue(value), context)
      const members = Object.entries(plain(value) as Readonly<Record<string, Json.Json>>)
      return Object.fromEntries(
        members.flatMap((member) => (member[0] === before ? [['fxID', fxId], member] : [member])),
      )
    },
    unjson: (json, _context, plain) => plain(json),
  })
}
