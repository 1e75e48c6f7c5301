import { silentLogger } from '@firn/runtime'
import { createTimerClock, settle } from '@firn/runtime/testing'
import { expect, it } from 'vitest'
import { IndexerError } from '../common/IndexerError.ts'
import { createEvmHead } from './EvmHead.ts'
import type { EvmUpstream } from './upstream/EvmUpstream.ts'
import type { Answer, Subscriber } from './upstream/JsonRpc.ts'

const hashOf = (height: number, branch = 0) => `0x${`${branch}${height}`.padStart(64, '0')}`
const header = (height: number, branch = 0) => ({
  number: `0x${height.toString(16)}`,
  hash: hashOf(height, branch),
})

/** Creates a fake node whose heads the test controls. */
const upstream = (isLive: boolean) => {
  const node = {
    latest: undefined as unknown,
    subscriber: undefined as Subscriber | undefined,
    polls: 0,
    subscriptions: 0,
    refuses: 0,
    refusals: 0,
    isTrusted: true,
  }
  const ask = async (): Promise<readonly Answer[]> => {
    node.polls += 1
    return [{ result: node.latest ?? null }]
  }
  const subscribe = async (_params: readonly unknown[], subscriber: Subscriber) => {
    if (node.refuses-- > 0) throw new IndexerError('INDEXER_RPC_UNAVAILABLE', 'no')
    node.subscriptions += 1
    node.subscriber = subscriber
  }
  const upstream = {
    name: 'node',
    ask,
    abilities: async () => ({}),
    recheck: () => undefined,
    report: () => undefined,
    refuse() {
      node.refusals += 1
    },
    isTrusted: () => node.isTrusted,
    ...(isLive ? { subscribe } : {}),
  }
  return { ...node, node, upstream: upstream as unknown as EvmUpstream }
}

const watch = async (
  upstreams: readonly ReturnType<typeof upstream>[],
  body: (head: ReturnType<typeof createEvmHead>, signal: AbortSignal) => Promise<void>,
) => {
  const head = createEvmHead({
    upstreams: upstreams.map(({ upstream }) => upstream),
    pollMs: 5,
    patienceMs: 1_500,
    clock: createTimerClock(),
    random: () => 0,
    log: silentLogger,
  })
  const stop = new AbortController()
  const watching = head.watch(stop.signal)
  await body(head, stop.signal)
  stop.abort()
  await watching
}

it('polls a node that does not support subscriptions', async () => {
  const one = upstream(false)
  one.node.latest = header(7)
  await watch([one], async (head) => {
    await expect.poll(() => head.best()?.height).toBe(7n)
    one.node.latest = header(8)
    await expect.poll(() => head.best()?.hash).toBe(hashOf(8))
  })
})

it('wakes a waiting caller at a new head, but not when the same head is reported again', async () => {
  const one = upstream(true)
  one.node.latest = header(7)
  await watch([one], async (head, signal) => {
    let seen = await head.changed(0, signal)
    await expect.poll(() => one.node.subscriber).toBeDefined()
    const next = head.changed(seen, signal)
    one.node.subscriber?.event(header(8))
    seen = await next
    expect(head.best()?.height).toBe(8n)
    let isWoken = false
    head.changed(seen, signal).then(
      () => {
        isWoken = true
      },
      () => undefined,
    )
    one.node.subscriber?.event(header(8))
    await settle()
    expect(isWoken).toBe(false)
  })
})

it('reports a lower head immediately with latest(), but with best() only if the lower head persists', async () => {
  const one = upstream(false)
  one.node.latest = header(20)
  await watch([one], async (head) => {
    await expect.poll(() => head.best()?.height).toBe(20n)
    one.node.latest = header(12)
    await expect.poll(() => head.latest()?.height).toBe(12n)
    expect(head.best()?.height).toBe(20n)
    await expect.poll(() => head.best()?.height).toBe(12n)
  })
})

it('prefers the most recently reported block among blocks of the same height', async () => {
  const one = upstream(false)
  one.node.latest = header(20)
  await watch([one], async (head) => {
    await expect.poll(() => head.best()?.height).toBe(20n)
    one.node.latest = header(20, 1)
    await expect.poll(() => head.best()?.hash).toBe(hashOf(20, 1))
  })
})

it('uses the higher head of two nodes while one of them lags', async () => {
  const [low, high] = [upstream(false), upstream(false)]
  low.node.latest = header(5)
  high.node.latest = header(9)
  await watch([low, high], async (head) => {
    await expect.poll(() => head.best()?.height).toBe(9n)
    const { polls } = low.node
    await expect.poll(() => low.node.polls).toBeGreaterThan(polls + 20)
    expect(head.best()?.height).toBe(9n)
  })
})

it('resubscribes after a subscription ends, even if attempts fail, and polls in the meantime', async () => {
  const one = upstream(true)
  one.node.latest = header(1)
  await watch([one], async (head) => {
    await expect.poll(() => one.node.subscriptions).toBe(1)
    one.node.refuses = 2
    one.node.latest = header(5)
    one.node.subscriber?.end()
    await expect.poll(() => one.node.subscriptions).toBe(2)
    await expect.poll(() => head.best()?.height).toBe(5n)
  })
})

it('ignores the head of a node that is not trusted, until no other node reports one', async () => {
  const [liar, honest] = [upstream(false), upstream(false)]
  liar.node.latest = header(1_000_000)
  honest.node.latest = header(9)
  await watch([liar, honest], async (head) => {
    await expect.poll(() => head.best()?.height).toBe(1_000_000n)
    liar.node.isTrusted = false
    await expect.poll(() => head.best()?.height).toBe(9n)
    await expect.poll(() => head.latest()?.height).toBe(9n)
    honest.node.latest = null
    await expect.poll(() => head.best()?.height).toBe(1_000_000n)
    expect(honest.node.refusals).toBeGreaterThan(0)
  })
})

it.each([
  null,
  {},
  { number: '7', hash: hashOf(7) },
  { number: '0x7', hash: '0x7' },
  { number: '0x7', hash: 7 },
  'x',
])('ignores the invalid header %o', async (latest) => {
  const one = upstream(false)
  one.node.latest = latest
  await watch([one], async (head) => {
    await expect.poll(() => one.node.polls).toBeGreaterThan(2)
    expect(head.best()).toBeUndefined()
  })
})
