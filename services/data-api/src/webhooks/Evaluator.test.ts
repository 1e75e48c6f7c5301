import { openEvm } from '@firn/evm-store/testing'
import { silentLogger, systemClock } from '@firn/runtime'
import { until } from '@firn/runtime/testing'
import { WebhookDeliveries, Webhooks } from '@firn/service-store'
import { expect, test } from 'vitest'
import type { Feed } from './common/Feed.ts'
import * as Source from './common/Source.ts'
import { createEvaluator } from './Evaluator.ts'
import { createRegistry } from './Registry.ts'

const ADDRESS = '11'.repeat(20)
const SOURCE = Source.ofEvm(1_337n)

const webhook = (id: string, from_sequence: bigint): Webhooks.NewWebhook => ({
  ...{ id, owner: new Uint8Array(32), source: SOURCE, event_type: 'address_activity', chain: '1337' },
  ...{ url: 'https://example.com/', host: 'example.com', name: '', description: '', created_at: 0n },
  secret_encoding: 'text',
  settings: { eventSignatures: [], includeInternalTxs: false, includeLogs: false, finality: 'executed' },
  ...{ from_sequence, keys: [new Uint8Array(20).fill(0x11)] },
})

test('tells a webhook of a change that follows its creation, whenever it is created', async () => {
  const home = await openEvm()
  const registry = createRegistry(home)
  await Webhooks.create(home, webhook('early', 0n))
  let tip = 1n
  const feed: Feed<{ readonly sequence: bigint }> = {
    source: SOURCE,
    tip: async () => tip,
    lowest: () => registry.of('address_activity', SOURCE).executed.lowest(),
    changesAfter: async ({ sequence }) => {
      if (tip === 1n) {
        // After the evaluator has read the webhooks, one is created, and then a block follows.
        await Webhooks.create(home, webhook('late', 1n))
        tip = 2n
      }
      return [1n, 2n].filter((one) => one > sequence && one <= tip).map((one) => ({ sequence: one }))
    },
    compare: async ({ sequence }) => {
      const webhooks = registry
        .of('address_activity', SOURCE)
        .executed.match(new Map([[ADDRESS, new Set<string>()]]), sequence)
      const event = { position: 0, height: sequence, blockHash: new Uint8Array(32), body: '{}', webhooks }
      return { sequence, events: [event] }
    },
    onAdvance: () => () => undefined,
  }
  const evaluator = createEvaluator(
    {
      home,
      registry,
      holder: 'one',
      clock: systemClock,
      random: Math.random,
      logger: silentLogger,
      onQueued() {},
    },
    feed,
  )
  const stop = new AbortController()
  const running = evaluator.run(stop.signal)
  const heightsOf = async (id: string) => {
    const query = { states: ['queued'], order: 'asc', after: undefined, limit: 10 } as const
    return (await WebhookDeliveries.page(home, id, query)).map(({ height }) => height)
  }
  await until(async () => expect(await heightsOf('early')).toEqual([1n, 2n]))
  expect(await heightsOf('late')).toEqual([2n])
  stop.abort()
  await running
  await home.close()
})
