import { beforeEach, describe, expect, it } from 'vitest'
import * as Collection from './Collection.ts'
import * as Entry from './Entry.ts'
import { order, wave } from './Plan.ts'
import * as Simulation from './testing/Simulation.ts'

describe('wave', () => {
  let collection: Collection.Collection
  let places: number[]
  let low: Set<number>

  beforeEach(() => {
    low = new Set()
    const weights = [40n, 30n, 20n, 10n]
    const validators = weights.map((weight) => ({ weight, behaviours: [{ kind: 'honest' }] }) as const)
    const simulation = Simulation.create({ validators })
    places = weights.map((_, validator) => simulation.indexOf(validator))
    collection = Collection.create(simulation.validatorSet, new Set())
  })

  const plan = (goal: bigint) =>
    wave(
      collection,
      order(collection.entries, ({ index }) => low.has(places.indexOf(index))),
      goal,
    ).map((index) => places.indexOf(index))
  const change = (validator: number, change: (entry: Entry.Entry) => Entry.Entry) =>
    Collection.update(collection, change(collection.entries[places[validator] as number] as Entry.Entry))
  const send = (validator: number, now: number) =>
    change(validator, (entry) => Entry.markSent(Entry.queue(entry, 0, now), 0, now))
  const askAll = (now: number) => {
    for (const validator of plan(100n)) send(validator, now)
  }

  it('selects the heaviest validators until the target weight is covered', () => {
    expect(plan(70n)).toEqual([0, 1])
    expect(plan(71n)).toEqual([0, 1, 2])
    expect(plan(1_000n)).toEqual([0, 1, 2, 3])
  })

  it('selects no further validator while all queried validators are on time', () => {
    for (const validator of plan(70n)) send(validator, 0)
    expect(plan(70n)).toEqual([])
  })

  it('replaces validators that refused', () => {
    for (const validator of plan(70n)) send(validator, 0)
    change(0, (entry) => Entry.withNode(entry, 0, { kind: 'failed' }, { outcome: 'refused', code: 1 }))
    expect(plan(70n)).toEqual([2, 3])
  })

  it('replaces validators that are silent for too long, though they may still respond', () => {
    for (const validator of plan(70n)) send(validator, 0)
    change(1, (entry) => Entry.withNode(entry, 0, { kind: 'asked', at: 0, overdue: true }))
    expect(plan(70n)).toEqual([2, 3])
    expect(Collection.reachable(collection)).toBe(100n)
  })

  it('selects validators of low standing last', () => {
    low = new Set([0, 2])
    expect(plan(40n)).toEqual([1, 3])
    expect(plan(50n)).toEqual([1, 3, 0])
  })

  it('skips validators that are not connected', () => {
    change(0, (entry) => Entry.connection(entry, 0, { connected: false, reason: 'unknown' }, true))
    expect(plan(50n)).toEqual([1, 2])
  })

  it('tracks the total weight per phase', () => {
    askAll(0)
    expect(Collection.covered(collection)).toBe(100n)
    change(2, (entry) => Entry.withNode(entry, 0, { kind: 'not-yet' }, { outcome: 'empty' }))
    change(3, (entry) => Entry.withNode(entry, 0, { kind: 'failed' }, { outcome: 'timed-out' }))
    expect(collection.weights).toMatchObject({ waiting: 70n, 'not-yet': 20n, lost: 10n, idle: 0n })
    expect(Collection.covered(collection)).toBe(70n)
    expect(Collection.reachable(collection)).toBe(90n)
    expect(Collection.isExhausted(collection)).toBe(false)
  })
})
