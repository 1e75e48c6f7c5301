import { expect, test } from 'vitest'
import { addressUnits } from './addressUnits.ts'

const many = (count: number) => Array.from({ length: count }, () => '0x')

test.each([
  ['a list to add or to remove', { addresses: many(500) }, 10],
  ['addresses of a new webhook', { metadata: { addresses: many(100) } }, 2],
  ['ids of a new webhook', { metadata: { keys: many(99) } }, 1],
  ['a list that is too long', { addresses: many(1_000_000) }, 200],
  ['a body of another form', [{ addresses: many(500) }], 0],
  ['a text', 'addresses', 0],
  ['no body', undefined, 0],
])('charges %s', (_name, body, units) => {
  expect(addressUnits({ body })).toBe(units)
})
