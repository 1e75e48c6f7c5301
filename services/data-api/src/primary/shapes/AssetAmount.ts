import { Hex } from '@firn/codec'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'

/** Properties of an asset that appear next to its amounts. */
export interface NamedAsset {
  /** Asset id in CB58. It is formatted once per asset, because a few assets appear very often. */
  readonly assetId: string
  readonly name: string
  readonly symbol: string
  readonly denomination: number
  readonly isNft: boolean
}

/** Members that describe an asset. */
export const assetMembers = {
  assetId: Field.cb58('Id of the asset', 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z'),
  name: Schema.text('Name of the asset', 'Avalanche'),
  symbol: Schema.text('Symbol of the asset', 'AVAX'),
  denomination: Schema.integer('Number of decimals in which amounts are shown', 9),
  type: Schema.choice(['secp256k1', 'nft'], 'Kind of output that holds the asset'),
}

/** An amount of an asset. */
export const AssetAmount = Schema.object('AssetAmount', 'An amount of an asset', {
  ...assetMembers,
  amount: Field.units('Amount'),
})

/** Returns an amount in the Data API's format. */
export function assetAmount({ assetId, name, symbol, denomination, isNft }: NamedAsset, amount: bigint) {
  const type = isNft ? 'nft' : 'secp256k1'
  return { assetId, name, symbol, denomination, type, amount: String(amount) } satisfies Body
}

/** Returns the name and the other properties of an asset that `assets` contains. */
export function assetNamed(assets: ReadonlyMap<string, NamedAsset>, assetId: Uint8Array): NamedAsset {
  return assets.get(Hex.encodeBare(assetId)) as NamedAsset
}

/** An amount of an asset. */
export interface Share {
  readonly assetId: Uint8Array
  readonly amount: bigint
}

/**
 * Returns the total amount of each asset, in the order in which the assets first occur. Assets with a total
 * of zero are omitted.
 */
export function sums(shares: Iterable<Share>): Share[] {
  const byAsset = new Map<string, Share>()
  for (const { assetId, amount } of shares) {
    const key = Hex.encodeBare(assetId)
    byAsset.set(key, { assetId, amount: (byAsset.get(key)?.amount ?? 0n) + amount })
  }
  return [...byAsset.values()].filter(({ amount }) => amount !== 0n)
}

/** Returns the amounts with the opposite sign, for subtraction. */
export function negative(shares: Iterable<Share>): Share[] {
  return Array.from(shares, ({ assetId, amount }) => ({ assetId, amount: -amount }))
}
