import { randomBytes } from 'node:crypto'
import { createKey } from '@firn/data-api'
import { ApiKey } from '@firn/http'
import type { Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Served, serve, visit, type WatchedPage, watch } from './testing/opened.ts'

let store: Store
let served: Served
let watched: WatchedPage
const keys = { data: '', metrics: '' }
beforeAll(async () => {
  store = await recordedStore('local')
  // The service looks for new keys every few seconds.
  for (const scope of ['data', 'metrics'] as const) keys[scope] = await keyOf(scope)
  served = await serve({ store })
  watched = await watch(served)
})
afterAll(async () => {
  await watched?.close()
  await served?.close()
})

const keyOf = (scope: ApiKey.Scope) =>
  createKey(
    store,
    { name: scope, scopes: [scope], unitsPerMinute: undefined, unitsPerDay: undefined },
    randomBytes,
    1_795_000_000,
  )

const SUBNETS = '#/p/subnets'

/** Enters a key in the settings, and returns the keys of the requests that the page of subnets sends. */
async function enter(key: string): Promise<ReadonlySet<string | undefined>> {
  const { page } = watched
  await visit(watched, served.service.url, '#/settings')
  await page.getByRole('textbox', { name: 'API key' }).fill(key)
  await page.keyboard.press('Enter')
  await page.getByText(`Requests are sent with the key ${key.slice(0, 11)}…`).waitFor()
  const sent = new Set<string | undefined>()
  page.on('request', (request) => {
    if (request.url().includes('/v1/')) sent.add(request.headers()['x-data-api-key'])
  })
  await visit(watched, served.service.url, SUBNETS)
  page.removeAllListeners('request')
  return sent
}

/** Follows the link of an error to the settings, and removes the key there. */
async function removeByError(): Promise<void> {
  const { page } = watched
  await page.getByRole('link', { name: 'API key in the settings' }).click()
  await page.getByRole('button', { name: 'Remove the key' }).click()
  await page.getByRole('textbox', { name: 'API key' }).waitFor()
  await visit(watched, served.service.url, SUBNETS)
  await page.getByText('Recorder L1').waitFor()
}

describe('the API key of the settings', () => {
  test('is sent with requests, is shown in part only, and is kept when the page is loaded again', async () => {
    const { page } = watched
    const key = keys.data
    expect(await enter(key)).toEqual(new Set([key]))
    await page.getByText('Recorder L1').waitFor()
    await page.reload()
    await visit(watched, served.service.url, '#/settings')
    await page.getByText(`${key.slice(0, 11)}…`).waitFor()
    expect(await page.content()).not.toContain(key.slice(0, 16))
    await page.getByRole('button', { name: 'Remove the key' }).click()
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(key)
    expect(watched.problems).toEqual([])
  })

  test.each([
    ['unknown', () => ApiKey.generate(randomBytes), /unknown API key.*Check the API key/s],
    ['of another scope', () => keys.metrics, /does not have the scope "data".*Use an API key with/s],
  ])('leads from an error back to the settings if it is %s', async (_, key, text) => {
    await enter(key())
    await watched.page.locator('.note-bad').filter({ hasText: text }).first().waitFor()
    await removeByError()
  })
})
