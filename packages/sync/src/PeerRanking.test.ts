import { type ChainAlias, Hex } from '@firn/codec'
import { createFakeClock } from '@firn/runtime/testing'
import { describe, expect, it } from 'vitest'
import { type Conduct, createPeerRanking } from './PeerRanking.ts'
import * as Random from './testing/Random.ts'

const ids = Array.from({ length: 6 }, (_, i) => new Uint8Array(20).fill(i))
const none: ReadonlySet<string> = new Set()

function create() {
  const clock = createFakeClock()
  const ranking = createPeerRanking({ clock, random: Random.create(7) })
  const pick = (exclude = none, connected = ids, maxInFlight = 2, chain: ChainAlias = 'P') =>
    ranking.pick({ chain, connected, exclude, maxInFlight })?.[0]
  const ask = async (peer: number, ms: number, conduct: Conduct) => {
    const end = ranking.begin(ids[peer] as Uint8Array, 'P')
    await clock.advance(ms)
    end(conduct)
  }
  /** Returns how often each peer is picked. */
  const picks = (rounds: number, exclude = none) => {
    const counts = ids.map(() => 0)
    for (let i = 0; i < rounds; i++) {
      const peer = pick(exclude)
      if (peer !== undefined) counts[peer] = (counts[peer] ?? 0) + 1
    }
    return counts
  }
  return { clock, ranking, pick, ask, picks }
}

describe('pick', () => {
  it('prefers the highest bandwidth, and tries random and untried peers', async () => {
    const { ask, picks } = create()
    await ask(1, 100, { kind: 'useful', bytes: 1_000 })
    await ask(2, 100, { kind: 'useful', bytes: 50_000 })
    const [, slow = 0, fast = 0, untried = 0] = picks(1_000)
    expect(fast).toBeGreaterThan(600)
    expect(fast).toBeLessThan(900)
    expect(slow).toBeLessThan(80)
    expect(slow).toBeGreaterThan(0)
    expect(untried).toBeGreaterThan(slow)
  })

  it('forgets old measurements by half in five minutes', async () => {
    const { ask, clock, ranking } = create()
    await ask(1, 1_000, { kind: 'useful', bytes: 100_000 })
    await clock.advance(299_000)
    await ask(1, 1_000, { kind: 'useful', bytes: 0 })
    const [standing] = ranking.standings()
    expect(standing?.bandwidth).toBeCloseTo(100_000 / 3, -3)
  })

  it('does not pick busy or excluded peers', () => {
    const { pick, ranking } = create()
    const [only = new Uint8Array()] = ids
    ranking.begin(only, 'X')
    expect(pick(none, [only], 1)).toBeUndefined()
    expect(pick(none, [only], 2)).toBe(0)
    expect(pick(new Set([Hex.encodeBare(only)]), [only], 2)).toBeUndefined()
  })

  it('benches silent peers for a growing time', async () => {
    const { ask, picks, ranking } = create()
    await ask(0, 10, { kind: 'silent' })
    const first = ranking.standings()[0]?.benchedMs ?? 0
    await ask(0, 10, { kind: 'silent' })
    await ask(0, 10, { kind: 'silent' })
    const third = ranking.standings()[0]?.benchedMs ?? 0
    expect(first).toBeGreaterThanOrEqual(1_000)
    expect(third).toBeGreaterThanOrEqual(4_000)
    expect(picks(200)[0]).toBe(0)
  })

  it('benches silent peers for one chain, and peers that lied for all', async () => {
    const { ask, pick } = create()
    const [first = new Uint8Array(), second = new Uint8Array()] = ids
    await ask(0, 10, { kind: 'silent' })
    await ask(1, 10, { kind: 'useful', bytes: 1 })
    const both = [first, second]
    expect(new Set(Array.from({ length: 50 }, () => pick(none, both, 2, 'P')))).toEqual(new Set([1]))
    expect(new Set(Array.from({ length: 50 }, () => pick(none, both, 2, 'X')))).toEqual(new Set([0, 1]))
    await ask(0, 10, { kind: 'lied' })
    expect(new Set(Array.from({ length: 50 }, () => pick(none, both, 2, 'X')))).toEqual(new Set([1]))
  })

  it('asks benched peers if there is no other, the one whose bench ends first', async () => {
    const { ask, pick } = create()
    await ask(0, 10, { kind: 'lied' })
    await ask(1, 10, { kind: 'silent' })
    const both = ids.slice(0, 2)
    expect(pick(none, both)).toBe(1)
    expect(pick(new Set([Hex.encodeBare(both[1] as Uint8Array)]), both)).toBe(0)
  })

  it('asks a peer that lied again after at least ten minutes', async () => {
    const { ask, clock, picks } = create()
    await ask(3, 10, { kind: 'lied' })
    await clock.advance(599_000)
    expect(picks(200)[3]).toBe(0)
    await clock.advance(2_000)
    expect(picks(200)[3]).toBeGreaterThan(0)
  })
})

it('remembers a limited number of peers, those that were used last', () => {
  const ranking = createPeerRanking({ clock: createFakeClock(), random: () => 0, maxPeers: 2 })
  for (const peer of [0, 1, 0, 2]) ranking.begin(ids[peer] as Uint8Array, 'P')({ kind: 'none' })
  expect(ranking.standings().map(({ nodeId }) => nodeId[0])).toEqual([0, 2])
})

it('tells once when a peer is free', () => {
  const { ranking } = create()
  let calls = 0
  const end = ranking.begin(ids[0] as Uint8Array, 'P')
  const endSecond = ranking.begin(ids[0] as Uint8Array, 'P')
  ranking.onFreed(() => {
    calls += 1
  })
  end({ kind: 'none' })
  endSecond({ kind: 'none' })
  expect(calls).toBe(1)
})
