import { CodecError, Id, NodeId } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { StakingCertificate } from '@firn/keys'
import { TxsError } from '../TxsError.ts'
import * as ContainerHeader from './ContainerHeader.ts'
import * as Epoch from './Epoch.ts'

const unsigned = {
  parentID: Codec.id,
  timestamp: Codec.i64,
  pChainHeight: Codec.u64,
  certificate: Codec.bytes(),
  block: Codec.bytes(),
}

/**
 * Codec of a container, with its codec version. Like the node, it sets no size limit; the frames of the peer
 * protocol do. Source: avalanchego `vms/proposervm/block`.
 */
export const codec = Codec.versioned(
  Codec.union({
    Block: [0, Codec.struct({ ...unsigned, signature: Codec.bytes() })],
    Option: [1, Codec.struct({ parentID: Codec.id, block: Codec.bytes() })],
    GraniteBlock: [2, Codec.struct({ ...unsigned, epoch: Epoch.codec, signature: Codec.bytes() })],
  }),
  { maxSize: Number.MAX_SAFE_INTEGER },
)

/**
 * The wrapper that the proposervm puts around a chain's block. `Block` (before Granite) and `GraniteBlock` (with an
 * epoch) contain the parent container's id, a Unix time in seconds, the P-chain height, the proposer's certificate
 * (DER; empty without a proposer) and its signature. `Option` is one of the two outcomes of an oracle block. `block`
 * holds the encoded inner block.
 */
export type Container = Codec.Infer<typeof codec>

/** A container that may have a proposer. */
export type SignedContainer = Extract<Container, { readonly signature: Uint8Array }>

/** A container, or a block from before the proposervm fork, which has no container. */
export type Unwrapped =
  | {
      readonly kind: 'preFork'
      /** The inner block's id (32 bytes). */
      readonly id: Uint8Array
      readonly block: Uint8Array
    }
  | {
      readonly kind: 'postFork'
      /** The container's own id (32 bytes). */
      readonly id: Uint8Array
      readonly block: Uint8Array
      readonly container: Container
    }

/** Size in bytes of the length field before a signature. */
const LENGTH_SIZE = 4

/**
 * Encodes a container.
 * @example
 * ```ts
 * import { Container } from '@firn/txs'
 *
 * declare const container: Container.Container
 * const bytes = Container.encode(container)
 * ```
 * @throws CodecError `CODEC_VALUE`
 */
export function encode(container: Container): Uint8Array {
  return codec.encode(container)
}

/**
 * Decodes the container in `bytes`. Does not decode its certificate, signature and inner block.
 * @example
 * ```ts
 * import { Container } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * const container = Container.decode(bytes)
 * if (container.type !== 'Option') console.log(container.pChainHeight)
 * ```
 * @throws CodecError `CODEC_TRUNCATED`, `CODEC_TRAILING`, `CODEC_VERSION`, `CODEC_TYPE_ID`, `CODEC_LENGTH`
 */
export function decode(bytes: Uint8Array): Container {
  return codec.decode(bytes)
}

/**
 * Opens `bytes` as the node does: as a container if they decode as one, otherwise as an inner block from
 * before the fork. `innerId` computes the id of an inner block: SHA-256 on the P- and X-chain, the header's
 * Keccak-256 on EVM chains.
 * @example
 * ```ts
 * import { Container } from '@firn/txs'
 *
 * declare const bytes: Uint8Array // a block as a node of the P- or X-chain returns it
 * const { id, block } = Container.open(bytes)
 * ```
 * @throws the errors of `innerId`; errors of the decoder other than CodecError
 */
export function open(bytes: Uint8Array, innerId: (block: Uint8Array) => Uint8Array = Id.hash): Unwrapped {
  const container = tryDecode(bytes)
  if (container === undefined) return { kind: 'preFork', id: innerId(bytes), block: bytes }
  return {
    kind: 'postFork',
    id: Id.hash(withoutSignature(bytes, container)),
    block: container.block,
    container,
  }
}

function tryDecode(bytes: Uint8Array): Container | undefined {
  try {
    return decode(bytes)
  } catch (error) {
    if (error instanceof CodecError) return undefined
    throw error
  }
}

/**
 * Returns the container's bytes without its signature and the length field before it. Their SHA-256 is the
 * container's id.
 * @example
 * ```ts
 * import { Container } from '@firn/txs'
 *
 * declare const container: Container.Container
 * const bytes = Container.unsignedBytes(container)
 * ```
 */
export function unsignedBytes(container: Container): Uint8Array {
  return withoutSignature(encode(container), container)
}

function withoutSignature(bytes: Uint8Array, container: Container): Uint8Array {
  return container.type === 'Option'
    ? bytes
    : bytes.subarray(0, bytes.length - LENGTH_SIZE - container.signature.length)
}

/**
 * Returns the container's id (32 bytes). Except for an option, it is not the SHA-256 of all its bytes.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Container } from '@firn/txs'
 *
 * declare const container: Container.Container
 * Id.format(Container.id(container)) // its cb58 id
 * ```
 */
export function id(container: Container): Uint8Array {
  return Id.hash(unsignedBytes(container))
}

/**
 * Returns the container's epoch, or {@link Epoch.NONE} if it has none.
 * @example
 * ```ts
 * import { Container } from '@firn/txs'
 *
 * declare const container: Container.Container
 * const { number, pChainHeight } = Container.epoch(container)
 * ```
 */
export function epoch(container: Container): Epoch.Epoch {
  return container.type === 'GraniteBlock' ? container.epoch : Epoch.NONE
}

/**
 * Returns the NodeID (20 bytes) of the proposer; all zero without a proposer.
 * @example
 * ```ts
 * import { NodeId } from '@firn/codec'
 * import { Container } from '@firn/txs'
 *
 * declare const container: Container.Container
 * NodeId.format(Container.proposer(container)) // such as 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
 * ```
 */
export function proposer(container: Container): Uint8Array {
  if (container.type === 'Option' || container.certificate.length === 0) return NodeId.EMPTY
  return StakingCertificate.nodeId(container.certificate)
}

/**
 * Returns the proposer's certificate, or undefined without a proposer.
 * @example
 * ```ts
 * import { Container } from '@firn/txs'
 *
 * declare const container: Container.Container
 * const isAnonymous = Container.certificate(container) === undefined
 * ```
 * @throws KeysError `KEYS_CERTIFICATE`, `KEYS_CERTIFICATE_SIZE`, `KEYS_CERTIFICATE_KEY`
 */
export function certificate(container: Container): StakingCertificate.Certificate | undefined {
  if (container.type === 'Option' || container.certificate.length === 0) return undefined
  return StakingCertificate.parse(container.certificate)
}

/**
 * Returns the header that the proposer of a container signs on the chain `chainId`.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Container } from '@firn/txs'
 *
 * declare const container: Container.Container
 * const { parent, body } = Container.header(container, Id.EMPTY) // of a P-chain container
 * ```
 */
export function header(container: Container, chainId: Uint8Array): ContainerHeader.ContainerHeader {
  return headerOf(container, chainId, id(container))
}

function headerOf(
  { parentID: parentId }: Container,
  chain: Uint8Array,
  body: Uint8Array,
): ContainerHeader.ContainerHeader {
  return { chain, parent: parentId, body }
}

/**
 * Returns the container with its proposer's signature. `sign` must sign a message with the certificate's key
 * (`StakingKey.sign`).
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Container } from '@firn/txs'
 *
 * declare const container: Container.SignedContainer
 * declare const sign: (message: Uint8Array) => Uint8Array // with the certificate's key
 * const signed = Container.sign(container, Id.EMPTY, sign)
 * ```
 */
export function sign<C extends SignedContainer>(
  container: C,
  chainId: Uint8Array,
  sign: (message: Uint8Array) => Uint8Array,
): C {
  return { ...container, signature: sign(ContainerHeader.encode(header(container, chainId))) }
}

/**
 * Checks a container without the chain's state, as the node does: its certificate must be readable, it must
 * have an epoch if its type requires one, and the proposer must have signed it for the chain `chainId` (32
 * bytes). Without a proposer the signature must be empty.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Container } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * Container.verify(Container.decode(bytes), Id.EMPTY) // a container of the P-chain
 * ```
 * @param containerId the container's id (32 bytes), for callers that know it
 * @throws TxsError `TXS_EPOCH`, `TXS_SIGNATURE`
 * @throws KeysError `KEYS_CERTIFICATE`, `KEYS_CERTIFICATE_SIZE`, `KEYS_CERTIFICATE_KEY`
 */
export function verify(container: Container, chainId: Uint8Array, containerId?: Uint8Array): void {
  if (container.type === 'Option') return
  const key = certificate(container)
  if (container.type === 'GraniteBlock' && Epoch.isNone(container.epoch)) {
    throw new TxsError('TXS_EPOCH', 'container: expected an epoch, got an epoch of zeros')
  }
  const { signature } = container
  if (key === undefined) {
    if (signature.length === 0) return
    throw new TxsError(
      'TXS_SIGNATURE',
      `container: expected no signature without a certificate, got ${signature.length} bytes`,
    )
  }
  const message = ContainerHeader.encode(headerOf(container, chainId, containerId ?? id(container)))
  if (!StakingCertificate.checkSignature(key, message, signature)) {
    const nodeId = NodeId.format(proposer(container))
    throw new TxsError('TXS_SIGNATURE', `container: the signature was not made by ${nodeId} for this chain`, {
      details: { nodeId },
    })
  }
}
