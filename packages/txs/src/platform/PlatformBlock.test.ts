import { CodecError, Hex, Id, Json } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as NodeJson from '../avax/NodeJson.ts'
import { cases } from '../testing/vectors.ts'
import * as PlatformBlock from './PlatformBlock.ts'
import * as PlatformTx from './PlatformTx.ts'

const idOf = (tx: PlatformTx.PlatformTx) => Id.format(PlatformTx.id(PlatformTx.encode(tx)))

describe('PlatformBlock, against the reference', () => {
  it.each(cases('platform-blocks', 'valid'))(
    "matches the reference's bytes, ids and JSON: $name $id",
    (vector) => {
      const bytes = Hex.decode(vector['bytes'])
      const block = PlatformBlock.decode(bytes)
      expect(block.type).toBe(vector['blockType'])
      expect(PlatformBlock.encode(block)).toEqual(bytes)
      expect(PlatformBlock.codec.size(block)).toBe(bytes.length)
      expect(Id.format(PlatformBlock.id(bytes))).toBe(vector['id'])
      expect(Id.format(block.parentID)).toBe(vector['parent'])
      expect(String(block.height)).toBe(vector['height'])
      expect('time' in block ? String(block.time) : null).toBe(vector['time'])
      expect(PlatformBlock.transactions(block).map(idOf)).toEqual(vector['txIDs'])
      const context = NodeJson.context(vector['jsonNetworkID'], 'P')
      expect(Json.stringify(PlatformBlock.toJSON(block, context))).toBe(vector['json'])
      expect(PlatformBlock.fromJSON(Json.parse(vector['json']), context)).toEqual(block)
    },
  )

  it.each(cases('platform-blocks', 'decode'))(
    'accepts or rejects the bytes of $blockType like the node: $name',
    (vector) => {
      const bytes = Hex.decode(vector['bytes'])
      if (!vector['ok']) return expect(() => PlatformBlock.decode(bytes)).toThrow(CodecError)
      expect(PlatformBlock.decode(bytes).type).toBe(vector['parsedBlockType'])
      expect(Id.format(PlatformBlock.id(bytes))).toBe(vector['id'])
    },
  )

  it.each(cases('recorded-p', 'block'))(
    "matches the node's bytes, id and JSON of a recorded block: $name",
    (vector) => {
      const bytes = Hex.decode(vector['bytes'])
      const block = PlatformBlock.decode(bytes)
      const context = NodeJson.context(vector['networkID'], 'P')
      expect(Id.format(PlatformBlock.id(bytes))).toBe(vector['id'])
      expect(Json.stringify(PlatformBlock.toJSON(block, context))).toBe(vector['json'])
      expect(PlatformBlock.encode(PlatformBlock.fromJSON(Json.parse(vector['json']), context))).toEqual(bytes)
    },
  )
})

describe('PlatformBlock.fromJSON', () => {
  const commit = { type: 'ApricotCommitBlock', parentID: Id.EMPTY, height: 1n } as const
  const json = PlatformBlock.toJSON(commit) as { readonly [member: string]: Json.Json }

  it.each([
    ['a block that aborts or commits without an id', { ...json, id: undefined as never }, 'TXS_ID'],
    ["another block's id", { ...json, id: Id.format(Id.EMPTY) }, 'TXS_ID'],
    ['a value that is not an object', 7, 'CODEC_VALUE'],
    ['a block without a height', { time: 1, txs: [] }, 'CODEC_VALUE'],
  ] as [string, Json.Json, string][])('rejects JSON of %s', (_what, value, code) => {
    expect(() => PlatformBlock.fromJSON(value)).toThrow(expect.objectContaining({ code }))
  })
})
