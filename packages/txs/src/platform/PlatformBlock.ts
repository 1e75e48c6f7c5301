import { Bytes, Id, Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { type Serialized, serialized } from '../internal/serialized.ts'
import { TxsError } from '../TxsError.ts'
import { type PlatformTx, Tx } from './PlatformTx.ts'

const common = { parentID: Codec.id, height: Codec.u64 }
const apricot = {
  Proposal: Codec.struct({ ...common, tx: Tx }),
  Decision: Codec.struct(common),
  Standard: Codec.struct({ ...common, txs: Codec.array(Tx) }),
}
/** Unix time in seconds of the block. */
const time = Codec.u64

/** Context key for the block type with which a block's JSON is read. The JSON does not name the type. */
const TYPE = 'platformBlockType'

const variants = {
  ApricotProposalBlock: [0, apricot.Proposal],
  ApricotAbortBlock: [1, apricot.Decision],
  ApricotCommitBlock: [2, Codec.struct(common)],
  ApricotStandardBlock: [3, apricot.Standard],
  ApricotAtomicBlock: [4, Codec.struct({ ...common, tx: Tx })],
  // On the wire, the decision transactions come before the common fields, and the proposal transaction comes
  // after them.
  BanffProposalBlock: [29, Codec.struct({ time, txs: Codec.array(Tx), ...apricot.Proposal.fields })],
  BanffAbortBlock: [30, Codec.struct({ time, ...common })],
  BanffCommitBlock: [31, Codec.struct({ time, ...common })],
  BanffStandardBlock: [32, Codec.struct({ time, ...apricot.Standard.fields })],
} as const

/**
 * A block of the P-chain, discriminated by `type`. Since Banff, blocks have a `time`. Standard blocks contain a list
 * `txs`, atomic blocks a single `tx`, and proposal blocks a proposal `tx` and, since Banff, also a list `txs`. Abort
 * and commit blocks contain no transactions.
 */
export type PlatformBlock = Codec.InferVariants<typeof variants>

/** The name of a block type. */
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

/** Encoding, ids and JSON of blocks. A container around a block has its own id. */
export const { codec, decode, encode, id, toJSON, fromJSON }: Serialized<PlatformBlock> = serialized(
  Codec.versioned(layout),
)

/**
 * Returns the transactions of a block in the order of execution: decision transactions first, then the
 * proposal transaction.
 * @example
 * ```ts
 * import { PlatformBlock } from '@firn/txs'
 *
 * declare const bytes: Uint8Array // a P-chain block
 * const types = PlatformBlock.transactions(PlatformBlock.decode(bytes)).map((tx) => tx.unsignedTx.type)
 * ```
 */
export function transactions(block: PlatformBlock): PlatformTx[] {
  return [...('txs' in block ? block.txs : []), ...('tx' in block ? [block.tx] : [])]
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
  throw new TxsError('TXS_ID', `expected the id of a ${types.join(' or ')} with this content, got ${got}`, {
    details: { types },
  })
}
