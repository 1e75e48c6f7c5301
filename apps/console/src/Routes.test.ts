import { expect, test } from 'vitest'
import { PAGES } from './Pages.ts'
import { link, match, ROUTES } from './Routes.ts'

test('finds the page, its parameters and its query in a link', () => {
  const hash = link('block', { chain: 'P', blockId: 'a/b c?' }, { tab: 'x&y', none: undefined })
  expect(match(hash)).toEqual({
    name: 'block',
    parameters: { chain: 'P', blockId: 'a/b c?' },
    query: { tab: 'x&y' },
  })
})

test('finds home without an address, and nothing for unknown addresses', () => {
  expect(match('')?.name).toBe('home')
  expect(match('#/p/nothing')).toBeUndefined()
  expect(match('#/p/tx/%')).toMatchObject({ name: 'transaction', parameters: { txId: '%' } })
})

test('gives each page a separate address', () => {
  const paths = Object.values(ROUTES).map(({ path }) => path.replace(/:\w+/g, ':'))
  expect(new Set(paths).size).toBe(paths.length)
  expect(Object.keys(PAGES)).toEqual(Object.keys(ROUTES))
})
