import { readFile } from 'node:fs/promises'
import { type AggregatorService, createAggregatorService, createConfiguration } from '@firn/aggregator'
import { type Browser, startBrowser } from '@firn/browser'
import { createAggregatorClient } from '@firn/client/aggregator'
import { Hex, Id } from '@firn/codec'
import { createDevnet, type Devnet } from '@firn/devnet'
import { TestPostgres } from '@firn/sql/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage } from './testing/checkPage.ts'
import { visit, type WatchedPage, watch } from './testing/opened.ts'
import { parse } from './warp/Message.ts'

const isMissing = TestPostgres.missing() !== undefined
const VALIDATORS = 5
/** Messages that all validators sign, and one that nobody signs. */
const SIGNED = ['first', 'second <b>', 'third']

let devnet: Devnet
let service: AggregatorService
let browser: Browser
let unsigned: readonly string[]

beforeAll(async () => {
  if (isMissing) return
  devnet = await createDevnet({ validators: VALIDATORS })
  const databaseUrl = await TestPostgres.url()
  service = await createAggregatorService(
    createConfiguration({ pChainApi: devnet.rpcUrl, apiPort: 0, logLevel: 'off', workers: 0, databaseUrl }),
  )
  browser = await startBrowser()
  const { signatureAggregator } = createAggregatorClient({ url: service.url })
  const network = service.networkName
  const accept = (text: string, nodes?: readonly number[]) => {
    const payload = new TextEncoder().encode(text)
    return Hex.encodeBare(devnet.acceptMessage({ chain: 'C', payload, ...(nodes && { nodes }) }))
  }
  unsigned = SIGNED.map((text) => accept(text))
  for (const message of unsigned) await signatureAggregator.aggregateSignatures({ network, message })
  const refused = { network, message: accept('refused', []), deadlineMs: 1_000 }
  await signatureAggregator.aggregateSignatures(refused).catch(() => undefined)
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
  await devnet?.close()
})

const idOf = (message: string) => parse(message).messageId ?? 'no id'

async function showRows(watched: WatchedPage) {
  const rows = watched.page.locator('tbody tr')
  await expect
    .poll(async () => {
      await visit(watched, service.url, '#/warp/messages')
      return rows.count()
    })
    .toBeGreaterThanOrEqual(SIGNED.length)
  return rows
}

describe.skipIf(isMissing)('recent messages of an aggregator with a database', { tags: ['postgres'] }, () => {
  test.each([1280, 390])('lists messages with their signatures at a width of %d', async (width) => {
    const watched = await watch({ browser }, { viewport: { width, height: 800 } })
    const rows = await showRows(watched)
    for (const message of unsigned) {
      const row = rows.filter({ hasText: idOf(message) })
      const cells = await row.locator('td').allTextContents()
      expect(cells[1]).toContain(Id.format(devnet.chains.c.id))
      expect(Number(cells[3])).toBeGreaterThanOrEqual(Math.ceil(VALIDATORS * 0.67))
      expect(cells[4]).toMatch(/^[\d,]+$/)
    }
    await checkPage(watched, 'warpMessagesWithRows', ['light', width as 1280 | 390])
    await watched.close()
  })

  test('links to the page of the message, and downloads the list as CSV', async () => {
    const watched = await watch({ browser })
    const { page } = watched
    const rows = await showRows(watched)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const csv = await readFile(await (await downloading).path(), 'utf8')
    expect(csv).toMatch(/^\W?Message,Source chain,Stored,Signatures,Signed at height/)
    for (const message of unsigned) expect(csv).toContain(idOf(message))
    const [, second = ''] = unsigned
    await rows
      .filter({ hasText: idOf(second) })
      .getByRole('link')
      .first()
      .click()
    await page.getByText('AddressedCall', { exact: true }).waitFor()
    expect(page.url()).toContain(`#/warp/messages/${second}`)
    expect(watched.problems).toEqual([])
    await watched.close()
  })
})
