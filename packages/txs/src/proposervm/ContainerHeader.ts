import * as Codec from '@firn/codec/Codec'

/** Codec of the codec version, chain id, parent id and body id: 98 bytes. */
export const codec = Codec.versioned(Codec.struct({ chain: Codec.id, parent: Codec.id, body: Codec.id }))

/**
 * The data that a proposer signs: the chain, the container's parent and the container's id. Source:
 * avalanchego `proposervm/block`.
 */
export type ContainerHeader = Codec.Infer<typeof codec>

/**
 * Encodes the message that a proposer signs; the signature is over its SHA-256.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Container, ContainerHeader } from '@firn/txs'
 *
 * declare const container: Container.Container
 * const message = ContainerHeader.encode(Container.header(container, Id.EMPTY))
 * ```
 * @throws CodecError `CODEC_VALUE`
 */
export function encode(header: ContainerHeader): Uint8Array {
  return codec.encode(header)
}

/**
 * Decodes the header in `bytes`.
 * @example
 * ```ts
 * import { ContainerHeader } from '@firn/txs'
 *
 * declare const message: Uint8Array
 * const { chain, body } = ContainerHeader.decode(message)
 * ```
 * @throws CodecError `CODEC_TRUNCATED`, `CODEC_TRAILING`, `CODEC_VERSION`
 */
export function decode(bytes: Uint8Array): ContainerHeader {
  return codec.decode(bytes)
}
