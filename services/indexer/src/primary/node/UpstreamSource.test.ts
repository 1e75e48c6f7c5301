import { join } from 'node:path'
import { CHAIN_ALIASES } from '@firn/codec'
import { type Clock, silentLogger, systemClock } from '@firn/runtime'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder, unpack } from '../../testing/archives.ts'
import {
  createFaultyUpstream,
  type FaultyOptions,
  type FaultyUpstream,
} from '../../testing/FaultyUpstream.ts'
import { createFakeNode, type FakeNode, type FakeNodeOptions } from '../../testing/fakeNode.ts'
import { seeded } from '../../testing/random.ts'
import { type Replay, replay, written } from '../../testing/replay.ts'
import { createArchiveSource } from '../archive/ArchiveSource.ts'
import * as GenesisFiles from '../archive/GenesisFiles.ts'
import type { Source } from '../Source.ts'
import { createNodeSource, type NodeSourceOptions } from './NodeSource.ts'
import { createUpstreamSource } from './UpstreamSource.ts'

const { folder, remove } = temporaryFolder()
const archive = join(folder, 'local')
let rules: GenesisFiles.NetworkRules
let undisturbed: Replay
beforeAll(async () => {
  unpack('local', archive)
  rules = await GenesisFiles.load({ archive, now: 0n })
  undisturbed = await replay(createArchiveSource(archive), rules)
})
afterAll(remove)
let open: FaultyUpstream[] = []
afterEach(async () => {
  for (const upstream of open) await upstream.close()
  open = []
})

const start = async (node: FakeNode, options: Partial<FaultyOptions> = {}): Promise<string> => {
  const upstream = await createFaultyUpstream(node, { rate: 0, random: seeded(1), ...options })
  open.push(upstream)
  return upstream.url
}
const nodeOf = (options?: FakeNodeOptions) => createFakeNode(archive, options)
/** Clock that pauses for a hundredth of the requested time. */
const fast: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 100, signal) }
const sourceOf = (...urls: readonly string[]): Source =>
  createUpstreamSource({ nodes: urls.map((url) => ({ url, timeoutMs: 200 })), clock: fast })
const expectSame = (got: Replay) => {
  for (const chain of CHAIN_ALIASES) expect(written(got, chain)).toEqual(written(undisturbed, chain))
}

describe('node', () => {
  it('returns several containers per request from a node with the Index API', async () => {
    const node = await nodeOf()
    const got = await replay(sourceOf(await start(node)), rules, { clock: fast })
    expectSame(got)
    expect(node.calls('index.getContainerRange')).toBeLessThan(12)
    expect(node.calls('platform.getBlockByHeight')).toBe(0)
    expect(got.blocks.every(({ container }) => container?.acceptedAt !== undefined)).toBe(true)
  })

  it('returns inner blocks from a node without the Index API', async () => {
    const node = await nodeOf({ indexed: [] })
    const got = await replay(sourceOf(await start(node)), rules, { clock: fast })
    const inner = (it: Replay) => it.blocks.map(({ bytes }) => bytes).length
    expect(inner(got)).toBe(inner(undisturbed))
    expect(got.blocks.every(({ container }) => container === undefined)).toBe(true)
    expect(node.calls('index.getContainerRange')).toBeLessThan(4)
  })

  it("returns inner blocks where the node's index has gaps", async () => {
    const missed = (chain: string, height: number) => chain === 'P' && height >= 10 && height < 30
    const node = await nodeOf({ missed })
    const got = await replay(sourceOf(await start(node)), rules, { clock: fast })
    const bare = got.blocks.filter(({ container }) => container === undefined)
    expect(bare).toHaveLength(20)
    expect(got.blocks).toHaveLength(undisturbed.blocks.length)
  })

  it('reads all blocks even if a newly enabled index contains none of them', async () => {
    const node = await nodeOf({ missed: () => true })
    const got = await replay(sourceOf(await start(node)), rules, { clock: fast })
    expect(got.blocks).toHaveLength(undisturbed.blocks.length)
  })

  it('rejects a node that serves neither the Index API nor raw blocks with an error that states the reason', async () => {
    const url = await start(await nodeOf({ indexed: [], rawBlocks: false }))
    await expect(replay(sourceOf(url), rules, { clock: fast })).rejects.toMatchObject({
      code: 'INDEXER_NO_RAW_BLOCKS',
      message: expect.stringMatching(/--index-enabled.*debug_getRawBlock/),
    })
  })

  it("returns the node's tip, or the last indexed height if the node serves only the Index API", async () => {
    const source = createNodeSource({ url: await start(await nodeOf()) })
    expect(await source.tip('P')).toBe(85n)
    expect(await source.tip('C')).toBe(83n)
  })
})

it('logs each kind of failure of a node once until the node works again', async () => {
  const codes: unknown[] = []
  const warn = (facts: object) => void codes.push((facts as { readonly code?: string }).code)
  const answers = [
    () => new Response('<html>'),
    () => new Response('<html>'),
    () => new Response('', { status: 503 }),
  ]
  const fetch = async () => answers.shift()?.() ?? new Response('<html>')
  const clock: Clock = { ...systemClock, now: () => 0 }
  const nodes = [{ url: 'http://127.0.0.1:1', fetch }]
  const source = createUpstreamSource({ nodes, clock, log: { ...silentLogger, warn } })
  for (let count = 0; count < 4; count++) await source.tip('P').catch(() => undefined)
  expect(new Set(codes).size).toBe(2)
  expect(codes).toHaveLength(2)
  await source.close()
})

describe('faulty upstream', () => {
  let refusedBlocks = 0

  it.each([1, 2, 3])('indexes the same data despite faulty answers (seed %i)', async (seed) => {
    const random = seeded(seed)
    const url = await start(await nodeOf({ most: 5 }), { rate: 0.5, random, slowMs: 400 })
    const got = await replay(sourceOf(url), rules, { clock: fast, random })
    expectSame(got)
    const values = await got.metrics.registry.getMetricsAsJSON()
    const sum = (name: string) =>
      values.find((it) => it.name === `firn_indexer_${name}`)?.values.reduce((a, { value }) => a + value, 0)
    expect(sum('source_faults_total')).toBeGreaterThan(10)
    refusedBlocks += sum('refused_blocks_total') ?? 0
    // The last request may fail because its result is no longer needed, and the upstream closes connections and is late
    // until the end, so these problems are ignored.
    expect(
      got.problems.list().filter((problem) => !/getHeight|no response|cannot reach/.test(problem)),
    ).toEqual([])
  })

  // Which answers are wrong also depends on the order of concurrent requests, so one run may have none.
  it('returned wrong blocks in these runs, which were refused', () => {
    expect(refusedBlocks).toBeGreaterThan(0)
  })

  it('queries a faulty node last if another node has the requested blocks', async () => {
    const good = await nodeOf()
    const bad = await start(await nodeOf(), { rate: 1, faults: ['forged', 'failing'], random: seeded(5) })
    const got = await replay(sourceOf(bad, await start(good)), rules, { clock: fast })
    expectSame(got)
    expect(good.calls('index.getContainerRange')).toBeGreaterThan(0)
  })

  it('uses a node last that has returned wrong data three times, and names it', async () => {
    const [bad, good] = [await nodeOf({ most: 5 }), await nodeOf({ most: 5 })]
    const url = await start(bad, { rate: 1, faults: ['shuffled'], random: () => 0.5 })
    const nodes = [url, await start(good)].map((one) => ({ url: one, timeoutMs: 600_000 }))
    const lines: string[] = []
    const log = { ...silentLogger, warn: (_facts: object, message: string) => void lines.push(message) }
    const source = createUpstreamSource({ nodes, clock: fast, cooldownMs: 0, log })
    const got = await replay(source, rules, { clock: fast })
    expectSame(got)
    const host = new URL(url).host
    expect(source.warnings?.()).toEqual([
      expect.stringContaining(`${host} has returned wrong or incomplete data and is used last`),
    ])
    // Chains ask at the same time, so a few answers can arrive after the third wrong one.
    const lies = lines.filter((line) => line.startsWith('a node returned wrong or incomplete data:'))
    expect(lies.length).toBeGreaterThanOrEqual(3)
    expect(lies.length).toBeLessThan(8)
    expect(await source.metrics?.metrics()).toContain(`upstream_distrusted{upstream="${host}"} 1`)
  })

  it('no longer believes the tip of a node that does not return the blocks below it', async () => {
    const [bad, good] = [await nodeOf(), await nodeOf()]
    bad.limit = { P: 3 }
    const url = await start(bad)
    const lying: NodeSourceOptions['fetch'] = async (...asked) => {
      const body = String(asked[1]?.body)
      if (!body.includes('platform.getHeight')) return fetch(...asked)
      return Response.json({ jsonrpc: '2.0', id: JSON.parse(body).id, result: { height: '1000' } })
    }
    const nodes = [{ url, fetch: lying }, { url: await start(good) }]
    const source = createUpstreamSource({ nodes, clock: fast })
    const got = await replay(source, rules, { clock: fast })
    expectSame(got)
    expect(source.warnings?.()).toEqual([
      expect.stringMatching(/used last: .*reported P-chain block 1000, and did not return block 86/),
    ])
  })

  it('avoids a node for a while after it returned a wrong block', async () => {
    const [bad, good] = [await nodeOf({ most: 5 }), await nodeOf({ most: 5 })]
    const url = await start(bad, { rate: 1, faults: ['shuffled'], random: () => 0.5 })
    // The timeout is long, because a node must not time out on a busy machine.
    const nodes = [url, await start(good)].map((one) => ({ url: one, timeoutMs: 600_000 }))
    const got = await replay(createUpstreamSource({ nodes, clock: fast }), rules, { clock: fast })
    expectSame(got)
    expect(bad.calls('index.getContainerRange')).toBeLessThan(8)
    expect(good.calls('index.getContainerRange')).toBeGreaterThan(20)
  })
})
