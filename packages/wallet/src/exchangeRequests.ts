import type { BytesInput, IdInput, Receiver } from './Inputs.ts'

/** An asset to create: who holds it at first, and who may mint it. */
export interface CreateAssetRequest {
  readonly name: string
  /** At most four characters. */
  readonly symbol: string
  /** Number of decimal places in which the asset is shown. Default: 0. */
  readonly denomination?: number
  /** First holders of a fungible asset. */
  readonly holders?: readonly { readonly to: Receiver; readonly amount: bigint }[]
  /** Owners of whom each may mint amounts. */
  readonly minters?: readonly Receiver[]
  /** Owners of whom each may mint tokens (NFTs), one group of tokens for each. */
  readonly tokenMinters?: readonly Receiver[]
  /** Owners of whom each may mint properties. */
  readonly propertyMinters?: readonly Receiver[]
}

/** An amount of an asset to mint. */
export interface MintRequest {
  readonly assetId: IdInput
  readonly amount: bigint
  /** Default: the wallet's first address. */
  readonly to?: Receiver
}

/** A token (NFT) to mint. */
export interface MintTokenRequest {
  readonly assetId: IdInput
  /** At most 1,024 bytes. */
  readonly payload: BytesInput
  /** Default: the wallet's first address. */
  readonly to?: Receiver
  /** Group of the token. Default: any group that the wallet may mint. */
  readonly groupId?: number
}

/** A token (NFT) to transfer. */
export interface TransferTokenRequest {
  readonly assetId: IdInput
  readonly to: Receiver
  readonly payload?: BytesInput
}

/** A property to mint. */
export interface MintPropertyRequest {
  readonly assetId: IdInput
  /** Default: the wallet's first address. */
  readonly to?: Receiver
}

/** A property to burn. */
export interface BurnPropertyRequest {
  readonly assetId: IdInput
}
