import { Id, Json } from '@firn/codec'
import { NodeJson, PlatformBlock, PlatformTx } from '@firn/txs'
import * as Case from '../Case.ts'
import { ofDump, ofValue } from '../internal/goFields.ts'
import * as Suite from '../Suite.ts'

const idOf = (tx: PlatformTx.PlatformTx) => Id.format(PlatformTx.id(PlatformTx.encode(tx)))

/** Checks P-chain blocks of every type: bytes, ids, transactions, JSON, and verdicts on mutated blocks. */
export const platformBlocks = Suite.create('platform-blocks.json', {
  valid(it) {
    const bytes = Case.bytes(it, 'bytes')
    const block = PlatformBlock.decode(bytes)
    const id = PlatformBlock.id(bytes)
    Case.equals(it, 'bytes', PlatformBlock.encode(block))
    Case.equals(it, 'blockType', block.type)
    Case.equals(it, 'idBytes', id)
    Case.equals(it, 'id', Id.format(id))
    Case.equals(it, 'parentBytes', block.parentID)
    Case.equals(it, 'parent', Id.format(block.parentID))
    Case.equals(it, 'height', block.height)
    Case.equals(it, 'time', 'time' in block ? block.time : null)
    Case.equals(it, 'txIDs', PlatformBlock.transactions(block).map(idOf))
    Case.same('fields', ofDump(Case.given(it, 'fields')), ofValue(block))
    const context = NodeJson.context(Case.number(it, 'jsonNetworkID'), 'P')
    Case.equals(it, 'json', Json.stringify(PlatformBlock.toJSON(block, context)))
    const back = PlatformBlock.fromJSON(Json.parse(Case.text(it, 'json')), context)
    Case.same('bytes after encoding the JSON', Case.given(it, 'bytes'), PlatformBlock.encode(back))
    return undefined
  },
  decode(it) {
    // This field contains the type of the block before the mutation.
    Case.ignore(it, 'blockType')
    const parsed = Case.verdict(it, () => PlatformBlock.decode(Case.bytes(it, 'bytes')))
    if (parsed === undefined) return undefined
    Case.equals(it, 'id', Id.format(PlatformBlock.id(PlatformBlock.encode(parsed.value))))
    Case.equals(it, 'parsedBlockType', parsed.value.type)
    return undefined
  },
})
