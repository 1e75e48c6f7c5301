/**
 * String encodings (hex, cb58, bech32, ids, JSON with 64-bit numbers) and the declarative binary codec of the
 * Avalanche network.
 * @module
 */
export * as Address from './Address.ts'
export * as Bech32 from './Bech32.ts'
export * as Bytes from './Bytes.ts'
export * as Cb58 from './Cb58.ts'
export { CHAIN_ALIASES, type ChainAlias } from './ChainAlias.ts'
export * as CheckedHex from './CheckedHex.ts'
export * as Codec from './Codec.ts'
export { CodecError, type CodecErrorCode } from './CodecError.ts'
export { excerpt } from './excerpt.ts'
export { addDetails, FirnError, type FirnErrorOptions, isFirnError } from './FirnError.ts'
export { foldName } from './foldName.ts'
export * as Hex from './Hex.ts'
export * as Id from './Id.ts'
export { isJsonObject } from './isJsonObject.ts'
export * as Json from './Json.ts'
export * as Network from './Network.ts'
export * as NodeId from './NodeId.ts'
export * as NodeRelease from './NodeRelease.ts'
export * as ShortId from './ShortId.ts'
export { truncate } from './truncate.ts'
