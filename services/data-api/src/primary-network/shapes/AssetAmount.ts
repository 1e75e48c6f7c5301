import { Hex } from '@firn/codec'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'

/** An asset, as far as amounts tell of it. */
export interface NamedAsset {
  /** The id in cb58, formatted once because few ids repeat often. */
  readonly assetId: string
  readonly name: string
  readonly symbol: string
  readonly denomination: number
  readonly isNft: boolean
}

/** An asset and how much of it. */
export const AssetAmount = Type.Object({
  assetId: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  denomination: Type.Number(),
  type: Type.Enum(['secp256k1', 'nft']),
  amount: Type.String(),
})

/** An amount in the Data API's shape. */
export function assetAmount(
  { assetId, name, symbol, denomination, isNft }: NamedAsset,
  amount: bigint,
): Body {
  const type = isNft ? 'nft' : 'secp256k1'
  return { assetId, name, symbol, denomination, type, amount: String(amount) }
}

/** What an asset is called; all that an answer names are looked up before. */
export function assetNamed(assets: ReadonlyMap<string, NamedAsset>, assetId: Uint8Array): NamedAsset {
  return assets.get(Hex.encodeBare(assetId)) as NamedAsset
}

/** Some of an asset. */
export interface Share {
  readonly assetID: Uint8Array
  readonly amount: bigint
}

/** The sums of shares by asset, in the order in which the assets first come, and without those that come to nothing. */
export function sums(shares: Iterable<Share>): Share[] {
  const byAsset = new Map<string, Share>()
  for (const { assetID: assetId, amount } of shares) {
    const key = Hex.encodeBare(assetId)
    byAsset.set(key, { assetID: assetId, amount: (byAsset.get(key)?.amount ?? 0n) + amount })
  }
  return [...byAsset.values()].filter(({ amount }) => amount !== 0n)
}

/** Shares with the sign turned, to be taken from others. */
export function negative(shares: Iterable<Share>): Share[] {
  return Array.from(shares, ({ assetID: assetId, amount }) => ({ assetID: assetId, amount: -amount }))
}
