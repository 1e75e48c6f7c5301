import { expect, it } from 'vitest'
import { createTrust } from './Trust.ts'

const MINUTE = 60_000

it('distrusts a node after three wrong answers, and says why', () => {
  const trust = createTrust('node.example:9650', () => 0)
  trust.lied('a')
  trust.lied('b')
  expect([trust.isTrusted(), trust.warning()]).toEqual([true, undefined])
  trust.lied('block 7: wrong time')
  expect(trust.isTrusted()).toBe(false)
  expect(trust.warning()).toMatch(/node\.example:9650.*used last: block 7: wrong time/)
})

it('trusts the node again slowly, also after many wrong answers', () => {
  let now = 0
  const trust = createTrust('node', () => now)
  for (let i = 0; i < 100; i++) trust.lied('wrong')
  now = 19 * MINUTE
  expect(trust.isTrusted()).toBe(false)
  now = 20 * MINUTE
  expect(trust.isTrusted()).toBe(true)
  trust.lied('again')
  expect(trust.isTrusted()).toBe(false)
})
