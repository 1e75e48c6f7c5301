import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import * as ApiKey from './ApiKey.ts'

function stored(key: string, more: Partial<ApiKey.StoredKey> = {}): ApiKey.StoredKey {
  return {
    hint: ApiKey.hint(key),
    name: 'test',
    hash: ApiKey.hash(key),
    scopes: ['data'],
    unitsPerMinute: undefined,
    unitsPerDay: undefined,
    createdAt: 0,
    revokedAt: undefined,
    ...more,
  }
}

test('a new key is found among others by its hash alone', () => {
  const keys = Array.from({ length: 5 }, () => ApiKey.generate(randomBytes))
  const all = keys.map((key) => stored(key))
  for (const key of keys) expect(ApiKey.find(key, all)?.hint).toBe(ApiKey.hint(key))
  expect(ApiKey.find(ApiKey.generate(randomBytes), all)).toBeUndefined()
})

test('nothing that is kept of a key gives its text away', () => {
  const key = ApiKey.generate(randomBytes)
  const kept = JSON.stringify(stored(key))
  for (let i = ApiKey.hint(key).length; i + 8 <= key.length; i++) {
    expect(kept).not.toContain(key.slice(i, i + 8))
  }
})

test('a mistyped key is told by its checksum, without a look-up', () => {
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

test('a key has 256 random bits', () => {
  const asked: number[] = []
  ApiKey.generate((bytes) => {
    asked.push(bytes)
    return randomBytes(bytes)
  })
  expect(asked).toEqual([32])
})
