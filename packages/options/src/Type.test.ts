import { describe, expect, it } from 'vitest'
import * as Type from './Type.ts'

const level = Type.choice('debug', 'Info')
const urls = Type.list(Type.url('http', 'https'))
const numbers = Type.list(Type.integer(0, 9), /\s+/)

describe('Type.parse', () => {
  it.each<[string, Type.Type<unknown>, string, unknown]>([
    ['the lowest port', Type.port, '0', 0],
    ['the highest port', Type.port, '65535', 65_535],
    ['a negative number', Type.integer(-5, 5), '-5', -5],
    ['a number of 40 digits', Type.big, '9'.repeat(40), BigInt('9'.repeat(40))],
    ['the longest duration', Type.duration(), '24h', 86_400_000],
    ['a duration above one day', Type.duration({ mostMs: 172_800_000 }), '48h', 172_800_000],
    ['the shortest duration', Type.duration({ leastMs: 10 }), '10ms', 10],
    ['a word in another case', level, 'INFO', 'Info'],
    ['a URL', Type.url('http'), 'http://a', 'http://a'],
    ['a list with empty items', urls, 'http://a,, https://b,', ['http://a', 'https://b']],
    ['a list separated by spaces', numbers, '1 2  3', [1, 2, 3]],
    ['a network', Type.network, 'fuji', 5],
  ])('parses %s', (_name, type, text, value) => {
    expect(type.parse(text)).toEqual(value)
  })

  it.each<[string, Type.Type<unknown>, string]>([
    ['a port above the maximum', Type.port, '65536'],
    ['a number below the minimum', Type.count, '0'],
    ['a number with a fraction', Type.port, '1.5'],
    ['a number with an exponent', Type.port, '1e3'],
    ['a number with a space', Type.port, ' 1'],
    ['an empty number', Type.port, ''],
    ['a number of 41 digits', Type.big, '9'.repeat(41)],
    ['a negative big number', Type.big, '-1'],
    ['a duration above the maximum', Type.duration(), '86400001ms'],
    ['a duration below the minimum', Type.duration({ leastMs: 10 }), '9ms'],
    ['an unknown word', level, 'infos'],
    ['a URL with another protocol', Type.url('http'), 'https://a'],
    ['a URL without slashes', Type.url('http'), 'http:a'],
    ['a relative URL', Type.url('http'), '/a'],
    ['a list with an invalid item', urls, 'http://a,b'],
    ['an unknown network', Type.network, 'moon'],
  ])('rejects %s', (_name, type, text) => {
    expect(type.parse(text)).toBeUndefined()
  })

  it('describes the expected value in the error for invalid JSON', () => {
    const type = Type.json('a JSON list', (json) => (Array.isArray(json) ? json : undefined))
    expect(type.parse('[1]')).toEqual([1])
    expect(type.parse('{}')).toBeUndefined()
    expect(() => type.parse('[')).toThrow('expected a JSON list, got "["')
  })
})

describe('Type.fromJson', () => {
  it.each<[string, Type.Type<unknown>, unknown, unknown]>([
    ['a number', Type.port, 7, 7],
    ['a number as text', Type.port, '7', 7],
    ['a boolean', Type.flag, false, false],
    ['a boolean as text', Type.flag, 'false', false],
    ['a list', urls, ['http://a'], ['http://a']],
    ['a list as text', urls, 'http://a,http://b', ['http://a', 'http://b']],
    ['a number as a duration in the unit of JSON', Type.duration({ bare: 's', bareJson: 'ns' }), 5e6, 5],
    ['a duration as text', Type.duration({ bare: 's', bareJson: 'ns' }), '5', 5_000],
  ])('converts %s', (_name, type, json, value) => {
    expect(type.fromJson(json)).toEqual(value)
  })

  it.each<[string, Type.Type<unknown>, unknown]>([
    ['a boolean instead of a number', Type.port, true],
    ['a number instead of a string', Type.text, 7],
    ['a number instead of a URL', Type.url('http'), 7],
    ['a number instead of a boolean', Type.flag, 1],
    ['a list with an invalid item', urls, ['http://a', 1]],
    ['a number instead of a list', urls, 1],
    ['a number as a duration without a unit', Type.duration(), 5],
    ['null instead of a duration', Type.duration({ bare: 's' }), null],
  ])('rejects %s', (_name, type, json) => {
    expect(type.fromJson(json)).toBeUndefined()
  })
})

describe('help', () => {
  it('describes the valid values of a type', () => {
    expect(Type.integer(1, Number.MAX_SAFE_INTEGER).expected).toBe('a whole number of at least 1')
    expect(Type.duration({ leastMs: 500 }).expected).toContain('from 500ms to 24h')
    expect(Type.duration({ mostMs: 172_800_000 }).expected).toContain('up to 48h')
    expect(urls.expected).toContain('separated by commas')
    expect(numbers.expected).toContain('separated by spaces')
  })

  it('lists the words of a choice in the placeholder if they fit into 24 characters', () => {
    expect(level.placeholder).toBe('debug|Info')
    expect(Type.choice('a'.repeat(12), 'b'.repeat(11)).placeholder).toHaveLength(24)
    expect(Type.choice('a'.repeat(12), 'b'.repeat(12)).placeholder).toBe('word')
  })

  it.each<[unknown, string, Type.Type<never>]>([
    [[], 'none', urls as Type.Type<never>],
    [['http://a', 'http://b'], 'http://a,http://b', urls as Type.Type<never>],
    [120_000, '2m', Type.duration() as Type.Type<never>],
    [5, 'fuji', Type.network as Type.Type<never>],
    [{ a: 1 }, '{"a":1}', Type.json('JSON', (json) => json) as Type.Type<never>],
  ])('formats the value %j as %s', (value, text, type) => {
    expect(type.format(value as never)).toBe(text)
  })
})
