import { describe, expect, test } from 'vitest'
import * as Case from './Case.ts'
import { targets } from './fixtures/planted.ts'
import { mutate } from './Mutation.ts'
import * as Prng from './Prng.ts'
import * as Runner from './Runner.ts'

const registry = new URL('./fixtures/planted.ts', import.meta.url).href
const named = (name: string) => targets.filter((target) => target.name === name)
const fuzz = async (name: string, more: Partial<Runner.Options> = {}) => {
  const options = {
    registry,
    targets: named(name),
    seed: 7,
    durationMs: 1_500,
    caseLimitMs: 500,
    memoryCap: 8 << 20,
  }
  const [outcome] = await Runner.run({ ...options, ...more })
  return outcome as Runner.Outcome
}

describe('planted bugs', () => {
  test.each([
    ['untyped', 'error', 'planted'],
    ['violated property', 'error', 'more than 8 bytes'],
    ['hang', 'hang', 'did not end within'],
    ['crash', 'crash', 'planted, after the case'],
  ])('finds and reproduces the planted bug "%s"', async (name, kind, problem) => {
    const { failure } = await fuzz(name)
    expect(failure).toMatchObject({ kind, seed: 7, problem: expect.stringContaining(problem) })
    if (kind === 'crash') return
    const replayed = await fuzz(name, { onlyCase: failure?.index ?? 0 })
    expect(replayed.failure).toMatchObject({ kind, index: failure?.index })
  })

  test('finds a planted memory leak', async () => {
    const { failure } = await fuzz('leak')
    expect(failure?.problem).toContain('memory grew by')
  })
})

test('runs a correct target until its time is up, and reports no finding for typed errors', async () => {
  const outcome = await fuzz('sound', { durationMs: 300 })
  expect(outcome.failure).toBeUndefined()
  expect(outcome.cases).toBeGreaterThan(100)
})

test('runs the other targets after a hang', async () => {
  const both = [...named('hang'), ...named('sound')]
  const outcomes = await Runner.run({ registry, targets: both, seed: 7, durationMs: 3_000, caseLimitMs: 300 })
  expect(outcomes.map(({ failure }) => failure?.kind)).toEqual(['hang', undefined])
  expect(outcomes[1]?.cases).toBeGreaterThan(100)
})

test('derives each input only from seed, target and case number', () => {
  const corpus = [Uint8Array.of(1, 2, 3), Uint8Array.of(9, 9)]
  const inputs = (seed: number, target: string) =>
    Array.from({ length: 50 }, (_, index) => Case.inputOf(corpus, seed, target, index).join())
  expect(inputs(1, 'a')).toEqual(inputs(1, 'a'))
  expect(inputs(1, 'a')).not.toEqual(inputs(2, 'a'))
  expect(inputs(1, 'a')).not.toEqual(inputs(1, 'b'))
  expect(new Set(inputs(1, 'a')).size).toBeGreaterThan(30)
})

test('returns known random numbers for a seed, so that printed seeds remain valid', () => {
  const prng = Prng.create('1/cb58/0')
  expect(Array.from({ length: 4 }, () => prng.below(1_000))).toMatchInlineSnapshot(`
    [
      552,
      221,
      186,
      449,
    ]
  `)
  expect(mutate([Uint8Array.of(1)], Prng.create('1/cb58/0')).length).toBeLessThan(1 << 20)
})
