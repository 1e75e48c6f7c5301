import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@firn/client'
import { createTextTokens, type TextTokens } from '@firn/demo-chain/texts'
import { Writer } from '@firn/store'
import { inventedLedger, openStore, Recordings } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOSTILE_TEXTS } from './testing/hostileTexts.ts'
import { LOCAL_CHAIN_ID, type LocalChain, startLocalChain } from './testing/localChain.ts'
import { type Served, serve, visit, type WatchedPage, watch } from './testing/opened.ts'

const EVM = `#/evm/${LOCAL_CHAIN_ID}`
/** Signatures that decode the texts in the calls and logs of the collections. */
const SIGNATURES =
  'mint(address to, uint256 tokenId, string uri)\nevent Said(string indexed topic, string text)\n'
/** A megabyte. */
const LONG = { text: 'Long <b>'.repeat(8), doublings: 14 }

let served: Served
let folder: string
let local: LocalChain
let tokens: readonly TextTokens[]
let watched: WatchedPage
beforeAll(async () => {
  local = await startLocalChain(async (url) => {
    tokens = await createTextTokens(url, [...HOSTILE_TEXTS.map((text) => ({ text })), LONG])
  })
  folder = mkdtempSync(join(tmpdir(), 'firn-console-'))
  const selectorFile = join(folder, 'selectors.txt')
  writeFileSync(selectorFile, SIGNATURES)
  served = await serve({ store: await hostileLedger(), chains: [local.served], selectorFile })
  watched = await watch(served)
})
afterAll(async () => {
  await served?.close()
  await local?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns a store with transactions of the P-chain and the X-chain that have the texts as memos. */
async function hostileLedger() {
  const store = await openStore()
  const recording = Recordings.load('local')
  const { writer, state } = await Writer.open(store, recording.genesis, recording.constants)
  const count = HOSTILE_TEXTS.length
  const text = (i: number) => HOSTILE_TEXTS[i % count] ?? ''
  await writer.commit([
    ...inventedLedger(recording, state, { transactions: count, avmTransactions: count, owners: [], text }),
  ])
  return store
}

/** Opens a page and expects that nothing in it comes from markup or scripts of a chain. */
async function expectHarmless(address: string) {
  const { page, problems } = watched
  await visit(watched, served.service.url, address)
  const found = await page.evaluate((url) => {
    const main = document.querySelector('main') as HTMLElement
    // Copies of pictures that the service has checked are allowed.
    const elements = `img:not([src^="${url}/v1/chains/"]), script, iframe, object, embed, link, style,
      [style*="position"], [onload], [onerror], [onmouseover]`
    const links = [...main.querySelectorAll('a')].map((one) => one.getAttribute('href') ?? '')
    return {
      elements: [...main.querySelectorAll(elements)].map(({ outerHTML }) => outerHTML),
      links: links.filter((href) => !href.startsWith('#/')),
      // Characters that change the direction of the text after them.
      controls: /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/.test(main.textContent),
      overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    }
  }, served.service.url)
  expect([address, found]).toEqual([address, { elements: [], links: [], controls: false, overflow: 0 }])
  expect(problems).toEqual([])
}

describe('hostile texts of a chain', () => {
  test('shows names, symbols, metadata and URIs of tokens as text', async () => {
    for (const { token, collection } of tokens) {
      await expectHarmless(`${EVM}/token/${token}`)
      await expectHarmless(`${EVM}/address/${collection}?view=erc721`)
      await expectHarmless(`${EVM}/token/${collection}?view=tokens`)
      await expectHarmless(`${EVM}/nft/${collection}/1`)
      await expectHarmless(`${EVM}/nft/${collection}/2`)
    }
    const [account] = local.demo.accounts
    for (const view of ['transactions', 'tokens', 'nfts', 'erc20', 'erc721', 'contracts'])
      await expectHarmless(`${EVM}/address/${account}?view=${view}`)
    await expectHarmless(EVM)
  })

  test('shows logs and inputs of transactions as text', async () => {
    const { evm } = createClient({ url: served.service.url })
    const { transactions } = await evm.listLatestTransactions({ chainId: LOCAL_CHAIN_ID, pageSize: 100 })
    const collections = new Set(tokens.map(({ collection }) => collection))
    const toTokens = transactions.filter(({ to }) =>
      collections.has(to.address.toLowerCase() as `0x${string}`),
    )
    expect(toTokens.length).toBe(2 * tokens.length)
    for (const { txHash, txStatus } of toTokens) {
      await expectHarmless(`${EVM}/tx/${txHash}`)
      const shown = (await watched.page.textContent('main')) ?? ''
      const logged = txStatus === '1' ? ['Said(string,string)', '2. text string'] : []
      const missing = ['mint(address,uint256,string)', '3. uri string', ...logged].filter(
        (decoded) => !shown.includes(decoded),
      )
      expect([txHash, missing]).toEqual([txHash, []])
    }
  })

  test.each(['p-chain', 'x-chain'] as const)('shows memos of the %s as text', async (blockchainId) => {
    const { primaryNetwork } = createClient({ url: served.service.url })
    const parameters = { network: 'local', blockchainId, pageSize: 100 } as const
    const { transactions } = await primaryNetwork.listLatestPrimaryNetworkTransactions(parameters)
    const memos: string[] = []
    for (const { txHash, memo = '0x' } of transactions.filter((one) => (one.memo ?? '0x') !== '0x')) {
      await expectHarmless(`#/p/tx/${txHash}`)
      memos.push(memo)
    }
    const sent = HOSTILE_TEXTS.map((text) => `0x${Buffer.from(text).toString('hex')}`)
    expect(memos).toEqual(expect.arrayContaining(sent))
    await expectHarmless('#/p/txs')
    await expectHarmless('#/p/subnets')
  })

  test('shows searches as text', async () => {
    for (const text of HOSTILE_TEXTS) await expectHarmless(`#/search?q=${encodeURIComponent(text)}`)
  })

  test('keeps the amounts beside them in place and visible', async () => {
    const { page } = watched
    await visit(watched, served.service.url, `${EVM}/address/${local.demo.accounts[0]}?view=tokens`)
    const rows = await page.evaluate(() =>
      [...document.querySelectorAll('tbody tr')].map((row) => {
        const amount = row.querySelector('.amount') as HTMLElement
        const digits = document.createRange()
        digits.selectNode(amount.firstChild as Node)
        const [number, unit] = [digits.getBoundingClientRect(), amount.querySelector('.unit bdi')]
        const name = row.querySelector('a') as HTMLElement
        return {
          text: amount.firstChild?.textContent ?? '',
          isInOrder: unit === null || number.right <= unit.getBoundingClientRect().left,
          height: row.getBoundingClientRect().height,
          isVisible: name.getBoundingClientRect().width > 0,
        }
      }),
    )
    const ours = rows.filter(({ text }) => text === '123')
    const { evm } = createClient({ url: served.service.url })
    const address = local.demo.accounts[0] ?? ''
    const listed = await evm.listErc20Balances({
      chainId: LOCAL_CHAIN_ID,
      address,
      pageSize: 100,
      filterSpamTokens: false,
    })
    const count = listed.erc20TokenBalances.filter(({ balance }) => balance === `123${'0'.repeat(18)}`).length
    expect(count).toBeGreaterThan(tokens.length / 2)
    expect(ours).toEqual(
      Array.from({ length: count }, () => ({
        text: '123',
        isInOrder: true,
        height: ours[0]?.height,
        isVisible: true,
      })),
    )
  })

  test('truncates names of a megabyte', async () => {
    const { page } = watched
    const { collection } = tokens.at(-1) as TextTokens
    await visit(watched, served.service.url, `${EVM}/token/${collection}`)
    const title = (await page.locator('h1').textContent()) ?? ''
    expect(title).toMatch(/^(Long <b>){10}…$/)
  })
})
