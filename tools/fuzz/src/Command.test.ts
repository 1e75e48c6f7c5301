import { Layers } from '@firn/options'
import { describe, expect, test } from 'vitest'
import * as Command from './Command.ts'
import * as Runner from './Runner.ts'
import { targets } from './registry.ts'

const parse = (argv: readonly string[]) => Layers.fromFlags(Command.OPTIONS, argv)

describe('command line', () => {
  test('parses the duration, seed, targets and case', () => {
    const argv = ['--duration', '3s', '--seed', '9', '--target', 'cb58', '--target', 'json', '--case', '4']
    const parsed = parse(argv)
    expect(parsed).toEqual({ duration: 3_000, seed: 9, target: ['cb58', 'json'], case: 4 })
    expect(Command.choose(parsed, targets).map(({ name }) => name)).toEqual(['cb58', 'json'])
    expect(parse(['--seconds', '3'])).toEqual({ duration: 3_000 })
    expect(Command.choose({}, targets)).toEqual(targets)
  })

  test.each([[['--duration', 'x']], [['--seed', '-1']], [['--case', '1.5']], [['--bogus']], [['more']]])(
    'rejects the arguments %j',
    (argv) => expect(() => parse(argv)).toThrow(/expected|unknown|unexpected/),
  )

  test('rejects an unknown target', () => {
    expect(() => Command.choose({ target: ['none'] }, targets)).toThrow(
      'unknown target "none"; pass --list to see the names',
    )
  })

  test('gives every target a different name', () => {
    expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length)
  })

  test('prints a failure with the command that reproduces it', () => {
    const failure = { kind: 'error', seed: 7, index: 3, problem: 'TypeError: x' } as const
    const text = Command.format({ target: 'node id', cases: 4, grownBytes: 0, failure })
    expect(text).toContain('npm run fuzz -- --seed 7 --target "node id" --case 3')
  })
})

test('finds no failure in any target in a short run', async () => {
  const registry = new URL('./registry.ts', import.meta.url).href
  const outcomes = await Runner.run({ registry, targets, seed: 1, durationMs: 1_000, caseLimitMs: 60_000 })
  expect(outcomes.map(Command.format).filter((line) => line.startsWith('FAIL'))).toEqual([])
  for (const { target, cases } of outcomes) expect(cases, target).toBeGreaterThan(0)
})
