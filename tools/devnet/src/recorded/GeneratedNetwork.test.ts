import { Bytes, Id } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { Ledger, LedgerState, Vertices } from '@firn/ledger'
import { AvmBlock, AvmCredentials, AvmTx, AvmUtxo, Container, UtxoId, Vertex } from '@firn/txs'
import { describe, expect, test } from 'vitest'
import { key } from '../State.ts'
import * as GeneratedNetwork from './GeneratedNetwork.ts'

describe('a generated P-chain', () => {
  test.each([1, 5, 4321])('is accepted by the ledger on network %i', async (networkId) => {
    const { network } = await GeneratedNetwork.create({ networkId, blocks: 1_000, seed: 'test' })
    const { rules, chains } = network
    const isPublic = networkId !== 4321
    const state = LedgerState.create(rules.genesis, rules.constants, !isPublic)
    const changes = chains.P.blocks.slice(1).flatMap(({ inner }) => {
      const made = Ledger.apply(state, 'P', inner)
      LedgerState.commit(state, made)
      return made
    })
    const imports = changes.filter((change) => change.type === 'transaction' && change.name === 'ImportTx')
    expect(imports).toHaveLength(isPublic ? 20 : 0)
    expect(LedgerState.tip(state, 'P')).toMatchObject({ height: 1_000n })
    expect([...state.tables.subnet.ordered()]).toHaveLength(9)
  })

  test('follows the pinned genesis of Mainnet', async () => {
    const { network, genesisConfig } = await GeneratedNetwork.create({
      networkId: 1,
      blocks: 1,
      seed: 'test',
    })
    expect(Id.format(network.rules.genesis.genesisId)).toBe(
      Id.format(Networks.MAINNET.ids?.genesisId ?? Id.EMPTY),
    )
    expect(genesisConfig).toBeUndefined()
  })

  test('consists of bare blocks and then of containers that refer to each other', async () => {
    const { network } = await GeneratedNetwork.create({ networkId: 5, blocks: 10, seed: 'test' })
    const { blocks } = network.chains.P
    const types = blocks.map(({ bytes }) => {
      const opened = Container.open(bytes)
      return opened.kind === 'preFork' ? 'bare' : opened.container.type
    })
    expect(types.join()).toBe('bare,bare,bare,bare,bare,bare,bare,Block,Option,Block,Option')
    for (const [height, { bytes }] of blocks.entries())
      if (height > 6) expect(Container.decode(bytes).parentID).toEqual(blocks[height - 1]?.id)
  })
})

describe('a generated X-chain', () => {
  const made = GeneratedNetwork.create({ networkId: 4321, blocks: 0, vertices: 300, seed: 'test' })

  test('has valid vertices that are all ancestors of the stop vertex', async () => {
    const { rules, chains } = (await made).network
    const { vertices } = chains.X
    for (const [id, { bytes }] of vertices) {
      Vertex.assertValid(Vertex.decode(bytes))
      expect(key(Vertex.id(bytes))).toBe(id)
    }
    const found = new Set([key(rules.constants.upgrades.cortinaXChainStopVertexId)])
    for (const id of found) for (const parent of vertices.get(id)?.parentIds ?? []) found.add(key(parent))
    expect([...found].sort()).toEqual([...vertices.keys()].sort())
    expect(vertices.size).toBe(301)
  })

  test('has vertices one above their highest parent', async () => {
    const { vertices } = (await made).network.chains.X
    const heightOf = (id: Uint8Array) =>
      Vertex.decode((vertices.get(key(id)) as { bytes: Uint8Array }).bytes).height
    for (const { bytes, parentIds } of vertices.values()) {
      const heights = parentIds.map((id) => Number(heightOf(id)))
      expect(Vertex.decode(bytes).height).toBe(BigInt(Math.max(-1, ...heights) + 1))
    }
  })

  test('has signed transactions, of which some are repeated and some come before the one they spend', async () => {
    const { rules, chains } = (await made).network
    const { tables } = LedgerState.create(rules.genesis, rules.constants)
    const vertices = [...chains.X.vertices.values()].map(({ bytes }) => Vertex.decode(bytes))
    const all = vertices
      .sort((a, b) => Number(a.height - b.height))
      .flatMap((vertex) => (vertex.type === 'Vertex' ? vertex.txs : []))
    const seen = new Set<string>()
    const utxos = new Map<string, AvmUtxo.AvmUtxo>()
    for (const bytes of all)
      for (const utxo of AvmUtxo.of(AvmTx.decode(bytes), AvmTx.id(bytes)))
        utxos.set(key(UtxoId.inputId(utxo)), utxo)
    let early = 0
    for (const bytes of all) {
      const tx = AvmTx.decode(bytes)
      const utxo = (id: UtxoId.UtxoId) => {
        const inputId = key(UtxoId.inputId(id))
        return utxos.get(inputId) ?? (tables.utxo.get(inputId)?.utxo as AvmUtxo.AvmUtxo | undefined)
      }
      AvmCredentials.assertValid(bytes, tx, { time: 0n, utxo })
      seen.add(key(AvmTx.id(bytes)))
      const isMade = ({ txID: txId }: UtxoId.UtxoId) =>
        all.some((other) => Bytes.equals(AvmTx.id(other), txId))
      if (AvmTx.spent(tx).some((id) => isMade(id) && !seen.has(key(id.txID)))) early++
    }
    expect(seen.size).toBeLessThan(all.length)
    expect(early).toBeGreaterThan(0)
  })

  test('is accepted by the ledger, first its vertices and then its blocks', async () => {
    const { rules, chains } = (await made).network
    const state = LedgerState.create(rules.genesis, rules.constants)
    const decoded = [...chains.X.vertices.values()].map(({ bytes }) =>
      Vertices.decode(bytes, chains.X.chainId),
    )
    decoded.sort((a, b) => Number(a.height - b.height) || Bytes.compare(a.id, b.id))
    const nothing = { vertices: new Set<string>(), transactions: new Map<string, number>() }
    const start = Vertices.start(rules.genesis, rules.constants)
    const { changes, progress } = Vertices.apply(state, start, decoded, nothing)
    LedgerState.commit(state, changes)
    expect(Vertices.isDone(state.rules, progress)).toBe(true)
    for (const { inner } of chains.X.blocks.slice(1))
      LedgerState.commit(state, Ledger.apply(state, 'X', inner))
    expect(LedgerState.tip(state, 'X')).toMatchObject({ height: 30n })
  })

  test('continues with blocks after the stop vertex', async () => {
    const { rules, chains } = (await made).network
    expect(chains.X.blocks).toHaveLength(31)
    const stop = rules.constants.upgrades.cortinaXChainStopVertexId
    expect(AvmBlock.decode(chains.X.blocks[0]?.bytes ?? new Uint8Array()).parentID).toEqual(stop)
  })
})

test.each([[{ networkId: 12345, blocks: 1 }], [{ networkId: 1, blocks: 1, vertices: 1 }]])(
  'rejects %j',
  async (options) => {
    await expect(GeneratedNetwork.create({ seed: 'test', ...options })).rejects.toMatchObject({
      code: 'DEVNET_OPTIONS',
    })
  },
)
