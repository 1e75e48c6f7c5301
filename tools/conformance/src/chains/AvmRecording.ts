import { CheckedHex, Id, Json } from '@firn/codec'
import { AvmBlock, AvmTx, NodeJson } from '@firn/txs'
import * as Case from '../Case.ts'
import { checkContainer } from './container.ts'
import type { Folder } from './RecordedChain.ts'

/** Checks a recorded X-chain block: bytes, id, container, and conversions to and from JSON. */
export function block(it: Case.Case, { networkId }: Folder): void {
  const bytes = CheckedHex.decode(Case.text(it, 'blockBytes'))
  const decoded = AvmBlock.decode(bytes)
  Case.same('blockBytes', bytes, AvmBlock.encode(decoded))
  Case.equals(it, 'id', Id.format(AvmBlock.id(bytes)))
  Case.equals(it, 'height', Number(decoded.height))
  Case.equals(it, 'timestamp', Number(decoded.time))
  const json = Case.given(it, 'json') as Json.Json
  const context = NodeJson.context(networkId, 'X')
  Case.same('json', Json.stringify(json), Json.stringify(AvmBlock.toJSON(decoded, context)))
  Case.same('blockBytes after encoding the JSON', bytes, AvmBlock.encode(AvmBlock.fromJSON(json, context)))
  checkContainer(it, Number(decoded.height), bytes)
}

/**
 * Checks a recorded X-chain transaction: bytes, id, conversions to and from JSON, and the block that contains
 * it.
 */
export function tx(it: Case.Case, { networkId, lines }: Folder): void {
  const bytes = CheckedHex.decode(Case.text(it, 'bytes'))
  const decoded = AvmTx.decode(bytes)
  Case.same('bytes', bytes, AvmTx.encode(decoded))
  Case.equals(it, 'id', Id.format(AvmTx.id(bytes)))
  const json = Case.given(it, 'json') as Json.Json
  const context = NodeJson.context(networkId, 'X')
  Case.same('json', Json.stringify(json), Json.stringify(AvmTx.toJSON(decoded, context)))
  Case.same('bytes after encoding the JSON', bytes, AvmTx.encode(AvmTx.fromJSON(json, context)))
  const height = Case.number(it, 'height')
  const blocks = lines['blocks.jsonl'] ?? []
  const home = blocks.find((raw) => raw['height'] === height)
  const ids = (home?.['json'] as { readonly txs: readonly { readonly id: string }[] } | undefined)?.txs ?? []
  Case.same('transaction is in its block', true, ids.map(({ id }) => id).includes(Case.text(it, 'id')))
  if (Case.has(it, 'status')) Case.same('status', 'Accepted', statusOf(Case.given(it, 'status')))
}

function statusOf(status: unknown): unknown {
  return typeof status === 'object' && status !== null ? (status as { status?: unknown }).status : status
}
