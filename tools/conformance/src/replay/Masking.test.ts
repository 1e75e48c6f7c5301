import { describe, expect, it } from 'vitest'
import * as JsonText from './JsonText.ts'
import * as Masking from './Masking.ts'

const utxo = (txID: number, index: number) =>
  `0x0000${String(txID).padStart(64, '0')}${String(index).padStart(8, '0')}ff`
/** UTXOs of transaction 1 and 2 were made in block 5, of 3 in block 4, of others nowhere. */
const facts: Masking.Facts = {
  madeBy: (txID) => ({ 1: 'block 5', 2: 'block 5', 3: 'block 4' })[Number(txID)],
  madeByID: (id) => ({ a: 'block 5', b: 'block 5', c: 'block 4' })[id],
  isRecorded: (text) => !text.endsWith('00'),
  isValidator: (nodeID) => /^NodeID-[^1]/.test(nodeID),
}

function mask(form: Masking.Form, value: unknown, path = 'result'): string {
  const it: Masking.Mask = { method: '', path, form, reason: '' }
  return JsonText.format(Masking.apply(JsonText.parse(JSON.stringify({ result: value })), [it], facts))
}

describe('UTXOs', () => {
  const [a, b, c] = [utxo(1, 0), utxo(2, 1), utxo(3, 0)]

  it('of one block are in any order', () => {
    expect(mask('utxos', [b, a, c])).toBe(mask('utxos', [a, b, c]))
  })

  it.each([
    ['of another block between them', [a, c, b]],
    ['of a later block first', [c, a, b]],
    ['one is missing', [a, c]],
    ['one is there twice', [a, a, c]],
    ['one is of no block', [a, utxo(9, 0), c]],
  ])('are told apart: %s', (_name, list) => {
    expect(mask('utxos', list)).not.toBe(mask('utxos', [a, b, c]))
  })

  it('are references too', () => {
    const [first, second] = [
      { txID: '1', outputIndex: 0 },
      { txID: '2', outputIndex: 0 },
    ]
    expect(mask('utxos', [first, second])).toBe(mask('utxos', [second, first]))
    expect(mask('utxos', [first, { ...second, outputIndex: 1 }])).not.toBe(mask('utxos', [second, first]))
  })

  it('of a page are some of their block', () => {
    expect(mask('utxosOfPage', [a, c])).toBe(mask('utxosOfPage', [b, c]))
    for (const other of [[c], [a], [c, a], [a, a], [a, b, c], [`${a}00`, c]]) {
      expect(mask('utxosOfPage', other)).not.toBe(mask('utxosOfPage', [a, c]))
    }
  })
})

it('a UTXO where a list ended is one of its block', () => {
  expect(mask('utxoID', 'a')).toBe(mask('utxoID', 'b'))
  for (const other of ['c', 'd', 1, null]) expect(mask('utxoID', other)).not.toBe(mask('utxoID', 'a'))
})

describe('a sample', () => {
  const [low, high] = ['NodeID-6Q4DHSHzUuw4dR1eVtZ7mmkSwQYBFsGTh', 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5']

  it('is some validators in order', () => {
    expect(mask('sample', [low, low])).toBe(mask('sample', [low, high]))
    for (const other of [[high, low], [low], [low, 'NodeID-111111111111111111116DBWJs'], [low, 1]]) {
      expect(mask('sample', other)).not.toBe(mask('sample', [low, high]))
    }
  })
})

it.each([
  ['time', '"2026-11-21T00:13:20.368661268Z"', '"2026-11-21"'],
  ['fraction', '"99.9698"', '99.9698'],
  ['digits', '"0"', '""'],
  ['number', '0.9996', '"1"'],
  ['flag', 'true', 'null'],
  ['duration', '"437.985589ms"', '"soon"'],
  ['address', '"127.0.0.1:52724"', '"127.0.0.1"'],
  ['text', '""', '1'],
] as const)('a %s is masked only when it is one', (form, right, wrong) => {
  const masked = `{"result":"<${form}>"}`
  expect(mask(form, JSON.parse(right))).toBe(masked)
  expect(mask(form, JSON.parse(wrong))).toBe(`{"result":${wrong}}`)
})

it.each([
  ['result', ['result']],
  ['a.b[].c', ['a', 'b', '[]', 'c']],
  ['a[][].*', ['a', '[]', '[]', '*']],
])('steps of %s', (path, steps) => expect(Masking.steps(path)).toEqual(steps))

it('reaches every element and every member', () => {
  const value = { x: [{ t: true }, { t: false }], y: [] }
  expect(mask('flag', value, 'result.*[].t')).toBe('{"result":{"x":[{"t":"<flag>"},{"t":"<flag>"}],"y":[]}}')
  expect(mask('shape', value, 'result.x.t')).toBe(`{"result":${JSON.stringify(value)}}`)
})

it('leaves out the named members of a part', () => {
  const it: Masking.Mask = { method: '', path: 'result', form: 'part', without: ['a', 'c'], reason: '' }
  const partOf = (text: string) => JsonText.format(Masking.apply(JsonText.parse(text), [it], facts))
  expect(partOf('{"result":{"a":1,"b":2,"c":{}}}')).toBe('{"result":{"b":2}}')
  expect(partOf('{"result":[1]}')).toBe('{"result":[1]}')
})

it('leaves of a shape names, their order and kinds of values', () => {
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
  'is no JSON: %s',
  (text) => expect(() => JsonText.parse(text)).toThrow('expected JSON'),
)

it.each(['{"a":[1,2.50,"\\u003c",null],"b":{}}', '18446744073709551615', '[]', '"a\\"b"', '1e400'])(
  'gives back as it was written: %s',
  (text) => expect(JsonText.format(JsonText.parse(text))).toBe(text),
)
