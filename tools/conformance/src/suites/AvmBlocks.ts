import { Id, Json } from '@firn/codec'
import { AvmBlock, AvmTx, NodeJson, Vertex } from '@firn/txs'
import * as Case from '../Case.ts'
import { ofDump, ofValue } from '../internal/goFields.ts'
import * as Suite from '../Suite.ts'

function isValid(vertex: Vertex.Vertex): boolean {
  return Case.attempt(() => Vertex.assertValid(vertex) ?? true) !== undefined
}

/** Checks X-chain blocks, and X-chain vertices from before the linearization. */
export const avmBlocks = Suite.create('avm-blocks.json', {
  block(it) {
    const bytes = Case.bytes(it, 'bytes')
    const block = AvmBlock.decode(bytes)
    Case.equals(it, 'bytes', AvmBlock.encode(block))
    Case.equals(it, 'idBytes', AvmBlock.id(bytes))
    Case.equals(it, 'id', Id.format(AvmBlock.id(bytes)))
    Case.equals(it, 'parent', Id.format(block.parentID))
    Case.equals(it, 'height', block.height)
    Case.equals(it, 'time', block.time)
    Case.equals(it, 'merkleRoot', block.merkleRoot)
    const txIds = block.txs.map((tx) => Id.format(AvmTx.id(AvmTx.encode(tx))))
    Case.equals(it, 'txIDs', txIds)
    Case.same('fields', ofDump(Case.given(it, 'fields')), ofValue(block))
    const context = NodeJson.context(Case.number(it, 'jsonNetworkID'), 'X')
    const json = Case.text(it, 'json')
    Case.same('json', json, Json.stringify(AvmBlock.toJSON(block, context)))
    Case.equals(it, 'bytes', AvmBlock.encode(AvmBlock.fromJSON(Json.parse(json), context)))
    return undefined
  },
  blockDecode(it) {
    const parsed = Case.verdict(it, () => AvmBlock.decode(Case.bytes(it, 'bytes')))
    if (parsed !== undefined) Case.equals(it, 'id', Id.format(AvmBlock.id(AvmBlock.encode(parsed.value))))
    return undefined
  },
  vertex(it) {
    const bytes = Case.bytes(it, 'bytes')
    const vertex = Vertex.decode(bytes)
    Case.equals(it, 'bytes', Vertex.encode(vertex))
    Case.equals(it, 'id', Id.format(Vertex.id(bytes)))
    Case.equals(it, 'version', vertex.type === 'Vertex' ? 0 : 1)
    Case.equals(it, 'stopVertex', vertex.type === 'StopVertex')
    Case.equals(it, 'chainID', vertex.chainID)
    Case.equals(it, 'height', vertex.height)
    Case.equals(it, 'epoch', vertex.type === 'Vertex' ? vertex.epoch : 0)
    Case.equals(it, 'parentIDs', vertex.parentIDs.map(Id.format))
    Case.equals(it, 'txs', vertex.type === 'Vertex' ? vertex.txs : [])
    Case.same('verifyError', Case.given(it, 'verifyError') === null, isValid(vertex))
    const contents = {
      chainID: vertex.chainID,
      height: vertex.height,
      parentIDs: vertex.parentIDs.toReversed(),
    }
    const built =
      vertex.type === 'Vertex'
        ? Vertex.build({ ...contents, txs: vertex.txs.toReversed() })
        : Vertex.buildStop(contents)
    Case.equals(it, 'bytes', Vertex.encode(built))
    return undefined
  },
  vertexDecode(it) {
    const parsed = Case.verdict(it, () => Vertex.decode(Case.bytes(it, 'bytes')))
    if (parsed === undefined) return undefined
    Case.equals(it, 'id', Id.format(Vertex.id(Vertex.encode(parsed.value))))
    Case.same('verifyError', Case.given(it, 'verifyError') === null, isValid(parsed.value))
    return undefined
  },
})
