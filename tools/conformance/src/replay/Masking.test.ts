import { describe, expect, it } from 'vitest'
import * as JsonText from './JsonText.ts'
import * as Masking from './Masking.ts'

const facts: Masking.Facts = { isValidator: (nodeId) => /^NodeID-[^1]/.test(nodeId) }

function mask(form: Masking.Form, value: unknown, path = 'result'): string {
  const it: Masking.Mask = { method: '', path, form, reason: '' }
  return JsonText.format(Masking.apply(JsonText.parse(JSON.stringify({ result: value })), [it], facts))
}

describe('mask of the form "sample"', () => {
  const [low, high] = ['NodeID-6Q4DHSHzUuw4dR1eVtZ7mmkSwQYBFsGTh', 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5']

  it('accepts only a list of validators in ascending order', () => {
    expect(mask('sample', [low, low])).toBe(mask('sample', [low, high]))
    for (const other of [[high, low], [low], [low, 'NodeID-111111111111111111116DBWJs'], [low, 1]]) {
      expect(mask('sample', other)).not.toBe(mask('sample', [low, high]))
    }
  })
})

it.each([
  ['time', '"2026-11-21T00:13:20.368661268Z"', '"2026-11-21"'],
  ['fraction', '"99.9698"', '99.9698'],
  ['number', '0.9996', '"1"'],
  ['text', '""', '1'],
] as const)('masks a value of the form %s only if the value has this form', (form, right, wrong) => {
  const masked = `{"result":"<${form}>"}`
  expect(mask(form, JSON.parse(right))).toBe(masked)
  expect(mask(form, JSON.parse(wrong))).toBe(`{"result":${wrong}}`)
})

it.each([
  ['result', ['result']],
  ['a.b[].c', ['a', 'b', '[]', 'c']],
  ['a[][].*', ['a', '[]', '[]', '*']],
])('splits the mask path %s into steps', (path, steps) => expect(Masking.steps(path)).toEqual(steps))

it('applies a mask to all elements and members that its path selects', () => {
  const value = { x: [{ t: 1 }, { t: 2.5 }], y: [] }
  expect(mask('number', value, 'result.*[].t')).toBe(
    '{"result":{"x":[{"t":"<number>"},{"t":"<number>"}],"y":[]}}',
  )
  expect(mask('shape', value, 'result.x.t')).toBe(`{"result":${JSON.stringify(value)}}`)
})

it('omits the members that a mask of the form "part" excludes', () => {
  const it: Masking.Mask = { method: '', path: 'result', form: 'part', without: ['a', 'c'], reason: '' }
  const partOf = (text: string) => JsonText.format(Masking.apply(JsonText.parse(text), [it], facts))
  expect(partOf('{"result":{"a":1,"b":2,"c":{}}}')).toBe('{"result":{"b":2}}')
  expect(partOf('{"result":[1]}')).toBe('{"result":[1]}')
})

it('keeps member names, their order and the value types with a mask of the form "shape"', () => {
  const shape = mask('shape', { a: { b: 1, c: 'x' }, d: [1], e: null, f: true })
  expect(mask('shape', { a: { b: -2.5, c: '' }, d: [], e: null, f: false })).toBe(shape)
  for (const other of [
    { c: 'x', b: 1 },
    { b: '1', c: 'x' },
    { b: 1 },
    { b: 1, c: null },
    { b: true, c: 'x' },
  ]) {
    expect(mask('shape', { a: other, d: [1], e: null, f: true })).not.toBe(shape)
  }
})

it.each(['', '{', '[1,]', '{"a"}', '{a:1}', '1 2', '01', '"\\', 'nul', ']', `${'['.repeat(300)}`])(
  'rejects invalid JSON: %s',
  (text) => expect(() => JsonText.parse(text)).toThrow('invalid JSON'),
)

it.each(['{"a":[1,2.50,"\\u003c",null],"b":{}}', '18446744073709551615', '[]', '"a\\"b"', '1e400'])(
  'preserves the JSON notation of %s',
  (text) => expect(JsonText.format(JsonText.parse(text))).toBe(text),
)
