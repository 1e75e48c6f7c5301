import { createHash } from 'node:crypto'
import { CHAIN_ALIASES, Id } from '@firn/codec'
import { inventedDag, Recordings } from '@firn/store/testing'
import { AvmBlock, Container, Vertex } from '@firn/txs'
import { describe, expect, test } from 'vitest'
import { localNetwork, sourceOf } from '../testing/recordings.ts'
import * as GeneratedNetwork from './GeneratedNetwork.ts'
import * as RecordedChain from './RecordedChain.ts'
import * as RecordedNetwork from './RecordedNetwork.ts'

const HELICON = Recordings.load('helicon')

describe('read', () => {
  test('returns every container of the chains with its id, after block 0', async () => {
    const { chains } = await localNetwork()
    expect(CHAIN_ALIASES.map((alias) => chains[alias].blocks.length)).toEqual([86, 36, 84])
    for (const alias of CHAIN_ALIASES) {
      const recorded = Recordings.load('local').chains[alias].map(({ container }) =>
        Id.format(container?.id ?? Id.EMPTY),
      )
      expect(chains[alias].blocks.slice(1).map(({ id }) => Id.format(id))).toEqual(recorded)
    }
  })

  test('makes block 0 of each chain as nodes serve it', async () => {
    const { chains } = await localNetwork()
    const hashes = CHAIN_ALIASES.map((alias) =>
      createHash('sha256')
        .update(chains[alias].blocks[0]?.bytes ?? '')
        .digest('hex'),
    )
    expect(hashes).toMatchInlineSnapshot(`
      [
        "e6bf9e10d8adfe358b1661e0bfb6a2788e1f555c188988740ed2ffea3be84959",
        "ba3faf181d75021d08da25af88a7f992dce0fc1b636deae36db0b7ebf11be722",
        "7dc919e77addf5bef0aa71db8173ff9ab61b490ac23643ac0e0a302bf54321c4",
      ]
    `)
  })

  test('serves the X-chain as bare blocks if no containers were recorded', async () => {
    const { chains } = await RecordedNetwork.read({ rules: HELICON, source: sourceOf(HELICON) })
    const [, first] = chains.X.blocks
    expect(AvmBlock.decode(first?.bytes ?? new Uint8Array()).height).toBe(1n)
  })

  test('orders the blocks of all chains by the time of acceptance', async () => {
    const { order, chains } = await localNetwork()
    expect(order).toHaveLength(85 + 35 + 83)
    const next = { P: 1, X: 1, C: 1 }
    const times = order.map((alias) => chains[alias].blocks[next[alias]++]?.acceptedAt ?? 0n)
    expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : 1)))
  })

  test('has the empty stop vertex that nodes build on networks without vertices', async () => {
    const { chains } = await localNetwork()
    expect([...chains.X.vertices.keys()].map((id) => Id.format(Buffer.from(id, 'hex')))).toEqual([
      '3LdUD428gni3AFYAooqcTiN3xPGiLE7XdHowi9CsbNGH1i7QY',
    ])
    expect([...chains.X.vertices.values()].map(({ bytes }) => bytes.length)).toEqual([46])
  })

  test('returns the vertices of an X-chain that names a stop vertex, and requires the stop vertex', async () => {
    const dag = inventedDag(Recordings.load('local'), { transactions: 2_000, seed: 1 })
    const ids = dag.vertices.map((bytes) => Id.format(Vertex.id(bytes)))
    const source = (last: number): RecordedNetwork.BlockSource => ({
      ...sourceOf(dag),
      async vertices(after, limit) {
        const from = after === undefined ? 0 : ids.indexOf(Id.format(after.id)) + 1
        return dag.vertices.slice(from, Math.min(from + limit, last)).map((bytes) => ({ bytes }))
      },
    })
    const all = dag.vertices.length
    expect(all).toBeGreaterThan(1_000)
    const { chains } = await RecordedNetwork.read({ rules: dag, source: source(all) })
    expect([...chains.X.vertices.values()].map(({ bytes }) => bytes)).toEqual(dag.vertices)
    await expect(RecordedNetwork.read({ rules: dag, source: source(all - 1) })).rejects.toMatchObject({
      code: 'DEVNET_RECORDING',
      message: expect.stringContaining(`do not include the stop vertex ${ids.at(-1)}`),
    })
  })

  test('rejects a block that does not follow the previous one, and names its height', async () => {
    const source = sourceOf(HELICON)
    const skipping = {
      ...source,
      blocks: (...[alias, from, limit]: Parameters<typeof source.blocks>) =>
        source.blocks(alias, from === 1n ? 2n : from, limit),
    }
    await expect(RecordedNetwork.read({ rules: HELICON, source: skipping })).rejects.toMatchObject({
      code: 'DEVNET_RECORDING',
      message: expect.stringMatching(/^P-chain block 1: expected the parent container [0-9a-fx]+, got/),
    })
  })

  test('rejects a recording that ends before its tip', async () => {
    const source = { ...sourceOf(HELICON), tip: async () => 1_000n }
    await expect(RecordedNetwork.read({ rules: HELICON, source })).rejects.toMatchObject({
      code: 'DEVNET_RECORDING',
      message: 'P-chain block 44 is missing',
    })
  })
})

describe('fork', () => {
  test('has the same blocks below, and valid containers with other ids from the given height on', async () => {
    const { chains } = await localNetwork()
    for (const chain of Object.values(chains)) {
      const fork = RecordedChain.fork(chain, 30)
      const isSame = fork.blocks.map(({ id }, height) => id === chain.blocks[height]?.id)
      expect(isSame.lastIndexOf(true)).toBe(29)
      expect(isSame.indexOf(false)).toBe(30)
      for (const [height, { id, bytes, inner }] of fork.blocks.entries()) {
        if (height < 30) continue
        const container = Container.decode(bytes)
        Container.verify(container, chain.chainId)
        expect(Container.id(container)).toEqual(id)
        expect(container.parentID).toEqual(fork.blocks[height - 1]?.id)
        expect(inner).toEqual(chain.blocks[height]?.inner)
      }
    }
  })
})

test.each([
  ['a bare block', 3, 3],
  ['a container without a proposer', 15, 15],
  ['the parent of an option', 16, 15],
])('a fork of a generated chain starts with %s', async (_, from, first) => {
  const { network } = await GeneratedNetwork.create({ networkId: 4321, blocks: 20, seed: 'fork' })
  const chain = network.chains.P
  const fork = RecordedChain.fork(chain, from)
  const differs = fork.blocks.map(
    ({ id }, height) => Id.format(id) !== Id.format(chain.blocks[height]?.id ?? id),
  )
  expect(differs.indexOf(true)).toBe(first)
  expect(differs.lastIndexOf(false)).toBe(first - 1)
})

test('a container with another signature keeps its id but does not verify', async () => {
  const { chains } = await localNetwork()
  const signed = chains.P.blocks.filter(({ bytes }, height) => height > 0 && signatureOf(bytes).length > 0)
  expect(signed.length).toBeGreaterThan(0)
  for (const { id, bytes } of signed) {
    const altered = Container.decode(RecordedChain.withOtherSignature(bytes))
    expect(Container.id(altered)).toEqual(id)
    expect(() => Container.verify(altered, chains.P.chainId)).toThrow()
  }
})

function signatureOf(bytes: Uint8Array): Uint8Array {
  const container = Container.decode(bytes)
  return container.type === 'Option' ? new Uint8Array() : container.signature
}
