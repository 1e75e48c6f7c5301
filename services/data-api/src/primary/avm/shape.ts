import { Hex, Id } from '@firn/codec'
import type { Transactions, Utxos, Vertices } from '@firn/store'
import { AvmTx, UtxoId } from '@firn/txs'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import { AVM_TX_TYPES } from '../shapes/AvmTransaction.ts'
import { avmUtxo, unknownAvmUtxo } from '../shapes/AvmUtxo.ts'
import { commonMembers } from '../shapes/CommonTransaction.ts'
import { credentials } from '../shapes/Credential.ts'
import { amountsOf, type Surroundings, sharesOf } from '../shapes/PlatformUtxo.ts'
import { timeOf } from '../shapes/Vertex.ts'

/** An X-chain transaction, or an atomic transaction of the C-chain, with its consumed and created outputs. */
export interface AvmFacts {
  readonly listed: Transactions.Details
  readonly consumed: readonly Utxos.UtxoHistory[]
  /** Outputs of the C-chain that the transaction imports, if the C-chain is not followed. */
  readonly unknown: readonly Transactions.UnknownInput[]
  readonly made: readonly Utxos.UtxoHistory[]
  /** Vertices that contain the transaction; empty or undefined for transactions of blocks and of the genesis. */
  readonly vertices?: readonly Omit<Vertices.Vertex, 'bytes'>[]
}

/** Returns an X-chain transaction in the Data API's format. */
export function avmTransaction(facts: AvmFacts, around: Surroundings): Body {
  const { listed, consumed, unknown, made } = facts
  const tx = AvmTx.decode(listed.bytes)
  const { unsignedTx } = tx
  const signers = signersOf(tx, AvmTx.unsignedBytes(listed.bytes, tx))
  const order = [...signers.keys()]
  const inputs = consumed.toSorted((a, b) => order.indexOf(keyOf(a.id)) - order.indexOf(keyOf(b.id)))
  const spent = [...sharesOf(consumed), ...unknown]
  return {
    txHash: Id.format(listed.id),
    ...containersOf(facts),
    timestamp: listed.time,
    txType: AVM_TX_TYPES.find((name) => name === listed.name) ?? 'UNKNOWN',
    memo: Hex.encode(unsignedTx.memo),
    consumedUtxos: [
      ...inputs.map((utxo) => avmUtxo(utxo, around, signers.get(keyOf(utxo.id)))),
      ...unknown.map((input) => unknownAvmUtxo(input, listed, around, signers.get(keyOf(input.id)) ?? [])),
    ],
    emittedUtxos: made.map((utxo) => avmUtxo(utxo, around)),
    amountUnlocked: amountsOf(spent, around),
    amountCreated: amountsOf(sharesOf(made), around),
    ...commonMembers({ listed, spent, made: sharesOf(made) }, around),
    ...chainsOf(unsignedTx, around),
    assetCreated: unsignedTx.type === 'CreateAssetTx' ? assetCreated(unsignedTx, listed) : undefined,
  }
}

/** Returns the block of a transaction, or the vertices. The transaction itself has the time of the linearization. */
function containersOf({ listed, vertices = [] }: AvmFacts) {
  const { height, blockId, time } = listed
  if (vertices.length === 0)
    return { chainFormat: 'linear', blockHeight: height, blockHash: Id.format(blockId) }
  return {
    chainFormat: 'non-linear',
    vertices: vertices.map((one) => {
      return { hash: Id.format(one.id), height: one.height, timestamp: timeOf(one, time) }
    }),
  }
}

/**
 * Returns the signatures with which each output was consumed, by output id in hex, in the order of the inputs,
 * operations and imported inputs.
 */
function signersOf({ unsignedTx, credentials: given }: AvmTx.AvmTx, unsigned: Uint8Array) {
  const spent: readonly (readonly UtxoId.UtxoId[])[] = [
    ...unsignedTx.inputs.map((input) => [input]),
    ...AvmTx.operations(unsignedTx).map(({ inputIDs: inputIds }) => inputIds),
    ...(AvmTx.imported(unsignedTx)?.inputs ?? []).map((input) => [input]),
  ]
  const signers = new Map<string, readonly Body[]>()
  spent.forEach((ids, i) => {
    const credential = given[i]
    const signatures = credential !== undefined && 'signatures' in credential ? credential.signatures : []
    const shapes = credentials(signatures, unsigned)
    for (const id of ids) signers.set(keyOf(UtxoId.inputId(id)), shapes)
  })
  return signers
}

function chainsOf(tx: AvmTx.UnsignedTx, { chainIds }: Surroundings) {
  const [imported, exported] = [AvmTx.imported(tx), AvmTx.exported(tx)]
  if (imported === undefined && exported === undefined) return {}
  return {
    sourceChain: imported === undefined ? chainIds.X : Id.format(imported.from),
    destinationChain: exported === undefined ? chainIds.X : Id.format(exported.to),
  }
}

/** Returns the asset that a transaction creates, or undefined for other transaction types. */
export function assetDetails(listed: Transactions.Details): Body | undefined {
  const { unsignedTx } = AvmTx.decode(listed.bytes)
  return unsignedTx.type === 'CreateAssetTx' ? assetCreated(unsignedTx, listed) : undefined
}

/** Returns the created asset. The asset id equals the id of the creating transaction. */
function assetCreated(tx: AvmTx.CreateAssetTx, { id, time }: Transactions.Details): Body {
  const outputs = tx.initialStates.flatMap((state) => state.outputs)
  return {
    assetId: Id.format(id),
    name: tx.name,
    symbol: tx.symbol,
    denomination: tx.denomination,
    type: outputs.some(({ type }) => type.startsWith('Nft')) ? 'nft' : 'secp256k1',
    createdAtTimestamp: time,
    cap: outputs.some(({ type }) => type.endsWith('MintOutput')) ? 'variable' : 'fixed',
  }
}

function keyOf(id: Uint8Array): string {
  return Hex.encodeBare(id)
}
