import { describe, expect, it } from 'vitest'
import { type Ancestry, fetchAncestry } from './Ancestry.ts'
import type { Block } from './BlockStore.ts'
import { createContext } from './internal/Context.ts'
import type { SyncError } from './SyncError.ts'
import * as MemoryStore from './testing/MemoryStore.ts'
import * as Scene from './testing/Scene.ts'

/** Fetches the chain of a scene up to a height. */
function fetch(scene: Scene.Scene, to: number, ancestry: Partial<Ancestry> = {}, signal?: AbortSignal) {
  const { chain, clock, dependencies, disk } = scene
  const [root, accepted] = [chain.blocks[0] as Block, chain.blocks[to] as Block]
  const conflicts: bigint[] = []
  const onConflict = (_id: Uint8Array, height: bigint) => conflicts.push(height)
  const context = createContext({ ...dependencies, onConflict, ...(signal && { signal }) })
  const store = MemoryStore.open(disk)
  const tip = fetchAncestry(context, { root, accepted: [accepted.id], store, ...ancestry })
  return { tip: clock.run(tip), conflicts }
}

function preload({ disk }: Scene.Scene, blocks: readonly Block[]) {
  for (const block of blocks) disk.blocks.set(block.height, block)
}

function expectRight({ chain, disk }: Scene.Scene, to: number) {
  for (let height = 1; height <= to; height++) {
    expect(disk.blocks.get(BigInt(height))?.bytes, `block ${height}`).toEqual(chain.blocks[height]?.bytes)
  }
}

describe('fetchAncestry', () => {
  it('stores all blocks from above the root to the accepted one', async () => {
    const scene = Scene.create()
    const { tip } = fetch(scene, 100)
    expect((await tip).height).toBe(100n)
    expectRight(scene, 100)
    expect(scene.disk.blocks.has(0n)).toBe(false)
  })

  it('asks only for blocks that are not stored', async () => {
    const scene = Scene.create()
    preload(scene, scene.chain.blocks.slice(20, 90))
    await fetch(scene, 100).tip
    expectRight(scene, 100)
    // Two answers for the blocks above, two for those below.
    expect(scene.counts.get('request: ancestors')).toBe(4)
  })

  it('begins at checkpoints at the same time', async () => {
    const alone = Scene.create()
    await fetch(alone, 100).tip
    const scene = Scene.create({ amount: 10 })
    const checkpoints = [25, 50, 75].map((height) => ({ id: (scene.chain.blocks[height] as Block).id }))
    await fetch(scene, 100, { checkpoints }).tip
    expectRight(scene, 100)
    expect(scene.clock.now()).toBeLessThan(alone.clock.now() / 2)
  })

  it('is not delayed by checkpoints that no peer has', async () => {
    const alone = Scene.create()
    await fetch(alone, 100).tip
    const scene = Scene.create()
    const checkpoints = Array.from({ length: 99 }, (_, i) => ({ id: new Uint8Array(32).fill(i + 1) }))
    await fetch(scene, 100, { checkpoints }).tip
    expectRight(scene, 100)
    expect(scene.clock.now()).toBeLessThan(alone.clock.now() * 1.5)
  })

  it('asks another peer if one is late', async () => {
    const scene = Scene.create({ amount: 2, node: (i) => (i === 0 ? { delayMs: [7_000, 7_900] } : {}) })
    await fetch(scene, 100).tip
    expectRight(scene, 100)
    // Ten answers, of which some begin with the late peer.
    expect(scene.clock.now()).toBeLessThan(7_000)
  })

  it('has at most two requests in flight to a peer, and one for checkpoints', async () => {
    const scene = Scene.create({ amount: 3 })
    const { ask } = scene.dependencies.transport
    const open = new Map<Uint8Array, number>()
    let most = 0
    scene.dependencies.transport.ask = async (kind, nodeId, request, signal) => {
      const count = (open.get(nodeId) ?? 0) + 1
      open.set(nodeId, count)
      most = Math.max(most, count)
      try {
        return await ask(kind, nodeId, request, signal)
      } finally {
        open.set(nodeId, count - 1)
      }
    }
    const checkpoints = [20, 40, 60, 80].map((height) => ({ id: (scene.chain.blocks[height] as Block).id }))
    await fetch(scene, 100, { checkpoints }).tip
    expect(most).toBeLessThanOrEqual(2)
    expectRight(scene, 100)
  })

  it('replaces stored blocks of a fork at the accepted height', async () => {
    const scene = Scene.create()
    preload(scene, scene.fork.blocks.slice(1, 90))
    const { conflicts, tip } = fetch(scene, 60)
    await tip
    expectRight(scene, 60)
    expect(conflicts.length).toBeGreaterThan(0)
    expect(scene.disk.blocks.has(61n)).toBe(false)
  })

  it('deletes stored blocks of a fork above the accepted one', async () => {
    const scene = Scene.create()
    preload(scene, scene.fork.blocks.slice(61, 90))
    await fetch(scene, 60).tip
    expectRight(scene, 60)
    expect(scene.disk.blocks.has(61n)).toBe(false)
  })

  it('replaces stored blocks of a fork below the accepted one', async () => {
    const scene = Scene.create()
    preload(scene, scene.fork.blocks.slice(1, 80))
    await fetch(scene, 100).tip
    expectRight(scene, 100)
  })

  it('never stores blocks at successive heights that are not linked', async () => {
    // Peers serve the fork, but not the accepted block.
    const scene = Scene.create({ node: () => ({ hostile: 'boasts', votesForFork: true }) })
    preload(scene, scene.chain.blocks.slice(1, 71))
    const stop = new AbortController()
    const checkpoints = [{ id: (scene.fork.blocks[100] as Block).id }]
    const missing = [new Uint8Array(32).fill(1)]
    scene.clock.after(5_000, () => stop.abort(new RangeError('stop')))
    const { conflicts, tip } = fetch(scene, 100, { accepted: missing, checkpoints }, stop.signal)
    await expect(tip).rejects.toThrow('stop')
    expect(conflicts).toEqual([71n])
    expect([scene.disk.blocks.has(71n), scene.disk.blocks.has(72n)]).toEqual([false, true])
    await fetch(scene, 100).tip
    expectRight(scene, 100)
  })

  it('continues from a root above blocks that have been removed', async () => {
    const scene = Scene.create()
    preload(scene, scene.chain.blocks.slice(35, 41))
    const root = scene.chain.blocks[40] as Block
    await fetch(scene, 100, { root }).tip
    expect(scene.disk.blocks.size).toBe(66)
  })

  it('returns the root if the accepted block is not above it', async () => {
    const scene = Scene.create()
    const root = scene.chain.blocks[40] as Block
    expect((await fetch(scene, 40, { root }).tip).height).toBe(40n)
    expect(scene.counts.get('request: ancestors')).toBeUndefined()
    expect((await fetch(scene, 30, { root }).tip).height).toBe(40n)
  })

  it.each([
    ['a root at height 0', 0, 100],
    ['a root on the fork', 70, 100],
    ['another block at the height of the root', 70, 70],
  ])('rejects a chain that does not contain %s', async (_name, height, to) => {
    const scene = Scene.create()
    const root = { id: (scene.fork.blocks[height] as Block).id, height: BigInt(height) }
    const wrong = height === 0 ? { ...root, id: new Uint8Array(32).fill(1) } : root
    const error = (await fetch(scene, to, { root: wrong }).tip.catch((reason) => reason)) as SyncError
    expect([error.code, error.details['height']]).toEqual(['SYNC_ROOT', String(height)])
  })

  it('reports a checkpoint of another chain, and goes on', async () => {
    const scene = Scene.create({ node: (i) => (i === 0 ? { hostile: 'boasts', votesForFork: true } : {}) })
    const checkpoints = [{ id: (scene.fork.blocks[90] as Block).id, height: 90n }]
    await fetch(scene, 100, { checkpoints }).tip
    expectRight(scene, 100)
  })

  it('throws the error of a store that fails', async () => {
    const scene = Scene.create()
    const store = {
      ...MemoryStore.open(scene.disk),
      put: async () => {
        throw new RangeError('disk full')
      },
    }
    await expect(fetch(scene, 100, { store }).tip).rejects.toThrow('disk full')
  })

  it('names a height that the store does not return', async () => {
    const scene = Scene.create()
    const store = { ...MemoryStore.open(scene.disk), intervals: async () => [{ from: 5n, to: 9n }] }
    await expect(fetch(scene, 100, { store }).tip).rejects.toMatchObject({ code: 'SYNC_STORE' })
  })
})
