import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOCAL_CHAIN_ID } from './testing/localChain.ts'
import { type Opened, open } from './testing/opened.ts'
import { pagesOf } from './testing/pagesOf.ts'

const EVM = `#/evm/${LOCAL_CHAIN_ID}`

let opened: Opened
beforeAll(async () => {
  opened = await open()
})
afterAll(() => opened?.close())

const { show, withPage } = pagesOf(() => opened)
const isPhone = (width: number) => width < 860

describe.each([1280, 390])('transactions of an EVM chain at a width of %d', (width) => {
  test('shows the table beside the menu, which scrolls in a separate box only where there is no room', async () => {
    await withPage(
      async (watched) => {
        const { accounts } = opened.local.demo
        for (const address of [`${EVM}/txs`, `${EVM}/address/${accounts[1]}`, EVM]) {
          await show(watched, address, /transferFrom|Native transfer/)
          const found = await watched.page.evaluate(() => ({
            boxes: [...document.querySelectorAll('.table-box')]
              .filter((box) => box.textContent.includes('Method'))
              .map((box) => box.scrollWidth > box.clientWidth),
            page: document.documentElement.scrollWidth > innerWidth,
          }))
          expect([address, found]).toEqual([address, { boxes: [isPhone(width)], page: false }])
        }
      },
      { viewport: { width, height: 800 } },
    )
  })

  test('sorts by a column below another one, and downloads each column separately', async () => {
    await withPage(
      async (watched) => {
        const { page } = watched
        await show(watched, `${EVM}/txs`, /Native transfer/)
        await page.getByRole('button', { name: 'Fee' }).click()
        const heading = page.locator('th', { hasText: 'Value, Fee' })
        expect(await heading.getAttribute('aria-sort')).toBe('descending')
        const downloading = page.waitForEvent('download')
        await page.getByRole('button', { name: 'Download CSV' }).click()
        const [titles, ...rows] = (await readFile(await (await downloading).path(), 'utf8'))
          .trim()
          .split(/\r?\n/)
        expect(titles).toBe('Transaction,Method,Status,Block,Time,From,To,Value,Fee')
        const fees = rows.map((row) => Number(row.split(',').at(-1)))
        expect(fees).toEqual(fees.toSorted((one, other) => other - one))
        expect(new Set(fees).size).toBeGreaterThan(1)
      },
      { viewport: { width, height: 800 } },
    )
  })
})
