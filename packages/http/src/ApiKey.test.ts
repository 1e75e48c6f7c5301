import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import * as ApiKey from './ApiKey.ts'

const storedKey = (key: string, more: Partial<ApiKey.StoredKey> = {}): ApiKey.StoredKey => ({
  ...{ hint: ApiKey.hint(key), name: 'test', hash: ApiKey.hash(key), scopes: ['data'], createdAt: 0 },
  ...{ unitsPerMinute: undefined, unitsPerDay: undefined, revokedAt: undefined },
  ...more,
})

test('finds a stored key by the hash of its text', () => {
  const keys = Array.from({ length: 5 }, () => ApiKey.generate(randomBytes))
  const all = keys.map((key) => storedKey(key))
  for (const key of keys) expect(ApiKey.find(key, all)?.hint).toBe(ApiKey.hint(key))
  expect(ApiKey.find(ApiKey.generate(randomBytes), all)).toBeUndefined()
})

test('stores no part of a key except its first characters', () => {
  const key = ApiKey.generate(randomBytes)
  const kept = JSON.stringify(storedKey(key))
  for (let i = ApiKey.hint(key).length; i + 8 <= key.length; i++) {
    expect(kept).not.toContain(key.slice(i, i + 8))
  }
})

test('detects a mistyped key by its checksum', () => {
  const key = ApiKey.generate(randomBytes)
  expect(ApiKey.isWellFormed(key)).toBe(true)
  for (let i = 5; i < key.length; i++) {
    const mistyped = key.slice(0, i) + (key[i] === 'a' ? 'b' : 'a') + key.slice(i + 1)
    expect(ApiKey.isWellFormed(mistyped)).toBe(false)
  }
  for (const text of ['', key.slice(0, -1), `${key}a`, key.slice(5)]) {
    expect(ApiKey.isWellFormed(text)).toBe(false)
  }
})

test('generates keys with 256 random bits', () => {
  const asked: number[] = []
  ApiKey.generate((bytes) => {
    asked.push(bytes)
    return randomBytes(bytes)
  })
  expect(asked).toEqual([32])
})

describe('select', () => {
  const hash = (first: string) => Uint8Array.from(Buffer.from(first.padEnd(64, '0'), 'hex'))
  const twin = (name: string, first: string, more: Partial<ApiKey.StoredKey> = {}) =>
    storedKey('firn_abcdef', { hint: 'firn_abcdef', name, hash: hash(first), ...more })
  const key = ApiKey.generate(randomBytes)
  const mine = storedKey(key, { name: 'mine' })
  const one = twin('one', 'aaaaaaaa11')
  const other = twin('other', 'aaaaaaaa22')
  const old = twin('old', 'bbbbbbbb', { hint: 'firn_Oldold', revokedAt: 1 })
  const all = [one, other, old, mine]

  test.each([
    ['by its whole text', key],
    ['by its id', ApiKey.id(mine)],
    ['by the beginning of its id', ApiKey.id(mine).slice(0, 8)],
    ['by its first characters', key.slice(0, 11)],
    ['by its first eight characters', key.slice(0, 8)],
    ['by more characters than are stored', key.slice(0, 30)],
  ])('selects a key %s', (_name, text) => {
    expect(ApiKey.select(text, all).name).toBe('mine')
  })

  test('selects a key by its id if other keys have the same first characters', () => {
    expect(ApiKey.select('aaaaaaaa22', all).name).toBe('other')
    expect(ApiKey.select('firn_abcdef', [one, { ...other, revokedAt: 1 }]).name).toBe('one')
  })

  test.each([
    [
      'a text that is too short',
      'firn_ab',
      /^expected at least 8 characters of a key or of its id, got 7\. .*firn keys list/,
    ],
    ['an empty text', '', /at least 8 characters/],
    [
      'the beginning of several keys',
      'firn_abcdef',
      /^firn_abcdef… \(id aaaaaaaa11000000, one\) and firn_abcdef… \(id aaaaaaaa22000000, other\) have the same prefix; pass the id of one of them\./,
    ],
    ['the beginning of several ids', 'aaaaaaaa', /have the same prefix/],
    ['a revoked key', 'firn_Oldold', /^firn_Oldold… \(id bbbbbbbb00000000, old\) is already revoked\./],
    [
      'an unknown key',
      ApiKey.generate(() => new Uint8Array(32).fill(9)),
      /^no stored key matches this text\./,
    ],
    ['an unknown id', '0123456789abcdef', /^no stored key/],
  ])('rejects %s', (_name, text, message) => {
    expect(() => ApiKey.select(text, all)).toThrow(
      expect.objectContaining({ code: 'HTTP_KEY', message: expect.stringMatching(message) }),
    )
  })
})
