import { Bytes, type ChainAlias, type FirnError, Hex, Id, isFirnError } from '@firn/codec'
import type { Reads } from '@firn/ledger'
import type { Accepted } from '@firn/store'
import { AvmBlock, Container, EvmBlock, PlatformBlock } from '@firn/txs'
import { IndexerError } from '../common/IndexerError.ts'
import type { SourceBlock } from './Source.ts'

/** A decoded block, with the ids of its parent and its container. */
export interface DecodedBlock {
  readonly chain: ChainAlias
  readonly height: bigint
  /** The inner block's id. On the C-chain, it is the EVM block's hash. */
  readonly id: Uint8Array
  readonly parentId: Uint8Array
  /**
   * Time in Unix seconds. A P-chain block before Banff has no time, so the time of its container is used; undefined
   * if there is none.
   */
  readonly time: bigint | undefined
  /** The inner block. */
  readonly bytes: Uint8Array
  /**
   * The container around the block if the source returned one. Before the activation of the proposervm, a
   * container has no parent.
   */
  readonly container:
    | (NonNullable<Accepted['container']> & { readonly parentId: Uint8Array | undefined })
    | undefined
  readonly origin: string
}

/** A decoded block with its contents, which need several times the memory of its bytes. */
export interface WithContents extends DecodedBlock {
  readonly contents: Reads.Decoded[ChainAlias]
}

/** Height and ids of the last block of a chain, which the next block must follow. */
export interface Link {
  readonly height: bigint
  /** Id of the last block. All zeros mean that any parent is accepted. */
  readonly blockId: Uint8Array
  /** Id of the container around the last block; undefined if unknown. */
  readonly containerId: Uint8Array | undefined
}

/** Reason why a block is rejected: a short label for metrics. */
export type Refusal =
  | 'bytes'
  | 'id'
  | 'signature'
  | 'height'
  | 'parent'
  | 'container'
  | 'rules'
  | 'unsupported'
  | 'unexpected'

/** Id of the chain whose proposers' signatures are checked; undefined if signatures are not checked. */
export type SignedBy = Uint8Array | undefined

/**
 * Decodes a block from a source: the container, the inner block and both ids. If `chainId` is given, also checks the
 * signature of the container's proposer.
 * @throws IndexerError `INDEXER_BLOCK`, `INDEXER_UNSUPPORTED`
 */
export function decode(chain: ChainAlias, given: SourceBlock, chainId?: SignedBy): WithContents {
  const { origin } = given
  let { bytes } = given
  try {
    const opened = given.kind === 'container' ? Container.open(given.bytes, (b) => idOf(chain, b)) : undefined
    bytes = opened?.block ?? given.bytes
    // The id is checked first, so that changed bytes are not taken for a block of a later upgrade.
    if (opened !== undefined) assertId(chain, given, opened.id)
    const header = headerOf(chain, bytes)
    const id = opened?.id ?? header.id
    assertId(chain, given, id)
    if (opened?.kind === 'postFork' && chainId !== undefined)
      Container.verify(opened.container, chainId, opened.id)
    const parentId = opened?.kind === 'postFork' ? opened.container.parentID : undefined
    const { acceptedAt } = given
    const container = opened && {
      id,
      bytes: given.bytes,
      parentId,
      ...(acceptedAt === undefined ? {} : { acceptedAt }),
    }
    const time = header.time ?? timeOf(opened)
    return { chain, ...header, time, bytes, container, origin }
  } catch (cause) {
    if (cause instanceof IndexerError) throw cause
    // Bytes that the decoder cannot cope with are a bug, which must not stop the chain.
    if (!isFirnError(cause)) throw refused(chain, undefined, 'unexpected', String(cause), origin, cause)
    if (isUnsupported(bytes, bytes === given.bytes, cause)) throw unsupported(chain, undefined, cause, origin)
    const reason = cause.code.startsWith('TXS_SIGNATURE') ? 'signature' : 'bytes'
    throw refused(chain, undefined, reason, cause.message, origin, cause)
  }
}

/**
 * Checks that a block follows the block that `last` describes.
 * @throws IndexerError `INDEXER_BLOCK`
 */
export function assertFollows(block: DecodedBlock, last: Link): void {
  const { chain, height, parentId, container, origin } = block
  const expected = last.height + 1n
  if (height !== expected) {
    throw refused(chain, expected, 'height', `expected height ${expected}, got ${height}`, origin)
  }
  if (!Bytes.isZero(last.blockId) && !Bytes.equals(parentId, last.blockId)) {
    const words = `expected the parent id ${name(last.blockId)}, got ${name(parentId)}`
    throw refused(chain, height, 'parent', words, origin)
  }
  const before = last.containerId
  if (container?.parentId === undefined || before === undefined || Bytes.isZero(before)) return
  if (!Bytes.equals(container.parentId, before)) {
    const words = `expected the parent container id ${name(before)}, got ${name(container.parentId)}`
    throw refused(chain, height, 'container', words, origin)
  }
}

/** Returns the link to a block, which the next block must follow. */
export function linkOf({ height, id, container }: DecodedBlock): Link {
  return { height, blockId: id, containerId: container?.id }
}

/** Creates the error for a rejected block. The message names the chain and height. */
export function refused(
  chain: ChainAlias,
  height: bigint | undefined,
  reason: Refusal,
  words: string,
  origin: string,
  cause?: unknown,
): IndexerError {
  const at = height === undefined ? `block of the ${chain}-chain` : `${chain}-chain block ${height}`
  return new IndexerError('INDEXER_BLOCK', `${at} from ${origin}: ${words}`, {
    details: { chain, height, reason, origin },
    ...(cause === undefined ? {} : { cause }),
  })
}

/** Codes of errors for blocks with a type, a codec version or contents of a later network upgrade. */
const UNSUPPORTED = ['CODEC_TYPE_ID', 'TXS_UNSUPPORTED', 'LEDGER_BLOCK_TYPE', 'LEDGER_TX_TYPE']

/**
 * Returns whether bytes that failed to decode belong to a later network upgrade. Containers and the blocks of the P-
 * and X-chain start with a codec version of 16 bits, whose first byte is 0. A C-chain block never starts with 0, so
 * such bytes outside of a container are an unknown container.
 */
function isUnsupported(bytes: Uint8Array, isOuter: boolean, { code }: FirnError): boolean {
  if (UNSUPPORTED.includes(code)) return true
  return bytes[0] === 0 && (code === 'CODEC_VERSION' || (code === 'TXS_RLP' && isOuter))
}

function assertId(chain: ChainAlias, { id: expected, origin }: SourceBlock, id: Uint8Array): void {
  if (expected === undefined || Bytes.equals(expected, id)) return
  const words = `expected the block id ${name(expected)}, got ${name(id)}`
  throw refused(chain, undefined, 'id', words, origin)
}

/**
 * Creates the error for a block that breaks a ledger rule. A type of block or transaction that is not active yet is
 * reported as unsupported, because the network may have activated an upgrade that this version does not know. An error
 * that is not typed is a bug in the ledger.
 */
export function refusedByRules({ chain, height, origin }: DecodedBlock, cause: unknown): IndexerError {
  if (!isFirnError(cause)) return refused(chain, height, 'unexpected', String(cause), origin, cause)
  if (UNSUPPORTED.includes(cause.code)) return unsupported(chain, height, cause, origin)
  return refused(chain, height, 'rules', cause.message, origin, cause)
}

function unsupported(
  chain: ChainAlias,
  height: bigint | undefined,
  cause: FirnError,
  origin: string,
): IndexerError {
  const { message, details } = refused(chain, height, 'unsupported', cause.message, origin)
  const remedy =
    'The network may have an upgrade that this version does not know. Correct the upgrade times of a custom network (--upgrade-file), or upgrade Firn.'
  return new IndexerError('INDEXER_UNSUPPORTED', `${message}. ${remedy}`, { details, cause })
}

interface Header {
  readonly contents: Reads.Decoded[ChainAlias]
  readonly id: Uint8Array
  readonly parentId: Uint8Array
  readonly height: bigint
  readonly time: bigint | undefined
}

function headerOf(chain: ChainAlias, bytes: Uint8Array): Header {
  if (chain === 'C') {
    const contents = EvmBlock.decode(bytes)
    const { hash, header } = contents
    return { contents, id: hash, parentId: header.parentHash, height: header.number, time: header.timestamp }
  }
  const contents = chain === 'P' ? PlatformBlock.decode(bytes) : AvmBlock.decode(bytes)
  const time = 'time' in contents ? contents.time : undefined
  return { contents, id: Id.hash(bytes), parentId: contents.parentID, height: contents.height, time }
}

/** Returns the container's id. Before the activation of the proposervm, a block is its own container. */
function idOf(chain: ChainAlias, bytes: Uint8Array): Uint8Array {
  return chain === 'C' ? EvmBlock.decode(bytes).hash : Id.hash(bytes)
}

function timeOf(opened: Container.Unwrapped | undefined): bigint | undefined {
  if (opened?.kind !== 'postFork' || opened.container.type === 'Option') return undefined
  return opened.container.timestamp
}

function name(id: Uint8Array): string {
  return id.length === Id.LENGTH ? Id.format(id) : Hex.encode(id)
}
