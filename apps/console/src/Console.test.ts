import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@firn/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperateRouteName, RouteName, WarpRouteName, WebhookRouteName } from './Routes.ts'
import { checkPage, VIEWS } from './testing/checkPage.ts'
import { firstVisit, formatVisits, type Visit } from './testing/firstVisit.ts'
import { HOSTILE_TEXTS } from './testing/hostileTexts.ts'
import { LOCAL_CHAIN_ID } from './testing/localChain.ts'
import { type Opened, open, settle, visit, type WatchedPage, watch } from './testing/opened.ts'
import { type Address, pagesOf } from './testing/pagesOf.ts'

const TX = '2ZGgL8Q17xdVr5kKyPPnUZwBDSpkz8ApCU8x9YSWQQ14QtbdPM'
const BLOCK = '2g15cQA25eSfJgTM8tyT46CsAAU9vamya7TZJhhJLXkb8mM9BA'
const NODE = 'NodeID-41f3Vk3mugDhhAQ3AqeXRiXzKyu1AAnNA'
const L1 = '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW'
const CHAIN = 'vJHF8BhQ6B2CLVLfoAUX4b2PnTRy4VXWUSaVgCNYZNfSZUnNY'
const ADDRESS = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
const EVM = `#/evm/${LOCAL_CHAIN_ID}`
const VALIDATION = 'AefYBF7QxozdFbkZHXKE9W9JTwUzbauUaMWtzQp5cgDLFqTvT'

/** An address and a text of each page; `Warp.test.ts`, `Operate.test.ts` and `Webhooks.test.ts` have the other ones. */
const PAGES: Readonly<
  Record<
    Exclude<RouteName, WarpRouteName | OperateRouteName | WebhookRouteName>,
    readonly [address: Address, text: string | RegExp]
  >
> = {
  home: ['#/', /P-chain/],
  search: ['#/search?q=35', /Block 35 of the X-chain/],
  settings: ['#/settings', 'There are no labels'],
  validators: ['#/p/validators', /6 rows/],
  validator: [`#/p/validators/${NODE}`, /11,975/],
  subnets: ['#/p/subnets', 'Recorder L1'],
  subnet: [`#/p/subnets/${L1}`, /L1 validators/],
  blockchain: [`#/p/blockchains/${CHAIN}`, /99112/],
  blocks: ['#/p/blocks?chain=X', /35/],
  block: ['#/p/blocks/P/85', /2g15cQA25eSf/],
  transactions: ['#/p/txs', /Set L1 validator weight/],
  transaction: [`#/p/tx/${TX}`, /SetL1ValidatorWeightTx/],
  address: [`#/p/address/${ADDRESS}`, /Unlocked/],
  supply: ['#/p/supply', /361,196,359/],
  evmChains: ['#/evm', /Demo chain/],
  evmChain: [EVM, /safeBatchTransferFrom/],
  evmBlocks: [`${EVM}/blocks`, /26 rows/],
  evmBlock: [`${EVM}/blocks/2`, /safeBatchTransferFrom/],
  evmTransactions: [`${EVM}/txs`, /failed/],
  evmTransaction: [({ creation }) => `${EVM}/tx/${creation}`, /CREATE2/],
  evmAddress: [({ local }) => `${EVM}/address/${local.demo.accounts[1]}`, /Native transfer/],
  evmToken: [({ local }) => `${EVM}/token/${local.demo.contracts.token}`, /Demo Token.*Mint/],
  evmNft: [({ local }) => `${EVM}/nft/${local.demo.contracts.collectible}/1`, /A token of the demo/],
  metrics: ['#/metrics', /Show as a table/],
}

let opened: Opened
beforeAll(async () => {
  opened = await open()
})
afterAll(() => opened?.close())

const { show, withPage } = pagesOf(() => opened)
const isPhone = (width: number) => width < 860

describe.each(VIEWS)('pages in %s at a width of %d', (colorScheme, width) => {
  let watched: WatchedPage
  const visits = new Map<string, Visit>()
  beforeAll(async () => {
    watched = await watch(opened, { colorScheme, viewport: { width, height: 800 } })
  })
  afterAll(async () => {
    await watched?.close()
    if (visits.size > 0) console.log(formatVisits(visits))
  })

  test.each(Object.entries(PAGES))(
    '%s shows its data, is accessible and fits into the width',
    async (name, [address, text]) => {
      const open = () => show(watched, address, text)
      if (isPhone(width) && colorScheme === 'light') visits.set(name, await firstVisit(watched.page, open))
      else await open()
      await checkPage(watched, name, [colorScheme, width] as (typeof VIEWS)[number])
    },
  )
})

test('shows the call and the logs of a transaction with names, exact amounts and their source', async () => {
  await withPage(async (watched) => {
    const { evm } = createClient({ url: opened.service.url })
    const { token } = opened.local.demo.contracts
    const { transactions } = await evm.listLatestTransactions({
      chainId: LOCAL_CHAIN_ID,
      status: 'success',
      pageSize: 100,
    })
    const { txHash } = transactions.find(
      ({ to, method }) =>
        to.address.toLowerCase() === token && method?.methodName === 'transfer(address,uint256)',
    ) ?? { txHash: '' }
    await show(watched, `${EVM}/tx/${txHash}`, 'Transfer(address,address,uint256)')
    const logs = watched.page.locator('section.log')
    expect(await logs.count()).toBe(1)
    const shown = [await logs.textContent(), await watched.page.textContent('main')]
    expect(shown[0]).toMatch(/1\. from address0x[0-9a-fA-F]{40}.*3\. value uint2561000000000000000000/s)
    expect(shown[1]).toMatch(/1\. to address0x[0-9a-fA-F]{40}.*2\. value uint2561000000000000000000/s)
    for (const text of shown)
      expect(text).toMatch(/Decoded by the verified source of 0x[0-9a-fA-F]{40} \(Token\)\./)
  })
})

test('opens the thing that has the searched id, for every kind of id', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    await visit(watched, opened.service.url, '')
    const cases = [
      [TX, `#/p/tx/${TX}`],
      [BLOCK, '#/p/blocks/P/85'],
      [NODE, `#/p/validators/${NODE}`],
      [`P-${ADDRESS}`, `#/p/address/${ADDRESS}`],
      [VALIDATION, `#/p/subnets/${L1}?validation=${VALIDATION}`],
      [
        '0x15e8fd30f9252ae72e2fd4fe57741f9f78eab587224c036533d7352f7352f891',
        `#/p/subnets/${L1}?validation=${VALIDATION}`,
      ],
    ] as const
    for (const [id, hash] of cases) {
      await page.locator('#search').fill(id)
      await page.keyboard.press('Enter')
      await page.waitForFunction((expected) => location.hash === expected, hash)
    }
    // Subnets and blockchains have the ids of the transactions that created them.
    for (const [id, title] of [
      [L1, 'L1'],
      [CHAIN, 'Blockchain'],
    ] as const) {
      await page.locator('#search').fill(id)
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Transaction on the P-chain' }).waitFor()
      await page.locator('main').getByRole('link', { name: title, exact: true }).waitFor()
    }
    await page.locator('#search').fill('35')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Block 35 of the P-chain' }).waitFor()
    await page.locator('#search').fill(`${TX.slice(0, -1)}N`)
    expect(await page.locator('.search-hint').textContent()).toBe('Id with a wrong checksum')
  })
})

test('opens blocks, transactions and addresses of EVM chains by their ids', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    const [, account = ''] = opened.local.demo.accounts
    await visit(watched, opened.service.url, `${EVM}/blocks/2`)
    const hash = (await page.locator('dd .id-text').first().textContent()) ?? ''
    for (const [id, address] of [
      [opened.creation, `${EVM}/tx/${opened.creation}`],
      [hash, `${EVM}/blocks/2`],
      [account, `${EVM}/address/${account}`],
    ] as const) {
      await page.locator('#search').fill(id)
      await page.keyboard.press('Enter')
      await page.waitForFunction((expected) => location.hash === expected, address)
    }
  })
})

test('shows tokens, transfers, calls and contracts of EVM addresses, and holders and tokens of contracts', async () => {
  await withPage(async (watched) => {
    const { accounts, contracts } = opened.local.demo
    const views = [
      [`${EVM}/address/${accounts[1]}?view=tokens`, /DEMO.*sum of transfers, checked/],
      [`${EVM}/address/${accounts[1]}?view=nfts`, /Demo item.*Demo 1.*checked/],
      [`${EVM}/address/${accounts[1]}?view=erc20`, /Mint.*DEMO/],
      [`${EVM}/address/${accounts[1]}?view=erc721`, /DEMO #1/],
      [`${EVM}/address/${accounts[1]}?view=erc1155`, /#7/],
      [`${EVM}/address/${contracts.factory}?view=calls`, /CREATE2.*0.000000000000000001 COIN/],
      [`${EVM}/address/${accounts[0]}?view=contracts`, /Demo Collectible.*ERC-721/],
      [`${EVM}/token/${contracts.token}?view=holders`, /5 rows/],
      [`${EVM}/token/${contracts.collectible}?view=tokens`, /Demo 1/],
      [`${EVM}/token/${contracts.collectible}?view=holders`, /Holder.*Tokens.*0x.*1/],
      [`${EVM}/nft/${contracts.items}/1`, /Demo item.*Holders.*0x.*Transfers.*0x/],
      [`${EVM}/txs?status=failed`, /failed.*transfer/],
    ] as const
    for (const [address, text] of views) await show(watched, address, text)
    await show(watched, `${EVM}/blocks/3`, /safeBatchTransferFrom/)
    await watched.page
      .getByRole('row', { name: /safeBatchTransferFrom/ })
      .getByRole('link')
      .first()
      .click()
    await watched.page.getByText('TransferBatch(address,address,address,uint256[],uint256[])').waitFor()
  })
})

test('adds new blocks of an EVM chain to its page', async () => {
  await withPage(async (watched) => {
    await show(watched, `${EVM}/blocks`, /live/)
    await opened.local.demo.block()
    await opened.local.demo.block()
    const newest = watched.page.locator('tbody tr').first()
    await newest.filter({ hasText: /^27/ }).waitFor()
  })
})

test('compares two chains in one chart, with the choice in the address', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    await show(watched, '#/metrics?chain=4242&range=all', /Compare with/)
    await page.getByLabel('Compare with').selectOption({ label: 'C-Chain' })
    await page.locator('.legend').filter({ hasText: 'Demo chainC-Chain' }).waitFor()
    expect(await page.getByRole('img').getAttribute('aria-label')).toMatch(
      /^Transactions: 3 values of Demo chain, the latest is \d+; \d+ values of C-Chain, the latest is \d+$/,
    )
    expect(await page.locator('.chart path.line').count()).toBe(4)
    expect(page.url()).toMatch(/other=43112/)
    await page.getByLabel('Metric').selectOption('feesPaid')
    await page.locator('.legend').filter({ hasText: 'Demo chain (COIN)C-Chain (AVAX)' }).waitFor()
    await page.reload()
    await page.locator('.legend').filter({ hasText: 'Demo chain (COIN)C-Chain (AVAX)' }).waitFor()
    await page.getByRole('button', { name: 'Show as a table' }).click()
    await page.getByRole('columnheader', { name: 'C-Chain (AVAX)' }).waitFor()
    await page.getByLabel('Compare with').selectOption('none')
    await page.waitForFunction(() => !location.hash.includes('other='))
  })
})

test('shows the exact value at a time to the pointer, to the keys and to screen readers', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    await show(watched, '#/metrics?chain=4242&range=all', /Show as a table/)
    await page.getByRole('button', { name: 'Show as a table' }).click()
    const rows = await page.locator('tbody tr').all()
    const texts = await Promise.all(rows.map(async (row) => row.locator('td').allInnerTexts()))
    const expected = texts.map(([time, value]) => `${time}, ${value}`).sort()
    expect(expected.length).toBeGreaterThan(2)
    await page.getByRole('button', { name: 'Show as a chart' }).click()

    const slider = page.getByRole('slider', { name: 'Values of Transactions' })
    const reading = page.locator('.chart .reading')
    const isRead = async (text: string | undefined) => {
      await reading.filter({ hasText: new RegExp(`^${text}$`) }).waitFor()
      expect(await slider.getAttribute('aria-valuetext')).toBe(text?.replace('Latest: ', ''))
    }
    await isRead(`Latest: ${expected.at(-1)}`)
    await slider.focus()
    for (const [key, index] of [
      ['Home', 0],
      ['ArrowRight', 1],
      ['ArrowLeft', 0],
      ['ArrowLeft', 0],
      ['End', -1],
    ] as const) {
      await slider.press(key)
      await isRead(expected.at(index))
      expect(await slider.getAttribute('aria-valuenow')).toBe(
        String(expected.indexOf(expected.at(index) ?? '')),
      )
    }
    expect(await page.locator('.chart .chosen').count()).toBe(1)
    await checkPage(watched, 'chart-value', VIEWS[0])
    await slider.press('Escape')
    await isRead(`Latest: ${expected.at(-1)}`)

    const { width = 0 } = (await slider.boundingBox()) ?? {}
    await slider.hover({ position: { x: 40, y: 60 } })
    await isRead(expected[0])
    await slider.hover({ position: { x: width - 2, y: 60 } })
    await isRead(expected.at(-1))
    await page.mouse.move(0, 0)
    await isRead(`Latest: ${expected.at(-1)}`)
  })
})

test('shows for how long the balances of L1 validators last, and the fees of the network', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    await show(watched, `#/p/subnets/${L1}`, /Time left/)
    await page.locator('td[data-title="Time left"]').filter({ hasText: /^\d+ / }).first().waitFor()
    await show(watched, '#/p/supply?range=month', /Fee of an L1 validator per day/)
    await page.getByRole('img', { name: /^Burned fees: \d+ values/ }).waitFor()
    expect(await page.getByLabel('Range of the stake').inputValue()).toBe('month')
  })
})

test('leads from the C-chain to its EVM pages', async () => {
  await withPage(async (watched) => {
    await visit(watched, opened.service.url, '')
    await watched.page.getByRole('link', { name: 'C-chain', exact: true }).first().click()
    await watched.page.getByRole('heading', { level: 1, name: 'C-Chain', exact: true }).waitFor()
  })
})

test('leads back through pages, and past a search that opened its result', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    await visit(watched, opened.service.url, '#/p/validators')
    await page
      .getByRole('link', { name: /NodeID-41f3/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: NODE }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(TX)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: TX }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: NODE }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Validators' }).waitFor()
  })
})

test('sorts, filters and downloads thousands of validators, and renders only the visible ones', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    await page.route('**/v1/networks/*/validators?*', async (route) => {
      const answer = (await (await route.fetch()).json()) as { validators: object[] }
      const validators = Array.from({ length: 5_000 }, (_, index) => ({
        ...answer.validators[0],
        txHash: `tx${index}`,
        nodeId: `NodeID-${String(index).padStart(33, 'A')}`,
        amountStaked: String(2_000_000_000_000n + BigInt(index) * 1_000_000_001n),
      }))
      await route.fulfill({ json: { validators } })
    })
    await visit(watched, opened.service.url, '#/p/validators')
    expect(await page.locator('tbody tr').count()).toBeLessThan(100)
    await page.getByRole('button', { name: 'Stake' }).click()
    expect(await page.locator('th', { hasText: 'Stake' }).getAttribute('aria-sort')).toBe('descending')
    expect(await page.locator('tbody tr').first().textContent()).toContain('6,999.000004999')
    await page.locator('section.table-box').evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await page.locator('tr[aria-rowindex="5001"]').waitFor()
    await page.getByLabel('Filter').fill('A4321')
    await page.getByText('1 row', { exact: true }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    const [head, row] = Buffer.concat(chunks).toString().split('\r\n')
    expect(head).toMatch(/^Node,Status,Stake,/)
    expect(row).toContain(',active,6321.000004321,')
  })
})

test('keeps labels, theme and time zone after the page is loaded again', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    await visit(watched, opened.service.url, `#/p/validators/${NODE}`)
    await page.getByLabel('Label').fill('<b>Ours</b>')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Theme: system/ }).click()
    await page.getByRole('button', { name: /^Theme: light/ }).click()
    await page.getByRole('button', { name: /show UTC$/ }).click()
    await visit(watched, opened.service.url, '#/p/validators')
    await page.reload()
    await settle(page)
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await page.locator('td .label').textContent()).toBe('<b>Ours</b>')
    expect(await page.locator('td time').first().textContent()).toMatch(/ UTC$/)
  })
})

/** Members whose text comes from a chain. */
const NAMES = /^(name|symbol|chainName|blockchainName|memo|genesisData|message|description|blockType|vmName)$/

/** Replaces the texts of a chain in an answer by hostile ones. */
function poison(value: unknown, next: () => string): unknown {
  if (Array.isArray(value)) return value.map((one) => poison(one, next))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, one]) => [
    key,
    NAMES.test(key) ? next() : poison(one, next),
  ])
  return Object.fromEntries(members)
}

test('shows markup and scripts in names, symbols and memos as text', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    let count = 0
    const next = () => HOSTILE_TEXTS[count++ % HOSTILE_TEXTS.length] ?? ''
    await page.route('**/v1/**', async (route) => {
      // The stream of changes has no end, so it cannot be fetched as a whole.
      if (route.request().url().includes('/v1/changes/')) return route.continue()
      const response = await route.fetch()
      // The client keeps answers, which are hostile already.
      if (response.status() === 304) return route.fulfill({ response })
      // Copies of pictures are no JSON.
      if (!response.headers()['content-type']?.includes('json')) return route.fulfill({ response })
      await route.fulfill({ response, json: poison(await response.json(), next) })
    })
    for (const [address] of Object.values(PAGES)) {
      await visit(watched, opened.service.url, typeof address === 'string' ? address : address(opened))
      // Copies of pictures that the service has checked are allowed.
      const pictures = `[src^="${opened.service.url}/v1/chains/"]`
      const harmful = `main img:not(${pictures}), main script, main iframe, main [onload], main [onerror]`
      expect(await page.locator(harmful).count()).toBe(0)
    }
    await visit(watched, opened.service.url, `#/search?q=${encodeURIComponent(HOSTILE_TEXTS[0] ?? '')}`)
    await visit(watched, opened.service.url, '#/p/subnets')
    const shown = (await page.locator('main').textContent()) ?? ''
    expect(HOSTILE_TEXTS.some((text) => shown.includes(text))).toBe(true)
    expect(count).toBeGreaterThan(100)
  })
})

test('says what to do about a service that stops and about an id that does not exist', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    await visit(watched, opened.service.url, `#/p/subnets/${TX}`)
    await page.getByText('Check the id, and that this service follows its network.').waitFor()
    await visit(watched, opened.service.url, '#/nowhere')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.route('**/v1/**', (route) => route.abort())
    await visit(watched, opened.service.url, '#/p/subnets')
    await page.getByText('The service cannot be reached from this browser.').waitFor()
    await page.unroute('**/v1/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Recorder L1').waitFor()
  })
})

test('works behind a path prefix that a proxy removes', async () => {
  const target = new URL(opened.service.url)
  const proxy = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? '').replace(/^\/team\/firn/, '')
    const { method, headers } = incoming
    request({ host: target.hostname, port: target.port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    }).end()
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  try {
    await withPage(async (watched) => {
      await visit(watched, `http://127.0.0.1:${port}/team/firn`, '#/p/subnets')
      await watched.page.getByText('Recorder L1').waitFor()
    })
  } finally {
    proxy.close()
    proxy.closeAllConnections()
  }
})
