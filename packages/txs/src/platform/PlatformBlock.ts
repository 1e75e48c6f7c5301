import { Bytes, Id, Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { TxsError } from '../TxsError.ts'
import { type PlatformTx, Tx } from './PlatformTx.ts'

const common = { parentID: Codec.id, height: Codec.u64 }
const apricot = {
  Proposal: Codec.struct({ ...common, tx: Tx }),
  Decision: Codec.struct(common),
  Standard: Codec.struct({ ...common, txs: Codec.array(Tx) }),
}
/** Unix time in seconds. */
const time = Codec.u64

/** The type that a block's JSON, which doesn't name it, is read as. */
const TYPE = 'platformBlockType'

const variants = {
  ApricotProposalBlock: [0, apricot.Proposal],
  ApricotAbortBlock: [1, apricot.Decision],
  ApricotCommitBlock: [2, Codec.struct(common)],
  ApricotStandardBlock: [3, apricot.Standard],
  ApricotAtomicBlock: [4, Codec.struct({ ...common, tx: Tx })],
  // The transactions to decide on come before the common fields, the proposal after them.
  BanffProposalBlock: [29, Codec.struct({ time, txs: Codec.array(Tx), ...apricot.Proposal.fields })],
  BanffAbortBlock: [30, Codec.struct({ time, ...common })],
  BanffCommitBlock: [31, Codec.struct({ time, ...common })],
  BanffStandardBlock: [32, Codec.struct({ time, ...apricot.Standard.fields })],
} as const

/** A block of the P-chain, told by `type`: `parentID`, `height`, since Banff `time`, and `txs` or a `tx` to vote on. */
export type PlatformBlock = Codec.InferVariants<typeof variants>

/** The name of a type of block. */
export type BlockType = PlatformBlock['type']

const union: Codec.Codec<PlatformBlock> = Codec.union(variants, {
  variantOf: (_json, context) => context[TYPE] as BlockType,
})

const layout: Codec.Codec<PlatformBlock> = Codec.withJson(union, {
  json(value, _context, plain) {
    const members = Object.entries(plain(value) as Members)
    const at = members.findIndex(([name]) => name === 'height') + 1
    return Object.fromEntries(members.toSpliced(at, 0, ['id', Id.format(id(encode(value)))])) as Members
  },
  unjson: (json, context) => readJSON(json, context),
})

/** A block as it is stored and as it stands in a container: codec version 0, at most 256 KiB. */
export const codec: Codec.Codec<PlatformBlock> = Codec.versioned(layout)
const bytesOnly = Codec.versioned(union)

/**
 * The block in `bytes`. Nothing is verified.
 * @throws CodecError any code of binary data, with `path` and `offset`
 */
export function decode(bytes: Uint8Array): PlatformBlock {
  return codec.decode(bytes)
}

/**
 * The bytes of a block, with the codec version.
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`, with `path`
 */
export function encode(block: PlatformBlock): Uint8Array {
  return bytesOnly.encode(block)
}

/** The id of the block whose bytes are given: their SHA-256. Containers around it have ids of their own. */
export function id(bytes: Uint8Array): Uint8Array {
  return Id.hash(bytes)
}

/** The transactions of a block in the order of their execution: those to decide on, then the one to vote on. */
export function transactions(block: PlatformBlock): PlatformTx[] {
  return [...('txs' in block ? block.txs : []), ...('tx' in block ? [block.tx] : [])]
}

/** The node's JSON of a block in a {@link NodeJson.context}; print it with `Json.stringify`. */
export function toJSON(block: PlatformBlock, context?: Codec.JsonContext): Json.Json {
  return codec.toJSON(block, context)
}

/**
 * The block that the node's JSON (read by `Json.parse`) stands for. Blocks that abort and commit have the same members: their
 * `id` tells which it is, and must be there.
 * @throws CodecError with `path`; TxsError `TXS_ID`: no block with these members has the `id`
 */
export function fromJSON(json: Json.Json, context?: Codec.JsonContext): PlatformBlock {
  return codec.fromJSON(json, context)
}

type Members = Readonly<Record<string, Json.Json>>

function typesOf(members: Members): readonly BlockType[] {
  const [isBanff, hasTx, hasTxs] = ['time', 'tx', 'txs'].map((name) => members[name] !== undefined)
  if (isBanff) {
    if (hasTx) return ['BanffProposalBlock']
    return hasTxs ? ['BanffStandardBlock'] : ['BanffCommitBlock', 'BanffAbortBlock']
  }
  if (hasTx) return ['ApricotProposalBlock', 'ApricotAtomicBlock']
  return hasTxs ? ['ApricotStandardBlock'] : ['ApricotCommitBlock', 'ApricotAbortBlock']
}

function readJSON(json: Json.Json, context: Codec.JsonContext): PlatformBlock {
  const members = (json ?? {}) as Members
  const types = typesOf(members)
  const expected = members['id']
  for (const type of types) {
    const block = union.unjson(json, { ...context, [TYPE]: type })
    if (expected === undefined && types.length === 1) return block
    if (typeof expected === 'string' && Bytes.equals(Id.parse(expected), id(encode(block)))) return block
  }
  const got = expected === undefined ? 'none' : Json.stringify(expected)
  throw new TxsError('TXS_ID', `expected the id of a ${types.join(' or ')}, got ${got}`, {
    details: { types },
  })
}
