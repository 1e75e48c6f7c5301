import { createFakeClock, type FakeClock } from '@firn/runtime/testing'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import type { AggregatorError } from '../errors/AggregatorError.ts'
import { type Admission, createAdmission } from './Admission.ts'
import type { Entrant } from './Turns.ts'

const CAPACITY = 1_000
/** Cost of a request apart from its queries. */
const FIXED_COST = 64

function setUp(capacity = CAPACITY) {
  const clock = createFakeClock()
  const register = new Registry()
  let draws = 0
  const random = () => (draws++ % 10) / 10
  const admission = createAdmission({ capacity, clock, register, random })
  const log: string[] = []
  /** Enters under a key, and keeps the turn for a time. */
  const use = async (key: string, queries: number, ms: number, options: Partial<Entrant> = {}) => {
    const { leave } = await admission.enter(entrant(clock, { key, queries, ...options }))
    log.push(`${key} at ${clock.now()}`)
    await clock.sleep(ms)
    leave(true)
  }
  return { clock, register, admission, log, use }
}

function entrant(clock: FakeClock, options: Partial<Entrant>): Entrant {
  const { signal } = new AbortController()
  return { key: 'key', queries: 1, end: clock.now() + 49_000, signal, isBatch: false, ...options }
}

/**
 * A process that signs the messages whose turn it is one after another, each in `ms`. Its clients obey
 * `Retry-After`. Returns the number of attempts and of missed deadlines.
 */
async function serve(clock: FakeClock, admission: Admission, clients: number, queries: number, ms: number) {
  let busyUntil = 0
  let attempts = 0
  let missed = 0
  const client = async (_: unknown, number: number) => {
    for (;;) {
      attempts += 1
      const one = entrant(clock, { key: String(number), queries })
      const place = await admission
        .enter(one)
        .catch(({ details }: AggregatorError) => details as { headers: Record<string, string> })
      if ('headers' in place) {
        const seconds = Number(place.headers['retry-after'])
        expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 72, String(seconds)).toBe(true)
        await clock.sleep(seconds * 1_000)
        continue
      }
      busyUntil = Math.max(busyUntil, clock.now()) + ms
      await clock.sleep(busyUntil - clock.now())
      if (clock.now() > one.end) missed += 1
      return place.leave(true)
    }
  }
  await clock.run(Promise.all(Array.from({ length: clients }, client)))
  return { attempts, missed, ms: clock.now() }
}

describe('order', () => {
  it('starts the next request when a request only waits to query validators again', async () => {
    const { clock, admission, log, use } = setUp(500)
    const cost = 500 - FIXED_COST
    const { giveWay, leave } = await admission.enter(entrant(clock, { key: 'waiting', queries: cost }))
    const valid = use('valid', cost, 10)
    await clock.advance(100)
    expect(log).toEqual([])
    giveWay()
    giveWay()
    await clock.run(valid)
    expect(log).toEqual(['valid at 100'])
    leave(false)
    await clock.run(Promise.all([use('next', cost, 10), use('last', cost, 10)]))
    expect(log).toEqual(['valid at 100', 'next at 110', 'last at 120'])
  })

  it('starts requests in order, as many as the capacity allows', async () => {
    const { clock, log, use } = setUp()
    const cost = 500 - FIXED_COST
    await clock.run(Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => use(key, cost, 100))))
    expect(log).toEqual(['a at 0', 'b at 0', 'c at 100', 'd at 100', 'e at 200'])
  })

  it('alternates between batches and single requests', async () => {
    const { clock, log, use } = setUp()
    const batch = ['b1', 'b2', 'b3', 'b4'].map((key) => use(key, 900, 100, { isBatch: true }))
    const singles = ['s1', 's2'].map((key) => use(key, 900, 100))
    await clock.run(Promise.all([...batch, ...singles]))
    expect(log).toEqual(['b1 at 0', 'b2 at 100', 's1 at 200', 'b3 at 300', 's2 at 400', 'b4 at 500'])
  })

  it('moves a message of a batch to the single requests when a single request asks for it', async () => {
    const { clock, log, use } = setUp()
    const batch = ['b1', 'b2', 'b3', 'b4'].map((key) => use(key, 900, 100, { isBatch: true }))
    await clock.run(Promise.all([...batch, use('b4', 900, 50)]))
    expect(log).toEqual(['b1 at 0', 'b2 at 100', 'b4 at 200', 'b4 at 200', 'b3 at 300'])
  })

  it('starts a request that exceeds the capacity alone', async () => {
    const { clock, log, use } = setUp()
    await clock.run(Promise.all([use('small', 1, 100), use('large', 5_000, 100), use('next', 1, 100)]))
    expect(log).toEqual(['small at 0', 'large at 100', 'next at 200'])
  })

  it('lets equal requests share a turn, waiting or started, and requests without queries pass', async () => {
    const { clock, log, use } = setUp()
    const all = [use('a', 900, 100), use('b', 900, 50), use('a', 900, 70), use('b', 900, 100), use('c', 0, 1)]
    await clock.run(Promise.all([...all, use('d', 900, 0)]))
    expect(log.sort()).toEqual(['a at 0', 'a at 0', 'b at 100', 'b at 100', 'c at 0', 'd at 200'])
  })

  it('lets others start when a request takes much longer than usual', async () => {
    const { clock, log, use } = setUp()
    await clock.run(Promise.all([use('hopeless', 900, 15_000), use('next', 900, 100)]))
    expect(log).toEqual(['hopeless at 0', 'next at 6000'])
  })

  it('learns how long requests usually take', async () => {
    const { clock, log, use } = setUp()
    await clock.run(use('quick', 900, 500))
    await clock.run(Promise.all([use('hopeless', 900, 15_000), use('next', 900, 100)]))
    expect(log).toEqual(['quick at 0', 'hopeless at 500', 'next at 5700'])
  })

  it('forgets a request that is aborted while it waits', async () => {
    const { clock, log, use } = setUp()
    const caller = new AbortController()
    const reason = new RangeError('gone')
    const first = use('a', 900, 100)
    const second = use('b', 900, 100, { signal: caller.signal })
    const third = use('c', 900, 100)
    caller.abort(reason)
    await expect(second).rejects.toBe(reason)
    await clock.run(Promise.all([first, third]))
    expect(log).toEqual(['a at 0', 'c at 100'])
    await expect(use('d', 1, 1, { signal: caller.signal })).rejects.toBe(reason)
  })
})

describe('refusals', () => {
  it('refuses nothing that ends in time: 64 messages of 1,000 validators, or 500 of 100', async () => {
    for (const [clients, queries, ms] of [
      [64, 1_000, 500],
      [500, 100, 70],
    ] as const) {
      const { clock, admission } = setUp(8_192)
      for (let burst = 0; burst < 2; burst++) {
        const { attempts, missed } = await serve(clock, admission, clients, queries, ms)
        expect([attempts, missed]).toEqual([clients, 0])
      }
    }
  })

  it('does not judge the speed of the queue by the first of many requests that end together', async () => {
    const { clock, use } = setUp()
    const cost = 100 - FIXED_COST
    const burst = Array.from({ length: 70 }, (_, i) => use(`burst ${i}`, cost, 3_000 + i))
    await clock.advance(3_001)
    await clock.run(Promise.all([...burst, use('next', cost, 100)]))
  })

  it('serves every client that obeys retry-after, without many attempts and without missed deadlines', async () => {
    const { clock, admission } = setUp(8_192)
    const { attempts, missed, ms } = await serve(clock, admission, 500, 1_000, 300)
    expect(missed).toBe(0)
    expect(attempts).toBeLessThan(4 * 500)
    // The process is busy nearly all the time.
    expect(ms).toBeLessThan(1.3 * 500 * 300)
  })

  it('refuses a request at once if the queue is known to be too slow for it, and not if it is fast enough', async () => {
    const { clock, register, use } = setUp()
    for (let i = 0; i < 20; i++) void use(`first ${i}`, 900, 1_000)
    await clock.advance(3_500)
    const late = use('late', 900, 1_000, { end: clock.now() + 8_000 })
    await expect(late).rejects.toMatchObject({
      code: 'AGGREGATOR_BUSY',
      details: { headers: { 'retry-after': expect.stringMatching(/^\d+$/) } },
    })
    expect(clock.now()).toBe(3_500)
    expect(await register.metrics()).toMatch(/queue_refused_total 1\n/)
    expect(await register.metrics()).toMatch(/queue_length 16\n/)
    await clock.run(use('in time', 900, 1_000))
  })

  it('refuses waiting requests as soon as their turn would come too late, and spreads their retries', async () => {
    const { clock, log, use } = setUp()
    const retries: number[] = []
    const all = Array.from({ length: 120 }, (_, i) =>
      use(`${i}`, 900, 1_000, { end: 20_000 }).catch(({ details }: AggregatorError) =>
        retries.push(Number((details['headers'] as Record<string, string>)['retry-after'])),
      ),
    )
    await clock.advance(5_000)
    expect(retries.length).toBeGreaterThan(80)
    expect(Math.min(...retries)).toBeLessThan(25)
    // The longest time is a minute, more or less.
    expect(Math.max(...retries)).toBeGreaterThan(60)
    await clock.run(Promise.all(all))
    expect(log.length).toBeGreaterThan(16)
  })

  it('does not count refused requests when it judges those behind them', async () => {
    const { clock, log, use } = setUp()
    const all = Array.from({ length: 60 }, (_, i) =>
      use(`${i}`, 900, 1_000, { end: i % 3 === 0 ? 31_000 : 12_000 }).catch(() => undefined),
    )
    await clock.run(Promise.all(all))
    const patient = log.filter((line) => Number.parseInt(line, 10) % 3 === 0)
    expect(patient.length).toBe(20)
  })

  it('refuses a request whose turn did not come in time', async () => {
    const { clock, use } = setUp()
    void use('a', 900, 4_000)
    const late = use('b', 900, 100, { end: 3_000 }).catch((error: AggregatorError) => error)
    expect(await clock.run(late)).toMatchObject({ code: 'AGGREGATOR_BUSY' })
    expect(clock.now()).toBe(1_500)
    await clock.run(use('b', 900, 100))
    expect(clock.now()).toBe(4_100)
  })

  it('does not refuse a message of a batch before its time ends', async () => {
    const { clock, use } = setUp()
    for (let i = 0; i < 20; i++) void use(`first ${i}`, 900, 1_000)
    await clock.advance(3_500)
    const end = clock.now() + 8_000
    await expect(use('single', 900, 1_000, { end })).rejects.toMatchObject({ code: 'AGGREGATOR_BUSY' })
    await clock.run(use('in time', 900, 1_000, { end, isBatch: true }))
    const batch = Array.from({ length: 20 }, (_, i) =>
      use(`batch ${i}`, 900, 1_000, { end, isBatch: true }).catch(({ code }: AggregatorError) => code),
    )
    const outcomes = await clock.run(Promise.all(batch))
    expect(outcomes.filter((outcome) => outcome === 'AGGREGATOR_BUSY').length).toBeGreaterThan(10)
    expect(clock.now()).toBeGreaterThan(end - 5_000)
  })

  it('forgets how slow an earlier queue was', async () => {
    const { clock, use } = setUp()
    await clock.run(Promise.all([0, 1, 2, 3, 4].map((i) => use(`slow ${i}`, 900, 4_000))))
    const end = clock.now() + 6_000
    await clock.run(Promise.all([0, 1, 2, 3].map((i) => use(`fast ${i}`, 900, 10, { end }))))
  })
})
