import { CheckedHex, Hex, Id } from '@firn/codec'
import { AtomicBatch, AtomicTx, EvmBlock } from '@firn/txs'
import * as Case from '../Case.ts'
import { checkContainer } from './container.ts'
import type { Folder } from './RecordedChain.ts'

/**
 * Values that a node reports for a block but that the block's bytes do not contain: execution results, size
 * and totals.
 */
const EXECUTION = [
  'receipts',
  'logs',
  'callTrace',
  'callTraceOmitted',
  'executedStateRoot',
  'balanceEwoq',
  'nonceEwoq',
  'relations',
]

/** Checks a recorded C-chain block: container, hash, header fields, transactions and atomic transactions. */
export function block(it: Case.Case, { apricotPhase5Time }: Folder): void {
  const height = Case.number(it, 'height')
  const raw = Case.has(it, 'rawBlock') ? Hex.decode(Case.text(it, 'rawBlock')) : undefined
  const bytes = checkContainer(it, height, raw, (block) => EvmBlock.decode(block).hash) ?? raw
  Case.ignore(it, ...EXECUTION)
  const shown = Case.record(it, 'block')
  Case.equals(shown, 'hash', Case.text(it, 'hash'))
  // The genesis block of a chain has no container, and not every node serves its bytes.
  if (bytes === undefined) Case.ignore(it, 'era')
  else checkBlock(it, shown, bytes, apricotPhase5Time)
}

function checkBlock(it: Case.Case, shown: Case.Case, bytes: Uint8Array, apricotPhase5Time: bigint): void {
  const decoded = EvmBlock.decode(bytes)
  Case.equals(it, 'hash', decoded.hash)
  if (Case.has(it, 'era')) {
    Case.equals(it, 'era', decoded.header.settledHeight === undefined ? 'coreth' : 'sae')
  }
  for (const [name, value] of Object.entries(decoded.header)) {
    Case.equals(shown, name, typeof value === 'bigint' ? quantity(value) : value)
  }
  Case.equals(shown, 'size', quantity(BigInt(bytes.length)))
  Case.equals(shown, 'uncles', [])
  Case.equals(shown, 'blockExtraData', decoded.extData)
  const hashes = Case.list(shown, 'transactions').map((tx) => (tx as { readonly hash: string }).hash)
  Case.same('transactions', hashes, decoded.transactions.map(EvmBlock.transactionHash))
  const atomic = AtomicBatch.of(decoded, apricotPhase5Time)
  const isSingle = decoded.header.timestamp < apricotPhase5Time && atomic[0] !== undefined
  const encoded = isSingle ? AtomicTx.encode(atomic[0] as AtomicTx.AtomicTx) : AtomicBatch.encode(atomic)
  Case.same('blockExtraData', decoded.extData, encoded)
  // The total difficulty is a sum over the whole chain, which newer nodes do not store.
  Case.ignore(shown, 'totalDifficulty')
  Case.close(shown)
}

/** Checks a recorded atomic transaction: bytes, id, type, and the block that contains it. */
export function atomic(it: Case.Case, { lines, apricotPhase5Time }: Folder): void {
  const answer = Case.record(it, 'hex')
  const bytes = CheckedHex.decode(Case.text(answer, 'tx'))
  const decoded = AtomicTx.decode(bytes)
  Case.same('hex.tx', bytes, AtomicTx.encode(decoded))
  Case.same(
    'bytes after encoding the JSON',
    bytes,
    AtomicTx.encode(AtomicTx.fromJSON(AtomicTx.toJSON(decoded))),
  )
  Case.equals(it, 'id', Id.format(AtomicTx.id(bytes)))
  Case.equals(it, 'kind', decoded.unsignedTx.type)
  if (Case.has(it, 'issued')) Case.equals(it, 'issued', bytes)
  const home = (lines['blocks.jsonl'] ?? []).find((raw) =>
    idsIn(raw, apricotPhase5Time).includes(Id.format(AtomicTx.id(bytes))),
  )
  Case.equals(answer, 'blockHeight', String(home?.['height']))
  Case.equals(answer, 'encoding', 'hex')
  Case.close(answer)
  Case.equals(it, 'status', { status: 'Accepted', blockHeight: String(home?.['height']) })
  // The node does not support atomic transactions as JSON.
  Case.ignore(it, 'note', 'json', 'error', 'chain', 'node', 'time')
}

function idsIn(raw: Case.RawCase, apricotPhase5Time: bigint): string[] {
  const { blockExtraData, timestamp } = raw['block'] as Readonly<
    Record<'blockExtraData' | 'timestamp', string>
  >
  const extData = Hex.decode(blockExtraData)
  const isBatch = BigInt(timestamp) >= apricotPhase5Time
  const txs = isBatch ? AtomicBatch.decode(extData) : AtomicBatch.decodeSingle(extData)
  return txs.map((tx) => Id.format(AtomicTx.id(AtomicTx.encode(tx))))
}

function quantity(value: bigint): string {
  return `0x${value.toString(16)}`
}
