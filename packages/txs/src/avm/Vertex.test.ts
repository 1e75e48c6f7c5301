import { Hex, Id, isFirnError } from '@firn/codec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../testing/vectors.ts'
import * as Vertex from './Vertex.ts'

const FILE = 'avm-blocks'

it.each(cases(FILE, 'vertex'))('decodes and encodes the vertex like the node: $name', (vector) => {
  const bytes = Hex.decode(vector.bytes)
  const vertex = Vertex.decode(bytes)
  expect(Hex.encode(Vertex.encode(vertex))).toBe(vector.bytes)
  expect(Id.format(Vertex.id(bytes))).toBe(vector['id'])
  expect(vertex.type).toBe(vector['stopVertex'] ? 'StopVertex' : 'Vertex')
  expect(Hex.encode(vertex.chainID)).toBe(vector['chainID'])
  expect(vertex.height.toString()).toBe(vector['height'])
  expect(vertex.parentIDs.map(Id.format)).toEqual(vector['parentIDs'])
  expect(vertex.type === 'Vertex' ? vertex.txs.map((tx) => Hex.encode(tx)) : []).toEqual(vector['txs'])
  Vertex.assertValid(vertex)
  const contents = {
    chainID: vertex.chainID,
    height: vertex.height,
    parentIDs: vertex.parentIDs.toReversed(),
  }
  const built =
    vertex.type === 'Vertex'
      ? Vertex.build({ ...contents, txs: vertex.txs.toReversed() })
      : Vertex.buildStop(contents)
  expect(Hex.encode(Vertex.encode(built))).toBe(vector.bytes)
})

it.each(cases(FILE, 'vertexDecode'))('accepts or rejects the bytes like the node: $name', (vector) => {
  const vertex = attempt(() => Vertex.decode(Hex.decode(vector.bytes)))
  expect(vertex !== undefined).toBe(vector['ok'])
  if (vertex === undefined) return
  expect(Id.format(Vertex.id(Vertex.encode(vertex)))).toBe(vector['id'])
  expect(attempt(() => Vertex.assertValid(vertex) ?? true) !== undefined).toBe(vector['verifyError'] === null)
})

describe('Vertex.assertValid', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, i) => new Uint8Array(32).fill(i))
  const valid = Vertex.build({ chainID: Id.EMPTY, height: 1n, parentIDs: ids(128), txs: ids(128) })
  const stop = Vertex.buildStop({ chainID: Id.EMPTY, height: 1n, parentIDs: ids(2) })

  it('accepts a vertex with the maximum number of parents and transactions', () => {
    Vertex.assertValid(valid)
    Vertex.assertValid(stop)
    Vertex.assertValid(Vertex.buildStop({ chainID: Id.EMPTY, height: 1n, parentIDs: [] }))
  })

  it.each([
    [{ epoch: 1 }, 'TXS_VERTEX'],
    [{ parentIDs: ids(129) }, 'TXS_VERTEX'],
    [{ txs: ids(129) }, 'TXS_VERTEX'],
    [{ txs: [] }, 'TXS_EMPTY'],
    [{ parentIDs: ids(2).toReversed() }, 'TXS_ORDER'],
    [{ parentIDs: [Id.EMPTY, Id.EMPTY] }, 'TXS_ORDER'],
    [{ txs: [Id.EMPTY, Id.EMPTY] }, 'TXS_ORDER'],
  ])('rejects a valid vertex after the change %o', (change, code) => {
    const changed = { ...valid, ...change } as Vertex.Vertex
    expect(() => Vertex.assertValid(changed)).toThrow(expect.objectContaining({ code }))
  })
})

it('names the field at which a truncated vertex ends, as the node does', () => {
  const bytes = Vertex.encode(Vertex.buildStop({ chainID: Id.EMPTY, height: 1n, parentIDs: [Id.EMPTY] }))
  for (const [length, path] of [
    [10, 'chainID'],
    [bytes.length - 1, 'parentIDs[0]'],
  ] as const)
    expect(() => Vertex.decode(bytes.subarray(0, length))).toThrow(expect.objectContaining({ path }))
})

it('decodes truncated or modified bytes, or throws a typed error', () => {
  const id = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const contents = fc.record({
    chainID: id,
    height: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    parentIDs: fc.array(id, { maxLength: 4 }),
    txs: fc.array(fc.uint8Array(), { maxLength: 4 }),
  })
  fc.assert(
    fc.property(contents, fc.boolean(), fc.nat(), (parts, isStop, at) => {
      const vertex = isStop ? Vertex.buildStop(parts) : Vertex.build(parts)
      const bytes = Vertex.encode(vertex)
      expect(Vertex.encode(Vertex.decode(bytes))).toEqual(bytes)
      expect(attempt(() => Vertex.decode(bytes.subarray(0, at % bytes.length)))).toBeUndefined()
      const changed = bytes.slice()
      changed[at % bytes.length] = ~(changed[at % bytes.length] as number)
      attempt(() => expect(Vertex.encode(Vertex.decode(changed))).toEqual(changed))
    }),
    { numRuns: 300 },
  )
})

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}
