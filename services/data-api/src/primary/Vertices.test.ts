import { Hex, Id } from '@firn/codec'
import { Store } from '@firn/store'
import { inventedDag, Recordings, storeDag } from '@firn/store/testing'
import { AvmBlock, AvmTx, Vertex } from '@firn/txs'
import { beforeAll, expect, test } from 'vitest'
import { all, client } from '../testing/client.ts'
import { listen, serve } from '../testing/serve.ts'

const DAG = inventedDag(Recordings.load('local'), { transactions: 30, seed: 9 })
const PATH = '/v1/networks/fuji/blockchains/x-chain/transactions'

let store: Store
let ask: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  store = await Store.open({})
  await store.migrate()
  await storeDag(store, DAG)
  ask = await serve(store)
})

test('returns transactions of vertices with their vertices instead of a block', async () => {
  const { cortina } = DAG.constants.upgrades
  const vertices = DAG.vertices.map((bytes) => ({ bytes, ...Vertex.decode(bytes) }))
  const containing = (txId: string) =>
    vertices.flatMap((vertex) => {
      const txs = vertex.type === 'Vertex' ? vertex.txs : []
      if (!txs.some((tx) => Id.format(AvmTx.id(tx)) === txId)) return []
      return [
        {
          hash: Id.format(Vertex.id(vertex.bytes)),
          height: Number(vertex.height),
          timestamp: Number(cortina),
        },
      ]
    })
  const txIds = vertices.flatMap((vertex) => (vertex.type === 'Vertex' ? vertex.txs : [])).map(AvmTx.id)
  for (const txHash of new Set(txIds.map(Id.format))) {
    const { status, json } = await ask(`${PATH}/${txHash}`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ txHash, chainFormat: 'non-linear', timestamp: Number(cortina) })
    expect(json.vertices).toEqual(containing(txHash))
    expect(json).not.toHaveProperty('blockHash')
    expect(json).not.toHaveProperty('blockHeight')
  }
})

test('returns transactions of blocks and of the genesis with their block', async () => {
  const [tx] = AvmBlock.decode(DAG.chains.X[0]?.bytes ?? Id.EMPTY).txs
  const txIds = [AvmTx.id(AvmTx.encode(tx as AvmTx.AvmTx)), DAG.genesis.avaxAssetId]
  for (const [height, txId] of [1, 0].map((at, i) => [at, txIds[i] as Uint8Array] as const)) {
    const { json } = await ask(`${PATH}/${Id.format(txId)}`)
    expect(json).toMatchObject({ chainFormat: 'linear', blockHeight: height, txHash: Id.format(txId) })
    expect(json).not.toHaveProperty('vertices')
  }
})

test('lists each transaction of the vertices once', async () => {
  const found: string[] = []
  for (let token = ''; ; ) {
    const { json } = await ask(`${PATH}?pageSize=20${token && `&pageToken=${token}`}`)
    found.push(...json.transactions.map(({ txHash }: { txHash: string }) => txHash))
    token = json.nextPageToken ?? ''
    if (token === '') break
  }
  expect(new Set(found).size).toBe(found.length)
  const expected = DAG.vertices.flatMap((bytes) => {
    const vertex = Vertex.decode(bytes)
    return vertex.type === 'Vertex' ? vertex.txs.map((tx) => Hex.encode(AvmTx.id(tx))) : []
  })
  expect(found.map((id) => Hex.encode(Id.parse(id)))).toEqual(expect.arrayContaining([...new Set(expected)]))
})

test('lists vertices through the SDK, all and by height, and returns each by its id', async () => {
  const { url, close } = await listen(store)
  const { vertices: api } = client(url).data.primaryNetwork
  const listed = (await all(api.listLatest({ blockchainId: 'x-chain', pageSize: 3 }))).flatMap(
    (page) => page.vertices,
  )
  const { cortina } = DAG.constants.upgrades
  const known = new Map(DAG.vertices.map((bytes) => [Id.format(Vertex.id(bytes)), bytes]))
  expect(listed.map(({ vertexIndex }) => vertexIndex)).toEqual([...DAG.vertices.keys()].reverse())
  expect(new Set(listed.map(({ vertexHash }) => vertexHash))).toEqual(new Set(known.keys()))
  const indexes = new Map(listed.map(({ vertexHash, vertexIndex }) => [vertexHash, vertexIndex]))
  for (const one of listed) {
    const bytes = known.get(one.vertexHash) ?? Id.EMPTY
    const decoded = Vertex.decode(bytes)
    const txIds = decoded.type === 'Vertex' ? decoded.txs.map((tx) => Id.format(AvmTx.id(tx))) : []
    expect(one).toEqual({
      vertexHash: Id.format(Vertex.id(bytes)),
      parentHashes: decoded.parentIDs.map((id) => Id.format(id)),
      vertexHeight: Number(decoded.height),
      vertexIndex: one.vertexIndex,
      vertexTimestamp: Number(cortina),
      txCount: txIds.length,
      transactions: txIds,
      vertexSizeBytes: bytes.length,
    })
    for (const parent of one.parentHashes) expect(indexes.get(parent)).toBeLessThan(one.vertexIndex)
    expect(await api.getByHash({ blockchainId: 'x-chain', vertexHash: one.vertexHash })).toEqual(one)
  }
  for (const vertexHeight of new Set(listed.map((one) => one.vertexHeight))) {
    const expected = listed.filter((one) => one.vertexHeight === vertexHeight)
    for (const [sortOrder, sorted] of [
      ['desc', expected],
      ['asc', expected.toReversed()],
    ] as const) {
      const pages = api.listByHeight({ blockchainId: 'x-chain', vertexHeight, sortOrder, pageSize: 1 })
      expect((await all(pages)).flatMap((page) => page.vertices)).toEqual(sorted)
    }
  }
  const vertexHash = '11111111111111111111111111111111LpoYY'
  await expect(api.getByHash({ blockchainId: 'x-chain', vertexHash })).rejects.toMatchObject({
    statusCode: 404,
  })
  await close()
})
