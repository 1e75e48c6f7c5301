import { Bytes, type ChainAlias, Id } from '@firn/codec'
import { AvmBlock, Container, EvmBlock, PlatformBlock } from '@firn/txs'
import type { Block } from './BlockStore.ts'
import { SyncError } from './SyncError.ts'

/** A container or bare block whose id is known and whose header is not read yet. */
export interface Identified {
  readonly id: Uint8Array
  /**
   * Returns the whole block.
   * @throws SyncError `SYNC_UNREADABLE`
   */
  read(): Block
}

/**
 * Returns the id of a container, or of a bare block from before proposervm, as the chain's nodes compute it. A
 * container's id does not cover its signature: see {@link hasValidSignature}. Bytes that are no block have an id, too,
 * but nobody asks for it.
 *
 * @throws CodecError, TxsError, SyncError `SYNC_UNREADABLE` if the bytes cannot be a block of the chain
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Containers } from '@firn/sync'
 *
 * declare const bytes: Uint8Array
 * const { id, read } = Containers.identify('P', bytes)
 * console.log(Id.format(id), read().height)
 * ```
 */
export function identify(chain: ChainAlias, bytes: Uint8Array): Identified {
  const opened = Container.open(bytes, chain === 'C' ? (block) => EvmBlock.decode(block).hash : Id.hash)
  if (opened.kind === 'preFork' && isWithoutSignature(bytes)) {
    throw new SyncError('SYNC_UNREADABLE', 'expected a container, got one without its signature field')
  }
  return {
    id: opened.id,
    read() {
      try {
        const { parentId, height } = header(chain, opened.block)
        return {
          height,
          id: opened.id,
          parentId: opened.kind === 'postFork' ? opened.container.parentID : parentId,
          bytes,
        }
      } catch (cause) {
        const id = Id.format(opened.id)
        const message = `block ${id} of the ${chain}-chain has a type or version that is not known. Upgrade Firn.`
        throw new SyncError('SYNC_UNREADABLE', message, { cause, details: { id } })
      }
    },
  }
}

/**
 * Returns whether a block's container has its proposer's signature. Bare blocks, options and containers without a
 * proposer have none, so they are valid without one. RSA signatures are slow to check in JavaScript: services check
 * them in other threads.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { type Block, Containers } from '@firn/sync'
 *
 * declare const block: Block
 * Containers.hasValidSignature(Id.EMPTY, block.bytes) // of a P-chain block
 * ```
 */
export function hasValidSignature(chainId: Uint8Array, bytes: Uint8Array): boolean {
  try {
    const opened = Container.open(bytes)
    if (opened.kind === 'postFork') Container.verify(opened.container, chainId, opened.id)
    return true
  } catch {
    return false
  }
}

/** Types of containers with a signature. */
const SIGNED_TYPES = [0, 2]
const NO_SIGNATURE = new Uint8Array(4)

/**
 * Returns whether the bytes are a container from which the signature and its length are cut off. Their SHA-256 is the
 * container's id, so as a bare block they would have the id that was asked for.
 */
function isWithoutSignature(bytes: Uint8Array): boolean {
  if (!SIGNED_TYPES.includes(typeOf(bytes))) return false
  try {
    Container.decode(Bytes.concat(bytes, NO_SIGNATURE))
    return true
  } catch {
    return false
  }
}

interface Header {
  readonly parentId: Uint8Array
  readonly height: bigint
}

function header(chain: ChainAlias, block: Uint8Array): Header {
  switch (chain) {
    case 'P':
      return platformHeader(block)
    case 'X':
      return (
        (typeOf(block) === AVM_TYPE && readHeader(block, TYPE_END)) || fromDecoded(AvmBlock.decode(block))
      )
    case 'C': {
      const { parentHash, number } = EvmBlock.decode(block).header
      return { parentId: parentHash, height: number }
    }
  }
}

/** Length of the codec version and the type id. */
const TYPE_END = 6
const TIME_LENGTH = 8
/** The only type of X-chain blocks. */
const AVM_TYPE = 20
const APRICOT_TYPES = [0, 1, 2, 3, 4]
/** Types with only the time before the parent. The other Banff type has transactions there. */
const BANFF_TYPES = [30, 31, 32]

/** Reads the header only where it can, because decoding transactions takes most of the time of a fetch. */
function platformHeader(block: Uint8Array): Header {
  const type = typeOf(block)
  const at = APRICOT_TYPES.includes(type)
    ? TYPE_END
    : BANFF_TYPES.includes(type)
      ? TYPE_END + TIME_LENGTH
      : undefined
  return (at !== undefined && readHeader(block, at)) || fromDecoded(PlatformBlock.decode(block))
}

/** Returns the block's type id, or -1 if it is too short or of another codec version. */
function typeOf(block: Uint8Array): number {
  if (block.length < TYPE_END) return -1
  const view = new DataView(block.buffer, block.byteOffset)
  return view.getUint16(0) === 0 ? view.getUint32(2) : -1
}

/** Returns the parent and the height at an offset, or undefined if the block is too short. */
function readHeader(block: Uint8Array, at: number): Header | undefined {
  const end = at + Id.LENGTH
  if (block.length < end + 8) return undefined
  const view = new DataView(block.buffer, block.byteOffset)
  return { parentId: block.subarray(at, end), height: view.getBigUint64(end) }
}

function fromDecoded(block: AvmBlock.AvmBlock | PlatformBlock.PlatformBlock): Header {
  return { parentId: block.parentID, height: block.height }
}
