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
 * A container after its codec version. The node sets no limit of its own to its size (frames of the peer
 * protocol do). Source: avalanchego `vms/proposervm/block`.
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
 * The wrapper of a chain's blocks: `Block` (before Granite) and `GraniteBlock` (with an epoch) contain the
 * parent container, a Unix time in seconds, the P-chain height, the proposer's certificate (DER; empty
 * without a proposer) and its signature; `Option` is one of the two outcomes of an oracle block. `block` is
 * the inner block's bytes.
 */
export type Container = Codec.Infer<typeof codec>

/** A container that may have a proposer. */
export type SignedContainer = Extract<Container, { readonly signature: Uint8Array }>

/** A container, or an inner block from before the proposervm, which is its own container. */
export type Opened =
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

/** Size of the length before a signature in bytes. */
const LENGTH_SIZE = 4

/**
 * Encodes a container.
 * @throws CodecError `CODEC_VALUE`
 */
export function encode(container: Container): Uint8Array {
  return codec.encode(container)
}

/**
 * Decodes the container in `bytes` without its certificate, signature and inner block.
 * @throws CodecError `CODEC_TRUNCATED`, `CODEC_TRAILING`, `CODEC_VERSION`, `CODEC_TYPE_ID`, `CODEC_LENGTH`
 */
export function decode(bytes: Uint8Array): Container {
  return codec.decode(bytes)
}

/**
 * Opens `bytes`: a container if they decode as one, otherwise an inner block from before the fork, like the
 * node. `innerId` returns the id of an inner block: SHA-256 on the P- and X-chain, the header's Keccak-256 on
 * EVM chains.
 */
export function open(bytes: Uint8Array, innerId: (block: Uint8Array) => Uint8Array = Id.hash): Opened {
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
 * Returns the container's bytes without its signature and the signature's length; their SHA-256 is the id.
 */
export function unsignedBytes(container: Container): Uint8Array {
  return withoutSignature(encode(container), container)
}

function withoutSignature(bytes: Uint8Array, container: Container): Uint8Array {
  return container.type === 'Option'
    ? bytes
    : bytes.subarray(0, bytes.length - LENGTH_SIZE - container.signature.length)
}

/** Returns the container's id (32 bytes). It is not the SHA-256 of its bytes, except for an option. */
export function id(container: Container): Uint8Array {
  return Id.hash(unsignedBytes(container))
}

/** Returns the container's epoch, {@link Epoch.NONE} if it has none. */
export function epoch(container: Container): Epoch.Epoch {
  return container.type === 'GraniteBlock' ? container.epoch : Epoch.NONE
}

/** Returns the NodeID (20 bytes) of the proposer's certificate, all zero without a proposer. */
export function proposer(container: Container): Uint8Array {
  if (container.type === 'Option' || container.certificate.length === 0) return NodeId.EMPTY
  return StakingCertificate.nodeId(container.certificate)
}

/**
 * Returns the proposer's certificate, undefined without a proposer.
 * @throws KeysError `KEYS_CERTIFICATE`, `KEYS_CERTIFICATE_SIZE`, `KEYS_CERTIFICATE_KEY`
 */
export function certificate(container: Container): StakingCertificate.Certificate | undefined {
  if (container.type === 'Option' || container.certificate.length === 0) return undefined
  return StakingCertificate.parse(container.certificate)
}

/** Returns the header that the proposer of a container signs, on the chain `chainId`. */
export function header(container: Container, chainId: Uint8Array): ContainerHeader.ContainerHeader {
  return { chain: chainId, parent: container.parentID, body: id(container) }
}

/**
 * Returns the container with its proposer's signature, which `sign` creates for a message with the
 * certificate's key (`StakingKey.sign`).
 */
export function sign<C extends SignedContainer>(
  container: C,
  chainId: Uint8Array,
  sign: (message: Uint8Array) => Uint8Array,
): C {
  return { ...container, signature: sign(ContainerHeader.encode(header(container, chainId))) }
}

/**
 * Checks what the node checks of a container on its own: a readable certificate, an epoch where the type
 * requires one, and the proposer's signature on the chain `chainId` (32 bytes), or none without a proposer.
 * @throws TxsError `TXS_EPOCH`, `TXS_SIGNATURE`
 * @throws KeysError `KEYS_CERTIFICATE`, `KEYS_CERTIFICATE_SIZE`, `KEYS_CERTIFICATE_KEY`
 */
export function verify(container: Container, chainId: Uint8Array): void {
  if (container.type === 'Option') return
  const key = certificate(container)
  if (container.type === 'GraniteBlock' && Epoch.isNone(container.epoch)) {
    throw new TxsError('TXS_EPOCH', 'container: expected an epoch, got one of zeros')
  }
  const { signature } = container
  if (key === undefined) {
    if (signature.length === 0) return
    throw new TxsError(
      'TXS_SIGNATURE',
      `container: expected no signature without a certificate, got ${signature.length} bytes`,
    )
  }
  const message = ContainerHeader.encode(header(container, chainId))
  if (!StakingCertificate.checkSignature(key, message, signature)) {
    const nodeId = NodeId.format(proposer(container))
    throw new TxsError('TXS_SIGNATURE', `container: the signature is not by ${nodeId} on this chain`, {
      details: { nodeID: nodeId },
    })
  }
}
