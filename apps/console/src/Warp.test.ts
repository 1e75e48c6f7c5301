import { type AggregatorService, createAggregatorService, createConfiguration } from '@firn/aggregator'
import { type Browser, startBrowser } from '@firn/browser'
import { Hex, Id, NodeId } from '@firn/codec'
import { createDevnet, type Devnet } from '@firn/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WarpRouteName } from './Routes.ts'
import { checkPage, VIEWS } from './testing/checkPage.ts'
import { HOSTILE_TEXTS } from './testing/hostileTexts.ts'
import { settle, visit, type WatchedPage, watch } from './testing/opened.ts'

/** The Primary Network has seven validators. The L1 has four, of which one has no balance left. */
let devnet: Devnet
let service: AggregatorService
let browser: Browser
/** A message that all validators accept, and one that two of seven do not know. */
let message: string
let refused: string

beforeAll(async () => {
  devnet = await createDevnet({ validators: 7, l1s: [{ validators: 4, inactive: [3] }] })
  await devnet.validators[6]?.close()
  service = await createAggregatorService(
    createConfiguration({ pChainApi: devnet.rpcUrl, apiPort: 0, logLevel: 'off', workers: 0 }),
  )
  browser = await startBrowser()
  message = accept('hello')
  refused = accept('not known to all', [0, 1, 2, 3])
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
  await devnet?.close()
})

/** Makes validators accept a message. Returns it in hex without 0x. */
function accept(text: string, nodes?: readonly number[]): string {
  const payload = new TextEncoder().encode(text)
  return Hex.encodeBare(devnet.acceptMessage({ chain: 'C', payload, ...(nodes && { nodes }) }))
}

function nodeId(index: number): string {
  const found = devnet.validators[index]
  if (found === undefined) throw new RangeError(`no validator ${index}`)
  return NodeId.format(found.nodeId)
}

async function withPage(work: (watched: WatchedPage) => Promise<void>) {
  const watched = await watch({ browser })
  try {
    await work(watched)
    expect(watched.problems).toEqual([])
  } finally {
    await watched.close()
  }
}

/** Collects the signatures of a message on its page. */
async function collect(watched: WatchedPage, hex: string, outcome: string) {
  await visit(watched, service.url, `#/warp/messages/${hex}`)
  await watched.page.getByRole('button', { name: 'Collect signatures' }).click()
  await watched.page.getByText(outcome, { exact: true }).waitFor()
}

/** An address and a text of each page. */
const PAGES: Readonly<Record<WarpRouteName, readonly [address: () => string, text: string | RegExp]>> = {
  warpMessages: [() => '#/warp/messages', /keeps no messages/],
  warpMessage: [() => `#/warp/messages/${message}`, /7 rows/],
  warpTransaction: [() => `#/warp/tx/0x${'12'.repeat(32)}`, /Name its chain below/],
  warpQuorums: [() => '#/warp/quorums', /safe|at risk/],
  warpQuorum: [
    () => `#/warp/quorums/${Id.format(devnet.l1s[0]?.subnetId ?? Id.EMPTY)}`,
    /Cannot sign25\.0 %/,
  ],
  warpVerify: [() => '#/warp/verify', /sends nothing/],
}

describe.each(VIEWS)('pages in %s at a width of %d', (colorScheme, width) => {
  let watched: WatchedPage
  const view = [colorScheme, width] as (typeof VIEWS)[number]
  beforeAll(async () => {
    watched = await watch({ browser }, { colorScheme, viewport: { width, height: 800 } })
  })
  afterAll(() => watched?.close())

  test.each(Object.entries(PAGES))(
    '%s shows its data, is accessible and fits into the width',
    async (name, [address, text]) => {
      await visit(watched, service.url, address())
      await watched.page.locator('main').filter({ hasText: text }).waitFor()
      await checkPage(watched, name, view)
    },
  )

  test('shows a signed message and its verification accessibly and within the width', async () => {
    await collect(watched, message, 'quorum reached')
    await watched.page.getByText('Valid: this browser').waitFor()
    await watched.page.getByText('Link to the proof').waitFor()
    await checkPage(watched, 'warpSigned', view)
  })
})

test('shows in under five clicks why a message misses its quorum, and which validators are missing', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    devnet.validators[3]?.setFault({ kind: 'silent' })
    try {
      await visit(watched, service.url, '')
      // Counted in the page, so that every click of the operator counts.
      await page.evaluate(() => {
        const counted = window as unknown as { clicks: number }
        counted.clicks = 0
        addEventListener('click', ({ isTrusted }) => isTrusted && counted.clicks++, true)
      })
      await page.getByRole('link', { name: 'Messages' }).click()
      await page.getByLabel(/^Message in hexadecimal/).click()
      await page.keyboard.insertText(refused)
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByRole('button', { name: 'Collect signatures' }).click()
      const why = page.getByRole('region', { name: 'Missing validators' })
      await why.getByText('no connection').waitFor()
      await page.getByText('not signed', { exact: true }).waitFor()
      expect(await page.evaluate(() => (window as unknown as { clicks: number }).clicks)).toBeLessThan(5)

      const reasons = await why.locator('li').allTextContents()
      expect(reasons).toHaveLength(3)
      expect(reasons).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^refused to sign2 validators with 28\.6 % of the weightcode \d+: /),
          expect.stringMatching(/^timed out1 validator with 14\.3 % of the weight/),
          expect.stringMatching(/^no connection1 validator with 14\.3 % of the weight/),
        ]),
      )
      const outcomes = await page
        .getByRole('region', { name: 'Table: Validators that must sign' })
        .locator('tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [
            row.querySelector('.hidden')?.textContent,
            row.querySelector('.status')?.textContent,
          ]),
        )
      expect(new Map(outcomes.slice(0, 4) as [string, string][])).toEqual(
        new Map([
          [nodeId(3), 'timed out'],
          [nodeId(4), 'refused to sign'],
          [nodeId(5), 'refused to sign'],
          [nodeId(6), 'no connection'],
        ]),
      )
      expect(outcomes.slice(4).map(([, outcome]) => outcome)).toEqual(['signed', 'signed', 'signed'])
    } finally {
      devnet.clearFaults()
    }
  })
})

test('shows the progress while validators have not answered yet', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    const hex = accept('slow')
    for (const index of [0, 1, 2, 3]) devnet.validators[index]?.setFault({ kind: 'silent' })
    try {
      await visit(watched, service.url, `#/warp/messages/${hex}`)
      await page.getByRole('button', { name: 'Collect signatures' }).click()
      await page.getByRole('img', { name: /^28\.6 % signed, .* 67\.0 % needed$/ }).waitFor()
      await page.getByText('collecting', { exact: true }).waitFor()
    } finally {
      devnet.clearFaults()
    }
    await page.getByText(/^(quorum reached|not signed)$/).waitFor()
  })
})

test('verifies a good and a tampered proof, from a link and from its JSON, without a request', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    await collect(watched, message, 'quorum reached')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the proof' }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    const proof = Buffer.concat(chunks).toString()
    await page.getByRole('link', { name: 'Link to the proof' }).click()
    await page.getByText('Valid: this browser has verified the signature.').waitFor()
    await expect.poll(() => page.getByLabel('JSON of the proof').inputValue()).toBe(proof)

    const { signedMessage } = JSON.parse(proof) as { readonly signedMessage: string }
    const field = page.getByLabel('JSON of the proof')
    const verify = async (text: string, answer: string | RegExp) => {
      await field.fill(text)
      await page.getByRole('button', { name: 'Verify', exact: true }).click()
      await page.locator('main').getByText(answer).waitFor()
    }
    const payload = Hex.encodeBare(new TextEncoder().encode('hello'))
    const other = Hex.encodeBare(new TextEncoder().encode('hallo'))
    expect(signedMessage).toContain(payload)
    await verify(proof.replace(payload, other), /^Not valid: /)
    await verify(proof.replace(/"weight": "\d+"/, '"weight": "1"'), /^This is not a proof bundle: /)
    await verify('{}', /^This is not a proof bundle: /)
    await verify(proof, 'Valid: this browser has verified the signature.')
    await page.getByLabel('Quorum').fill('100')
    await page.getByText(/^Not valid: expected signers with at least 100\/100/).waitFor()
    await visit(watched, service.url, '#/warp/verify?proof=AAAA')
    await page.getByText('The link is incomplete. Copy all of it.').waitFor()
  })
})

test('verifies the signature of a pasted message with the validators of a new aggregation', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    await collect(watched, message, 'quorum reached')
    const signed = (await page.getByLabel('Signed message in hexadecimal').textContent()) ?? ''
    const verdict = page.getByRole('region', { name: 'Pasted signature' })
    await collect(watched, signed, 'quorum reached')
    await verdict.getByText(/^Valid: /).waitFor()
    // The last byte belongs to the signature.
    await collect(watched, `${signed.slice(0, -2)}${signed.endsWith('00') ? '01' : '00'}`, 'quorum reached')
    await verdict.getByText(/^Not valid: /).waitFor()
  })
})

test('opens a message from the search, and says what is wrong with other texts', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    await visit(watched, service.url, '')
    await page.locator('#search').fill(`0x${message}`)
    await page.keyboard.press('Enter')
    await page.waitForFunction((expected) => location.hash === expected, `#/warp/messages/${message}`)
    await settle(page)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: /signature aggregator/ }).waitFor()
    await visit(watched, service.url, '#/warp/messages')
    await page.getByLabel(/^Message in hexadecimal/).fill('0x1234')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText(/^This is not a Warp message: /).waitFor()
  })
})

test('shows the title and what to do on a page whose API is not offered', async () => {
  await withPage(async (watched) => {
    await visit(watched, service.url, '#/p/validators')
    await watched.page.getByRole('heading', { level: 1, name: 'Validators', exact: true }).waitFor()
    await watched.page.getByText('This service has no Data API. Open its console.').waitFor()
    await checkPage(watched, 'missing-api', VIEWS[0])
  })
})

test('shows markup and scripts in the answers of validators as text', async () => {
  await withPage(async (watched) => {
    const { page } = watched
    const hex = accept('hostile', [])
    devnet.validators.forEach((validator, index) => {
      const text = HOSTILE_TEXTS[index % HOSTILE_TEXTS.length] ?? ''
      validator.setFault({ kind: 'refuse', code: 100 + index, message: text })
    })
    try {
      await collect(watched, hex, 'not signed')
    } finally {
      devnet.clearFaults()
    }
    const shown = (await page.locator('main').textContent()) ?? ''
    expect(HOSTILE_TEXTS.some((text) => shown.includes(text))).toBe(true)
    expect(await page.locator('main img, main script, main iframe').count()).toBe(0)
  })
})
