import { describe, expect, test } from 'vitest'
import * as Mutation from './Mutation.ts'

const mutants = (text: string) =>
  Mutation.list('file.ts', text).map((mutation) => Mutation.apply(text, mutation))

describe('Mutation', () => {
  test.each([
    ['a < b', ['a <= b', 'a >= b']],
    ['a - b', ['a + b']],
    ['a && b', ['a || b']],
    ['a === 1n', ['a !== 1n', 'a === 2n']],
    ['!a', ['a']],
    ['a ? b : c', ['true ? b : c', 'false ? b : c']],
    ['[true, 2]', ['[false, 2]', '[true, 3]']],
    ["f('name')", ["f('')"]],
  ])('mutates the expression %s', (expression, expected) => {
    const actual = mutants(`const x = ${expression}`)
    expect(actual.toSorted()).toEqual(expected.map((it) => `const x = ${it}`).toSorted())
  })

  test('removes statements and replaces conditions with true or false', () => {
    expect(mutants('if (a) f()')).toEqual(['if (true) f()', 'if (false) f()', 'if (a) ;'])
  })

  test.each([
    "import a from 'a'",
    "type A = 'x' | 1",
    'interface A { readonly b: true }',
    "throw new Error('a whole sentence')",
    "const x = { 'key': a }",
    "const x = 'a text: ' + a",
  ])('creates no mutants of %s', (text) => {
    expect(mutants(text).filter((it) => it !== ';')).toEqual([])
  })
})
