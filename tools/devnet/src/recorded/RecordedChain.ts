import { Bytes, type ChainAlias, Hex, Id, isFirnError } from '@firn/codec'
import { AvmBlock, Container, EvmBlock, PlatformBlock } from '@firn/txs'
import { DevnetError } from '../DevnetError.ts'
import { key } from '../State.ts'

/** An accepted block as peers exchange it. */
export interface RecordedBlock {
  /** Id of the container (32 bytes). A block from before the proposervm is its own container. */
  readonly id: Uint8Array
  /** The container's bytes. */
  readonly bytes: Uint8Array
  /** Id of the inner block, which is the EVM block hash on the C-chain. Nodes find blocks by this id, too. */
  readonly innerId: Uint8Array
  readonly inner: Uint8Array
  /** Time of acceptance in nanoseconds since the Unix epoch; undefined if unknown. */
  readonly acceptedAt: bigint | undefined
}

/** A vertex of the X-chain from before its linearization. */
export interface RecordedVertex {
  readonly bytes: Uint8Array
  readonly parentIds: readonly Uint8Array[]
}

/** The blocks of one chain of the Primary Network, and the X-chain's vertices. The maps are keyed by `State.key`. */
export interface RecordedChain {
  readonly alias: ChainAlias
  /** 32 bytes. */
  readonly chainId: Uint8Array
  /** Blocks by height, starting with block 0. */
  readonly blocks: readonly RecordedBlock[]
  /** Heights by container id. */
  readonly heights: ReadonlyMap<string, number>
  /** Heights by inner block id. */
  readonly innerHeights: ReadonlyMap<string, number>
  readonly vertices: ReadonlyMap<string, RecordedVertex>
}

/** Creates a chain from its blocks, starting with block 0. */
export function create(
  alias: ChainAlias,
  chainId: Uint8Array,
  blocks: readonly RecordedBlock[],
  vertices: RecordedChain['vertices'] = new Map(),
): GrowingChain {
  const heights = new Map(blocks.map(({ id }, height) => [key(id), height]))
  const innerHeights = new Map(blocks.map(({ innerId }, height) => [key(innerId), height]))
  return { alias, chainId, blocks: [...blocks], heights, innerHeights, vertices }
}

/** A chain to which blocks are appended. */
export interface GrowingChain extends RecordedChain {
  readonly blocks: RecordedBlock[]
  readonly heights: Map<string, number>
  readonly innerHeights: Map<string, number>
}

/** Appends the next block to a chain. */
export function append({ blocks, heights, innerHeights }: GrowingChain, block: RecordedBlock): void {
  heights.set(key(block.id), blocks.length)
  innerHeights.set(key(block.innerId), blocks.length)
  blocks.push(block)
}

/** Bytes of a recorded block. `container`: the bytes may be a container. `block`: they are the inner block. */
export interface BlockBytes {
  readonly kind: 'container' | 'block'
  readonly bytes: Uint8Array
  readonly acceptedAt?: bigint | undefined
}

/**
 * Reads the block that follows `parent`.
 * @throws DevnetError `DEVNET_RECORDING` if the bytes are malformed or belong to another parent
 */
export function readBlock(chain: ChainAlias, given: BlockBytes, parent: RecordedBlock): RecordedBlock {
  try {
    const opened = given.kind === 'container' ? Container.open(given.bytes, () => Id.EMPTY) : undefined
    const inner = opened?.block ?? given.bytes
    const { id: innerId, parentId, time } = headerOf(chain, inner)
    const container = opened?.kind === 'postFork' ? opened.container : undefined
    const [actual, expected] =
      container === undefined ? [parentId, parent.innerId] : [container.parentID, parent.id]
    if (!Bytes.equals(actual, expected)) {
      const what = container === undefined ? 'parent' : 'parent container'
      throw new DevnetError(
        'DEVNET_RECORDING',
        `expected the ${what} ${Hex.encode(expected)}, got ${Hex.encode(actual)}`,
      )
    }
    const acceptedAt = given.acceptedAt ?? (time === undefined ? undefined : time * 1_000_000_000n)
    const id = opened?.kind === 'postFork' ? opened.id : innerId
    return { id, bytes: given.bytes, innerId, inner, acceptedAt }
  } catch (cause) {
    if (!isFirnError(cause) || cause instanceof DevnetError) throw cause
    throw new DevnetError('DEVNET_RECORDING', `malformed block: ${cause.message}`, { cause })
  }
}

/** Returns a block that has no container. */
export function bare(innerId: Uint8Array, inner: Uint8Array): RecordedBlock {
  return { id: innerId, bytes: inner, innerId, inner, acceptedAt: undefined }
}

/** Wraps an inner block in a container, and returns both as a block. */
export function wrapped(container: Container.Container, innerId: Uint8Array): RecordedBlock {
  const { block: inner } = container
  return {
    id: Container.id(container),
    bytes: Container.encode(container),
    innerId,
    inner,
    acceptedAt: undefined,
  }
}

const NONE = new Uint8Array()

/**
 * Returns a valid fork of a chain, whose blocks differ from height `from` on. It has the same inner blocks, in
 * containers without a proposer that are a second younger and refer to each other. If block `from` is an option, which
 * differs only by its parent, the fork starts with that parent.
 */
export function fork(chain: RecordedChain, from: number): RecordedChain {
  const start = isOption(chain.blocks[from]) ? from - 1 : from
  const blocks = chain.blocks.slice(0, start)
  for (const block of chain.blocks.slice(start)) {
    const parent = blocks.at(-1) as RecordedBlock
    blocks.push(wrapped(altered(block, parent.id), block.innerId))
  }
  return create(chain.alias, chain.chainId, blocks, chain.vertices)
}

function isOption(block: RecordedBlock | undefined): boolean {
  const opened = block && Container.open(block.bytes, () => Id.EMPTY)
  return opened?.kind === 'postFork' && opened.container.type === 'Option'
}

function altered({ bytes, inner }: RecordedBlock, parentId: Uint8Array): Container.Container {
  const opened = Container.open(bytes, () => Id.EMPTY)
  const unsigned = { parentID: parentId, certificate: NONE, block: inner, signature: NONE }
  if (opened.kind === 'preFork') return { type: 'Block', timestamp: 1n, pChainHeight: 0n, ...unsigned }
  const { container } = opened
  if (container.type === 'Option') return { ...container, parentID: parentId }
  return { ...container, ...unsigned, timestamp: container.timestamp + 1n }
}

/**
 * Returns the bytes of a container with a signature that its proposer did not make. The id of the container is
 * unchanged, because it does not cover the signature. Returns other bytes unchanged if they have no signature.
 */
export function withOtherSignature(bytes: Uint8Array): Uint8Array {
  const opened = Container.open(bytes, () => Id.EMPTY)
  if (opened.kind === 'preFork' || opened.container.type === 'Option') return bytes
  const { signature } = opened.container
  if (signature.length === 0) return bytes
  return Container.encode({ ...opened.container, signature: signature.toReversed() })
}

/**
 * Returns the bytes of a container without its signature and the length field before it. Their SHA-256 is the
 * container's id. Returns other bytes unchanged.
 */
export function withoutSignature(bytes: Uint8Array): Uint8Array {
  const opened = Container.open(bytes, () => Id.EMPTY)
  return opened.kind === 'preFork' ? bytes : Container.unsignedBytes(opened.container)
}

interface Header {
  readonly id: Uint8Array
  readonly parentId: Uint8Array
  /** Unix seconds; undefined for a P-chain block before Banff. */
  readonly time: bigint | undefined
}

function headerOf(chain: ChainAlias, bytes: Uint8Array): Header {
  if (chain === 'C') {
    const { hash, header } = EvmBlock.decode(bytes)
    return { id: hash, parentId: header.parentHash, time: header.timestamp }
  }
  const block = chain === 'P' ? PlatformBlock.decode(bytes) : AvmBlock.decode(bytes)
  return { id: Id.hash(bytes), parentId: block.parentID, time: 'time' in block ? block.time : undefined }
}

/** Wraps a block in a container without a proposer. */
export function anonymous(parent: RecordedBlock, block: Uint8Array, timestamp: bigint): RecordedBlock {
  const unsigned = { parentID: parent.id, timestamp, pChainHeight: 0n, certificate: new Uint8Array(), block }
  return wrapped({ type: 'Block', ...unsigned, signature: new Uint8Array() }, Id.hash(block))
}
