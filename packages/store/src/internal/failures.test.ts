import { expect, test } from 'vitest'
import { wrap } from './failures.ts'

test('a socket that breaks is a database that went away, whatever its code looks like', () => {
  for (const code of ['EPIPE', 'ECONNRESET']) {
    const broken = Object.assign(new Error(`write ${code}`), { code, syscall: 'write', errno: -32 })
    expect(wrap(broken)).toMatchObject({ code: 'STORE_UNAVAILABLE' })
  }
  expect(wrap(Object.assign(new Error('no such table'), { code: '42P01' }))).toMatchObject({
    code: 'STORE_QUERY',
  })
})

test('a transaction that is rolled back for a deadlock can be tried again', () => {
  expect(wrap(Object.assign(new Error('deadlock detected'), { code: '40P01' }))).toMatchObject({
    code: 'STORE_UNAVAILABLE',
  })
})
