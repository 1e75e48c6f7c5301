import { isFirnError } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as Command from './Command.ts'
import * as Runner from './Runner.ts'
import { targets } from './registry.ts'

const codeOf = (argv: readonly string[]): string | undefined => {
  try {
    Command.parse(argv, targets, 5)
    return undefined
  } catch (error) {
    return isFirnError(error) ? error.code : String(error)
  }
}

describe('command line', () => {
  test('defaults to all targets for a minute', () => {
    expect(Command.parse([], targets, 5)).toEqual({ seconds: 60, seed: 5, targets })
  })

  test('takes seconds, seed, targets and a case', () => {
    const argv = ['--seconds', '3', '--seed', '9', '--target', 'cb58', '--target', 'json', '--case', '4']
    const parsed = Command.parse(argv, targets, 5) as Command.Arguments
    expect(parsed).toMatchObject({ seconds: 3, seed: 9, onlyCase: 4 })
    expect(parsed.targets.map(({ name }) => name)).toEqual(['cb58', 'json'])
  })

  test.each([
    [['--seconds', 'x']],
    [['--seed', '-1']],
    [['--case', '1.5']],
    [['--target', 'none']],
    [['--bogus']],
    [['more']],
  ])('refuses %j', (argv) => expect(codeOf(argv)).toBe('FUZZ_USAGE'))

  test('lists the targets, all with distinct names', () => {
    const names = String(Command.parse(['--list'], targets, 5)).split('\n')
    expect(names).toHaveLength(targets.length)
    expect(new Set(names).size).toBe(targets.length)
  })

  test('reports a failure with the command that reproduces it', () => {
    const failure = { kind: 'error', seed: 7, index: 3, problem: 'TypeError: x' } as const
    const text = Command.format({ target: 'node id', cases: 4, grownBytes: 0, failure })
    expect(text).toContain('npm run fuzz -- --seed 7 --target "node id" --case 3')
  })
})

test('every target survives a short run', async () => {
  const registry = new URL('./registry.ts', import.meta.url).href
  const outcomes = await Runner.run({ registry, targets, seed: 1, durationMs: 3_000, caseLimitMs: 60_000 })
  expect(outcomes.map(Command.format).filter((line) => line.startsWith('FAIL'))).toEqual([])
  for (const { target, cases } of outcomes) expect(cases, target).toBeGreaterThan(0)
}, 600_000)
