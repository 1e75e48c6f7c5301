import { expect, test } from 'vitest'
import { wrap } from './failures.ts'

test('reports a broken socket as STORE_UNAVAILABLE even if its error code looks like an SQLSTATE', () => {
  for (const code of ['EPIPE', 'ECONNRESET']) {
    const broken = Object.assign(new Error(`write ${code}`), { code, syscall: 'write', errno: -32 })
    expect(wrap(broken)).toMatchObject({ code: 'STORE_UNAVAILABLE' })
  }
  expect(wrap(Object.assign(new Error('no such table'), { code: '42P01' }))).toMatchObject({
    code: 'STORE_QUERY',
  })
})

test('reports a transaction rolled back because of a deadlock as STORE_UNAVAILABLE, so that it is retried', () => {
  expect(wrap(Object.assign(new Error('deadlock detected'), { code: '40P01' }))).toMatchObject({
    code: 'STORE_UNAVAILABLE',
  })
})

test('says that the disk of the database is full, and what to do', () => {
  expect(wrap(Object.assign(new Error('could not extend file "base/1"'), { code: '53100' }))).toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message:
      'the disk of the database is full: make space, and writing goes on (could not extend file "base/1")',
  })
})
