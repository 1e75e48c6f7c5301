import { describe, expect, it } from 'vitest'
import type { Block } from './BlockStore.ts'
import { type Advance, type FollowOptions, follow } from './Follow.ts'
import * as MemoryStore from './testing/MemoryStore.ts'
import * as Scene from './testing/Scene.ts'

/** A chain of 100 blocks whose block 51 is accepted after 1 s, and each next one 2 s after the one before. */
const acceptedAt = (height: number) => (height - 51) * 2_000 + 1_000

function start(scene: Scene.Scene, options: Partial<FollowOptions> = {}) {
  const tip = scene.chain.blocks[50] as Block
  return follow({ ...scene.dependencies, tip, store: MemoryStore.open(scene.disk), ...options })
}

/** Follows up to a height, and returns the delays from the acceptance by the first node. */
async function delaysUntil(scene: Scene.Scene, height: bigint, options: Partial<FollowOptions> = {}) {
  const delays: number[] = []
  const advances: Advance[] = []
  const run = async () => {
    for await (const advance of start(scene, options)) {
      advances.push(advance)
      delays.push(scene.clock.now() - acceptedAt(Number(advance.tip.height)))
      if (advance.tip.height >= height) return
    }
  }
  await scene.clock.run(run())
  return { delays: delays.toSorted((a, b) => a - b), advances }
}

describe('follow', () => {
  it('yields new blocks within 0.7 s, with none left out', async () => {
    const scene = Scene.create({ acceptedAt })
    const { advances, delays } = await delaysUntil(scene, 80n)
    expect(advances.map(({ from }) => from)).toEqual(
      advances.map((_, i) => (advances[i - 1]?.tip.height ?? 50n) + 1n),
    )
    for (let height = 51n; height <= 80n; height++) {
      expect(scene.disk.blocks.get(height)?.bytes).toEqual(scene.chain.blocks[Number(height)]?.bytes)
    }
    expect(delays[Math.floor(delays.length / 2)]).toBeLessThan(700)
    expect(delays.at(-1)).toBeLessThan(1_500)
  })

  it('sends at most 120 small requests in any second', async () => {
    const scene = Scene.create({ acceptedAt, amount: 100 })
    await delaysUntil(scene, 60n)
    const { times } = scene
    for (const [i, time] of times.entries()) {
      const inSecond = times.filter((other, j) => j >= i && other < time + 1_000).length
      // Requests for containers are not small, and at most one per block is in this count.
      expect(inSecond).toBeLessThanOrEqual(122)
    }
  })

  it('requests nothing while the caller does not ask for the next blocks', async () => {
    const scene = Scene.create({ acceptedAt })
    const blocks = start(scene)
    await scene.clock.run(blocks.next())
    const before = scene.times.length
    await scene.clock.advance(10_000)
    expect(scene.times.length).toBe(before)
    const { value } = await scene.clock.run(blocks.next())
    expect(value?.from).toBe(52n)
    expect(value?.tip.height).toBeGreaterThan(54n)
  })

  it('does not follow half of the weight', async () => {
    const scene = Scene.create({ acceptedAt, amount: 6, node: (i) => ({ votesForFork: i < 3 }) })
    const stop = new AbortController()
    scene.clock.after(60_000, () => stop.abort(new RangeError('stop')))
    await expect(scene.clock.run(start(scene, { signal: stop.signal }).next())).rejects.toThrow('stop')
    expect(scene.disk.blocks.size).toBe(0)
  })

  it('follows a majority although the rest claims higher blocks or is silent', async () => {
    const kinds = ['boasts', 'silent', 'boasts', 'slow'] as const
    const scene = Scene.create({
      acceptedAt,
      amount: 9,
      node: (i) => (kinds[i] === undefined ? {} : { hostile: kinds[i] }),
    })
    const { advances } = await delaysUntil(scene, 60n)
    expect(advances.at(-1)?.tip.id).toEqual((scene.chain.blocks[60] as Block).id)
  })

  it('decides by samples if there are too many voters to ask all', async () => {
    const scene = Scene.create({ acceptedAt, amount: 400 })
    const { advances } = await delaysUntil(scene, 56n)
    expect(advances.at(-1)?.tip.id).toEqual((scene.chain.blocks[56] as Block).id)
    // To ask all voters would take 400 requests per block.
    expect(scene.counts.get('request: pullQuery')).toBeLessThan(6 * 200)
  })

  it('decides by samples although a sixth of the stake votes for a fork', async () => {
    const scene = Scene.create({ acceptedAt, amount: 400, node: (i) => ({ votesForFork: i % 6 === 0 }) })
    const { advances } = await delaysUntil(scene, 56n)
    expect(advances.at(-1)?.tip.id).toEqual((scene.chain.blocks[56] as Block).id)
  })

  it('asks all voters if samples do not decide', async () => {
    const scene = Scene.create({
      acceptedAt,
      amount: 60,
      node: (i) => (i % 5 < 2 ? { hostile: 'silent' } : {}),
    })
    const { advances } = await delaysUntil(scene, 52n, { options: { maxVoters: 50 } })
    expect(advances.at(-1)?.tip.id).toEqual(
      (scene.chain.blocks[Number(advances.at(-1)?.tip.height)] as Block).id,
    )
  })

  it('decides where every voter at the tip is needed, although a fifth of the answers is lost', async () => {
    const { chain } = Scene.create()
    const late = { blocks: chain.blocks.slice(0, 20) }
    const node = (i: number) => ({ votesForFork: i < 15 })
    const scene = Scene.create({ acceptedAt, chain, fork: late, amount: 31, loss: 0.2, node })
    await delaysUntil(scene, 51n)
    expect(scene.clock.now()).toBeLessThan(30_000)
  })

  it('rejects a fork of the tip', async () => {
    const scene = Scene.create({ acceptedAt })
    const tip = { ...(scene.chain.blocks[50] as Block), id: new Uint8Array(32).fill(1) }
    await expect(scene.clock.run(start(scene, { tip }).next())).rejects.toMatchObject({ code: 'SYNC_ROOT' })
  })
})
