import { type ChainAlias, Hex, Id, isFirnError, type Json, Network, NodeId } from '@firn/codec'
import { Describe as WarpDescribe } from '@firn/warp'
import * as AtomicBatch from '../atomic/AtomicBatch.ts'
import * as AtomicTx from '../atomic/AtomicTx.ts'
import * as AtomicUtxo from '../atomic/AtomicUtxo.ts'
import * as EvmBlock from '../atomic/EvmBlock.ts'
import * as NodeJson from '../avax/NodeJson.ts'
import type * as Utxo from '../avax/Utxo.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import * as AvmBlock from '../avm/AvmBlock.ts'
import * as AvmTx from '../avm/AvmTx.ts'
import * as AvmUtxo from '../avm/AvmUtxo.ts'
import * as Vertex from '../avm/Vertex.ts'
import * as PlatformBlock from '../platform/PlatformBlock.ts'
import * as PlatformTx from '../platform/PlatformTx.ts'
import * as PlatformUtxo from '../platform/PlatformUtxo.ts'
import * as Container from '../proposervm/Container.ts'
import { TxsError } from '../TxsError.ts'
import * as Signatures from '../wallet/Signatures.ts'
import type * as Signers from '../wallet/Signers.ts'
import type { Description, Members, Options } from './Description.ts'

/** Returns the result of `work`, or undefined if it throws a FirnError. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}

type UnsignedBytes = { readonly [C in ChainAlias]: Signers.UnsignedTxs[C] }

/**
 * Describes a transaction without credentials, as hardware wallets and custodians pass it on. A node has no JSON for it,
 * and it has no id before it is signed.
 */
export function unsigned<C extends ChainAlias>(
  chain: C,
): (tx: UnsignedBytes[C], bytes: Uint8Array, options: Options) => Description {
  return (tx, bytes, options) => {
    const context = contextOf(options, chain, [{ unsignedTx: tx }])
    const { unsignedTx } = txMembers({ unsignedTx: tx }, JSONS[chain](tx as never, context))
    return {
      members: {
        type: tx.type,
        hash: Hex.encode(Id.hash(bytes)),
        unsignedTx: unsignedTx as Json.Json,
        ...signatures(chain, bytes, options),
      },
    }
  }
}

type ToJson = (tx: never, context: NodeJson.NodeJsonContext) => Json.Json
const JSONS: { readonly [C in ChainAlias]: ToJson } = {
  P: (unsignedTx, context) => PlatformTx.toJSON({ unsignedTx, credentials: [] }, context),
  X: (unsignedTx, context) => AvmTx.toJSON({ unsignedTx, credentials: [] }, context),
  C: (unsignedTx, context) => AtomicTx.toJSON({ unsignedTx, credentials: [] }, context),
}

/** Describes who has signed a transaction, if it needs signatures. */
export function signatures(chain: ChainAlias, bytes: Uint8Array, { utxos = [] }: Options): Members {
  const found = attempt(() => Signatures.of(chain, bytes, { utxos }))
  const shown = Object.entries(found ?? {}).filter(([, value]) => value !== 0 && value.length !== 0)
  return shown.length === 0 ? {} : { signatures: Object.fromEntries(shown) }
}

type AnyTx = {
  readonly unsignedTx: {
    readonly type: string
    readonly networkID?: number
    readonly message?: Uint8Array
  }
}

/**
 * Returns the JSON context of the requested network. Defaults to the network that the transactions name, then
 * to the local network.
 */
function contextOf({ networkId }: Options, chain: ChainAlias, txs: readonly AnyTx[]) {
  const named = txs.find(({ unsignedTx }) => unsignedTx.networkID !== undefined)
  return NodeJson.context(networkId ?? named?.unsignedTx.networkID ?? Network.LOCAL, chain)
}

/** Moves the id to the front; the node prints it at the end. */
function idFirst(json: Json.Json): Members {
  const members = json as Members
  return { id: members['id'] as Json.Json, ...members }
}

/** Returns the fields of a transaction. If it contains a Warp message, the message is described too. */
function txMembers({ unsignedTx }: AnyTx, json: Json.Json): Members {
  const members = idFirst(json)
  const { message } = unsignedTx
  if (message === undefined) return members
  const plain = members['unsignedTx'] as Members
  const opened = attempt(() => WarpDescribe.tree(message)) ?? (plain['message'] as Json.Json)
  return { ...members, unsignedTx: { ...plain, message: opened } }
}

/** Returns a transaction's JSON with its type added, because the node's JSON of a block lacks it. */
function typed(tx: AnyTx, json: Json.Json): Json.Json {
  return { kind: tx.unsignedTx.type, ...txMembers(tx, json) }
}

function allTyped(txs: readonly AnyTx[], json: Json.Json | undefined): Json.Json {
  return txs.map((tx, i) => typed(tx, (json as readonly Json.Json[])[i] as Json.Json))
}

export function platformTx(tx: PlatformTx.PlatformTx, bytes: Uint8Array, options: Options): Description {
  const json = PlatformTx.toJSON(tx, contextOf(options, 'P', [tx]))
  const members = { type: tx.unsignedTx.type, ...txMembers(tx, json), ...signatures('P', bytes, options) }
  return { members, json }
}

export function avmTx(tx: AvmTx.AvmTx, bytes: Uint8Array, options: Options): Description {
  const json = AvmTx.toJSON(tx, contextOf(options, 'X', [tx]))
  const members = { type: tx.unsignedTx.type, ...txMembers(tx, json), ...signatures('X', bytes, options) }
  return { members, json }
}

/**
 * Describes an atomic transaction. The description shows addresses in bech32, while `json` shows them in cb58, as the
 * node prints atomic transactions.
 */
export function atomicTx(tx: AtomicTx.AtomicTx, bytes: Uint8Array, options: Options): Description {
  const id = Id.format(AtomicTx.id(AtomicTx.encode(tx)))
  const json = AtomicTx.toJSON(tx, contextOf(options, 'C', [tx])) as Members
  const members = { type: tx.unsignedTx.type, id, ...json, ...signatures('C', bytes, options) }
  return { members, json: AtomicTx.toJSON(tx) }
}

function atomicTxs(txs: readonly AtomicTx.AtomicTx[], options: Options): Json.Json {
  return txs.map((tx) => {
    const { type, ...members } = atomicTx(tx, new Uint8Array(), options).members
    return { kind: type as Json.Json, ...members }
  })
}

/** Decodes the atomic transactions of a block, and rejects empty bytes. */
export function decodeBatch(bytes: Uint8Array): readonly AtomicTx.AtomicTx[] {
  const txs = AtomicBatch.decode(bytes)
  if (txs.length > 0) return txs
  throw new TxsError('TXS_EMPTY', 'expected the encoded atomic transactions of a block, got no bytes')
}

export function atomicBatch(
  txs: readonly AtomicTx.AtomicTx[],
  _bytes: Uint8Array,
  options: Options,
): Description {
  return { members: { txs: atomicTxs(txs, options) } }
}

export function platformBlock(
  block: PlatformBlock.PlatformBlock,
  _bytes: Uint8Array,
  options: Options,
): Description {
  const json = PlatformBlock.toJSON(
    block,
    contextOf(options, 'P', PlatformBlock.transactions(block)),
  ) as Members
  const txs = 'txs' in block ? { txs: allTyped(block.txs, json['txs']) } : {}
  const tx = 'tx' in block ? { tx: typed(block.tx, json['tx'] as Json.Json) } : {}
  return { members: { type: block.type, ...idFirst(json), ...txs, ...tx }, json }
}

export function avmBlock(block: AvmBlock.AvmBlock, _bytes: Uint8Array, options: Options): Description {
  const json = AvmBlock.toJSON(block, contextOf(options, 'X', block.txs)) as Members
  return { members: { type: block.type, ...idFirst(json), txs: allTyped(block.txs, json['txs']) }, json }
}

export function vertex(value: Vertex.Vertex, bytes: Uint8Array, options: Options): Description {
  const members = {
    type: value.type,
    id: Id.format(Vertex.id(bytes)),
    chainID: Id.format(value.chainID),
    height: value.height,
  }
  const parentIds = value.parentIDs.map(Id.format)
  if (value.type === 'StopVertex') return { members: { ...members, parentIDs: parentIds } }
  const txs = value.txs.map((tx) => attempt(() => vertexTx(tx, options)) ?? Hex.encode(tx))
  const isWhole = txs.every((tx) => typeof tx !== 'string')
  return { members: { ...members, epoch: value.epoch, parentIDs: parentIds, txs }, isWhole }
}

function vertexTx(bytes: Uint8Array, options: Options): Json.Json {
  const { type, ...members } = avmTx(AvmTx.decode(bytes), bytes, options).members
  return { kind: type as Json.Json, ...members }
}

/** Describes a UTXO of the P-chain. `id` is the id under which the node stores the UTXO. */
export function platformUtxo(
  utxo: PlatformUtxo.PlatformUtxo,
  _bytes: Uint8Array,
  options: Options,
): Description {
  return describeUtxo(utxo, PlatformUtxo.codec.toJSON(utxo, contextOf(options, 'P', [])))
}

export function avmUtxo(utxo: AvmUtxo.AvmUtxo, _bytes: Uint8Array, options: Options): Description {
  return describeUtxo(utxo, AvmUtxo.codec.toJSON(utxo, contextOf(options, 'X', [])))
}

export function atomicUtxo(utxo: AtomicUtxo.AtomicUtxo, _bytes: Uint8Array, options: Options): Description {
  return describeUtxo(utxo, AtomicUtxo.codec.toJSON(utxo, contextOf(options, 'C', [])))
}

function describeUtxo(utxo: Utxo.Utxo<{ readonly type: string }>, json: Json.Json): Description {
  const members = json as Members
  const output = { kind: utxo.output.type, ...(members['output'] as Members) }
  return { members: { id: Id.format(UtxoId.inputId(utxo)), ...members, output }, json }
}

export function evmBlock(block: EvmBlock.EvmBlock, _bytes: Uint8Array, options: Options): Description {
  const { number, timestamp, ...header } = block.header
  const txs = atomicTxsOf(block.extData)
  const fields = Object.entries({ number, timestamp, ...header }).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? value : Hex.encode(value),
  ])
  const transactions = block.transactions.map((tx) => Hex.encode(EvmBlock.transactionHash(tx)))
  const extra =
    txs === undefined
      ? { blockExtraData: Hex.encode(block.extData) }
      : { atomicTransactions: atomicTxs(txs, options) }
  const members = { hash: Hex.encode(block.hash), ...Object.fromEntries(fields), transactions, ...extra }
  return { members, isWhole: txs !== undefined }
}

/**
 * Decodes the atomic transactions of a block. A block does not say whether it is from before Apricot phase 5, so both
 * formats are tried. Bytes that are not empty decode in only one of them.
 */
function atomicTxsOf(extData: Uint8Array): readonly AtomicTx.AtomicTx[] | undefined {
  return attempt(() => AtomicBatch.decode(extData)) ?? attempt(() => AtomicBatch.decodeSingle(extData))
}

/** Describes a container. `inner` is its described block, or undefined if the block is of an unknown VM. */
export function container(value: Container.Container, inner: Json.Json | undefined): Description {
  const begin = {
    type: value.type,
    id: Id.format(Container.id(value)),
    parentID: Id.format(value.parentID),
  }
  const block = inner ?? Hex.encode(value.block)
  const isWhole = inner !== undefined
  if (value.type === 'Option') return { members: { ...begin, block }, isWhole }
  const { timestamp, pChainHeight, certificate } = value
  const proposer = certificate.length === 0 ? null : NodeId.format(Container.proposer(value))
  const epoch = value.type === 'GraniteBlock' ? { epoch: { ...value.epoch } } : {}
  const signature = Hex.encode(value.signature)
  return {
    members: { ...begin, timestamp, pChainHeight, ...epoch, proposer, signature, block },
    isWhole,
  }
}
