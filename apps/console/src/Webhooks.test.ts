import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@firn/client'
import { createKey } from '@firn/data-api'
import { type Store, Writer } from '@firn/store'
import { openStore, Recordings } from '@firn/store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPage, VIEWS } from './testing/checkPage.ts'
import { HOSTILE_TEXTS } from './testing/hostileTexts.ts'
import { type Served, serve, visit, type WatchedPage, watch } from './testing/opened.ts'

const ADDRESS = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'

/** Answers the first message with an error, which the service repeats after a second. */
let answered = 0
const target = createServer((_, response) => response.writeHead(answered++ === 0 ? 503 : 200).end())
let store: Store
let served: Served
let key: string
let id: string

beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  const { genesis, constants, chains } = Recordings.load('local')
  store = await openStore()
  const { writer, state } = await Writer.open(store, genesis, constants, undefined, { followsCChain: true })
  const blocks = [...Recordings.follow(state, chains)]
  await writer.commit(blocks.slice(0, 60))
  key = await createKey(
    store,
    { name: 'console', scopes: ['data', 'webhooks'], unitsPerMinute: undefined, unitsPerDay: undefined },
    randomBytes,
    1_795_000_000,
  )
  served = await serve({ store, webhooks: { isDelivering: true, networks: ['127.0.0.1'] } })
  const { webhooks } = createClient({ url: served.service.url, apiKey: key })
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`
  const common = {
    url,
    network: 'local',
    chainId: 'p-chain',
    eventType: 'primary_network_address_activity',
  } as const
  const metadata = {
    keyType: 'addresses' as const,
    keys: [ADDRESS],
    subEvents: { addressActivitySubEvents: ['balance_change' as const] },
  }
  const created = await webhooks.createWebhook({ ...common, name: 'Payments', metadata })
  id = created.id
  for (const text of HOSTILE_TEXTS)
    await webhooks.createWebhook({ ...common, name: text.slice(0, 128), metadata })
  await writer.commit(blocks.slice(60))
})
afterAll(async () => {
  await served?.close()
  await store?.close()
  target.closeAllConnections()
  target.close()
})

/** Opens a page with the key of the settings. */
async function open(view: Parameters<typeof watch>[1]): Promise<WatchedPage> {
  const watched = await watch(served, view)
  const { page } = watched
  await visit(watched, served.service.url, '#/settings')
  await page.getByRole('textbox', { name: 'API key' }).fill(key)
  await page.keyboard.press('Enter')
  await page.getByText(`Requests are sent with the key ${key.slice(0, 11)}…`).waitFor()
  return watched
}

test.each(VIEWS)('shows webhooks and their messages in %s at a width of %d', async (colorScheme, width) => {
  const watched = await open({ colorScheme, viewport: { width, height: 800 } })
  const { page } = watched
  try {
    await visit(watched, served.service.url, '#/webhooks')
    await page.locator('main tbody').filter({ hasText: 'Payments' }).waitFor()
    // Names that callers give stay text.
    expect(
      await page.locator('main img, main script, main iframe, main [onload], main [onerror]').count(),
    ).toBe(0)
    await checkPage(watched, 'webhooks', [colorScheme, width])
    await visit(watched, served.service.url, `#/webhooks/${id}`)
    await page.locator('main tbody').filter({ hasText: 'delivered' }).waitFor()
    await page.locator('main tbody').filter({ hasText: 'HTTP 200' }).waitFor()
    await checkPage(watched, 'webhook', [colorScheme, width])
  } finally {
    await watched.close()
  }
})

test('lists one kind of webhooks, and says what is missing without a key', async () => {
  const watched = await open({ viewport: { width: 1280, height: 800 } })
  const { page } = watched
  try {
    await visit(watched, served.service.url, '#/webhooks')
    await page.getByLabel('Kind').selectOption('icm_undelivered')
    await page.getByText('The API key has no webhooks of this kind.').waitFor()
    expect(watched.problems).toEqual([])
    await visit(watched, served.service.url, '#/settings')
    await page.getByRole('button', { name: 'Remove the key' }).click()
    await visit(watched, served.service.url, '#/webhooks')
    await page.getByRole('link', { name: 'API key in the settings' }).waitFor()
  } finally {
    await watched.close()
  }
})
