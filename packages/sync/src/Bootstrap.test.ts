import { describe, expect, it } from 'vitest'
import type { Block } from './BlockStore.ts'
import { type BootstrapOptions, bootstrap } from './Bootstrap.ts'
import type { Progress } from './Events.ts'
import * as MemoryStore from './testing/MemoryStore.ts'
import * as Scene from './testing/Scene.ts'

const run = (scene: Scene.Scene, options: Partial<BootstrapOptions> = {}) =>
  scene.clock.run(
    bootstrap({
      ...scene.dependencies,
      root: scene.chain.blocks[0] as Block,
      store: MemoryStore.open(scene.disk),
      ...options,
    }),
  )

describe('bootstrap', () => {
  it('returns the tip that the voters have accepted, and reports its progress', async () => {
    const scene = Scene.create()
    const seen: Progress[] = []
    const tip = await run(scene, { onProgress: (progress) => seen.push(progress) })
    expect(tip).toEqual({ id: (scene.chain.blocks[100] as Block).id, height: 100n })
    expect([...new Set(seen.map(({ phase }) => phase))]).toEqual(['connecting', 'voting', 'fetching'])
    expect(seen.at(-1)).toMatchObject({
      tip: 100n,
      stored: 100n,
      peers: 5,
      connectedWeight: 5n,
      totalWeight: 5n,
    })
    expect(seen.at(-1)?.perSecond).toBeGreaterThan(0)
  })

  it('starts with more than half of the weight after a minute, not before', async () => {
    const scene = Scene.create({ node: (i) => (i < 2 ? { down: [0, Number.POSITIVE_INFINITY] } : {}) })
    await run(scene)
    expect(scene.clock.now()).toBeGreaterThanOrEqual(60_000)
    expect(scene.clock.now()).toBeLessThan(62_000)
  })

  it('starts as soon as three quarters are connected', async () => {
    const scene = Scene.create({ node: (i) => (i < 2 ? { down: [0, 5_000 * (i + 1)] } : {}) })
    await run(scene)
    expect(scene.clock.now()).toBeGreaterThanOrEqual(5_000)
    expect(scene.clock.now()).toBeLessThan(7_000)
  })

  it('waits while half of the weight cannot be reached', async () => {
    const scene = Scene.create({ amount: 6, node: (i) => (i < 3 ? { down: [0, 300_000] } : {}) })
    await run(scene)
    expect(scene.clock.now()).toBeGreaterThan(300_000)
  })

  it('starts over until more than half of the total weight has accepted a block', async () => {
    // Half of the weight votes for the fork until 20 s.
    const isLate = (i: number) => i === 0
    const scene = Scene.create({
      amount: 6,
      node: (i) => ({
        votesForFork: i >= 3,
        ...(isLate(i) && { weight: 2n, down: [0, 20_000] as const }),
      }),
    })
    const tip = await run(scene)
    expect(tip.id).toEqual((scene.chain.blocks[100] as Block).id)
    expect(scene.clock.now()).toBeGreaterThan(20_000)
  })

  it("rejects with the signal's reason", async () => {
    const scene = Scene.create({ node: () => ({ hostile: 'silent' }) })
    const stop = new AbortController()
    scene.clock.after(3_000, () => stop.abort(new RangeError('stop')))
    await expect(run(scene, { signal: stop.signal })).rejects.toThrow('stop')
  })

  it('rejects a chain id of another length', async () => {
    const scene = Scene.create()
    await expect(run(scene, { chainId: new Uint8Array(31) })).rejects.toMatchObject({
      code: 'SYNC_OPTION',
      details: { field: 'chainId' },
    })
  })

  it.each([
    ['resigned', 'signature'],
    ['garbage', 'wrong-container'],
    ['huge', 'oversized'],
    ['many', 'oversized'],
    ['malformed', 'malformed'],
  ] as const)('drops a peer with %s answers and names the reason: %s', async (hostile, reason) => {
    const scene = Scene.create({
      amount: 3,
      length: 600,
      node: (i) => (i === 0 ? { hostile } : { delayMs: [300, 400] }),
    })
    const dropped: [number | undefined, string][] = []
    await run(scene, { onDropped: (nodeId, why) => dropped.push([nodeId[0], why]) })
    expect(dropped[0]).toEqual([1, reason])
    expect(dropped.every(([node]) => node === 1)).toBe(true)
  })
})
