import { CheckedHex, Hex, Id } from '@firn/codec'
import { Networks } from '@firn/genesis'
import type { IndexMethods } from '@firn/rpc'
import { Store } from '@firn/store'
import { inventedDag, Recordings, storeDag } from '@firn/store/testing'
import { AvmBlock, AvmTx, Vertex } from '@firn/txs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { NodeContext } from '../Context.ts'
import type { Handlers } from '../Service.ts'
import { COMPLETE, recordedContext } from '../testing/chainReplay.ts'
import * as IndexApi from './IndexApi.ts'

type Api = Handlers<typeof IndexMethods>

let context: NodeContext
beforeAll(async () => {
  context = await recordedContext('local', { heights: { C: 0n } })
})

/** Returns the response of each method of an index to a simple request. */
async function answers(api: Api): Promise<Record<string, unknown>> {
  const questions: Record<string, () => unknown> = {
    byID: () => api['index.getContainerByID']({ id: Id.EMPTY }),
    byIndex: () => api['index.getContainerByIndex']({ index: 0n }),
    range: () => api['index.getContainerRange']({ startIndex: 0n, numToFetch: 1n }),
    tooMany: () => api['index.getContainerRange']({ startIndex: 0n, numToFetch: 1025n }),
    index: () => api['index.getIndex']({ id: Id.EMPTY }),
    last: () => api['index.getLastAccepted']({ encoding: 'json' }),
    isAccepted: () => api['index.isAccepted']({ id: Id.EMPTY }),
  }
  const said: Record<string, unknown> = {}
  for (const [name, ask] of Object.entries(questions))
    said[name] = await Promise.resolve()
      .then(ask)
      .catch((error: Error) => error.message)
  return said
}

const EMPTY = {
  byID: 'not found',
  byIndex: 'no container at index 0',
  range: 'no containers have been accepted',
  tooMany: 'numToFetch must be in [1,1024] but is 1025',
  index: 'not found',
  last: 'no containers have been accepted',
  isAccepted: { isAccepted: false },
}

describe('empty index', () => {
  test('serves an empty index for a chain that has only its genesis block', async () => {
    const api = IndexApi.handlers(context, { chain: 'C', kind: 'block' }, COMPLETE)
    expect(await answers(api)).toEqual(EMPTY)
  })

  test('serves an empty index for a chain that was never indexed', async () => {
    const api = IndexApi.handlers(context, { chain: 'P', kind: 'block' }, () => [])
    expect(await answers(api)).toEqual(EMPTY)
  })

  test.each(['tx', 'vtx'] as const)(
    'serves an empty X/%s index on a network whose X-chain was never a DAG',
    async (kind) => {
      expect(await answers(IndexApi.handlers(context, { chain: 'X', kind }, COMPLETE))).toEqual(EMPTY)
    },
  )
})

test.each([Networks.MAINNET, Networks.FUJI])(
  "returns an error instead of an empty index for entries before the X-chain's linearization on $name",
  async (constants) => {
    const api = IndexApi.handlers({ ...context, constants }, { chain: 'X', kind: 'tx' }, COMPLETE)
    const missing =
      "vertices and transactions from before the X-chain's linearization are not available on this node"
    expect(await answers(api)).toEqual({
      ...Object.fromEntries(Object.keys(EMPTY).map((name) => [name, missing])),
      tooMany: EMPTY.tooMany,
    })
  },
)

describe.each(['tx', 'vtx'] as const)('X/%s index of a network whose X-chain was a DAG', (kind) => {
  const dag = inventedDag(Recordings.load('local'), { transactions: 30, seed: 5 })
  const entries = () => {
    if (kind === 'vtx') return dag.vertices
    const txs = dag.vertices.flatMap((bytes) => {
      const vertex = Vertex.decode(bytes)
      return vertex.type === 'Vertex' ? vertex.txs : []
    })
    return [...new Map(txs.map((tx) => [Hex.encode(tx), tx])).values()]
  }
  let api: Api
  beforeAll(async () => {
    const store = await Store.open({})
    await store.migrate()
    await storeDag(store, dag)
    const { constants } = dag
    const own = { ...context, store, constants, snapshot: () => store.snapshot() }
    api = IndexApi.handlers(own, { chain: 'X', kind }, COMPLETE)
  })

  test('returns each entry by index and by id, with the time of the linearization', async () => {
    const all = entries()
    const { containers } = await api['index.getContainerRange']({ startIndex: 0n, numToFetch: 1024n })
    expect(containers.map(({ bytes }) => bytes)).toEqual(all.map((bytes) => CheckedHex.encode(bytes)))
    for (const [i, bytes] of all.entries()) {
      const [index, id] = [BigInt(i), Id.hash(bytes)]
      expect(containers[i]).toMatchObject({ index, id })
      expect(Date.parse(containers[i]?.timestamp ?? '')).toBe(Number(dag.constants.upgrades.cortina) * 1000)
      expect(await api['index.getContainerByIndex']({ index })).toEqual(containers[i])
      expect(await api['index.getContainerByID']({ id })).toEqual(containers[i])
      expect(await api['index.getIndex']({ id })).toEqual({ index })
      expect(await api['index.isAccepted']({ id })).toEqual({ isAccepted: true })
    }
    expect(await api['index.getLastAccepted']({})).toEqual(containers.at(-1))
    const part = await api['index.getContainerRange']({ startIndex: 3n, numToFetch: 2n })
    expect(part.containers).toEqual(containers.slice(3, 5))
  })

  test('refuses what is not in it', async () => {
    const size = BigInt(entries().length)
    const range = { startIndex: size, numToFetch: 1n }
    await expect(api['index.getContainerRange'](range)).rejects.toThrow(
      `start index (${size}) > last accepted index (${size - 1n})`,
    )
    await expect(api['index.getContainerByIndex']({ index: size })).rejects.toThrow(
      `no container at index ${size}`,
    )
    const [blockTx] = AvmBlock.decode(dag.chains.X[0]?.bytes ?? Id.EMPTY).txs
    const ids = [Id.EMPTY, dag.genesis.avaxAssetId, AvmTx.id(AvmTx.encode(blockTx as AvmTx.AvmTx))]
    for (const id of ids) {
      expect(await api['index.isAccepted']({ id })).toEqual({ isAccepted: false })
      await expect(api['index.getContainerByID']({ id })).rejects.toThrow('not found')
      await expect(api['index.getIndex']({ id })).rejects.toThrow('not found')
    }
  })
})

test('returns ranges that skip the containers that the index missed', async () => {
  const spans = () => [{ first: 3n, last: 4n }, { first: 8n, last: 9n }, { first: 30n }]
  const api = IndexApi.handlers(context, { chain: 'P', kind: 'block' }, spans)
  const complete = IndexApi.handlers(context, { chain: 'P', kind: 'block' }, COMPLETE)
  const { containers } = await api['index.getContainerRange']({ startIndex: 1n, numToFetch: 4n })
  const all = await complete['index.getContainerRange']({ startIndex: 0n, numToFetch: 40n })
  const atHeight = (height: number) => ({ ...all.containers[height - 1], index: expect.anything() })
  expect(containers).toEqual([4, 8, 9, 30].map(atHeight))
  expect(containers.map(({ index }) => index)).toEqual([1n, 2n, 3n, 4n])
  const missed = { id: all.containers[4]?.id ?? Id.EMPTY }
  expect(await api['index.isAccepted'](missed)).toEqual({ isAccepted: false })
  await expect(api['index.getIndex'](missed)).rejects.toThrow('not found')
  await expect(api['index.getContainerByID'](missed)).rejects.toThrow('not found')
  const last = await api['index.getLastAccepted']({})
  expect(last.index).toBe(4n + 85n - 30n)
})

test("returns the block's own timestamp if the acceptance time is unknown", async () => {
  const helicon = await recordedContext('helicon')
  const api = IndexApi.handlers(helicon, { chain: 'X', kind: 'block' }, COMPLETE)
  const { timestamp } = await api['index.getContainerByIndex']({ index: 0n })
  expect(Date.parse(timestamp)).toBe(1_795_222_657_000)
})
