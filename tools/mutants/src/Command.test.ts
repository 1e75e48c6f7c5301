import { expect, test } from 'vitest'
import * as Command from './Command.ts'

const parse = (...argv: string[]) =>
  Command.parse(argv, (name) => (name === 'codec' ? 'packages/codec' : undefined))

test('parses packages, file, maximum and seed from the arguments', () => {
  const defaults = { packages: ['packages/codec'], file: undefined, max: 50, seed: 1 }
  expect(parse('--package', 'codec')).toEqual(defaults)
  expect(parse('--package', 'codec', '--file', 'Hex', '--max', '3', '--seed', '9')).toEqual({
    ...defaults,
    file: 'Hex',
    max: 3,
    seed: 9,
  })
  expect(parse('--help')).toBe(Command.HELP)
})

test.each([
  [[], '--package is missing'],
  [['--package', 'none'], 'no package "none"'],
  [['--package', 'codec', '--max', '-1'], '--max'],
  [['--package', 'codec', '--seed', 'x'], '--seed: expected a whole number'],
  [['--other'], '--other'],
])('rejects the arguments %j', (argv, message) => expect(() => parse(...argv)).toThrow(message))
